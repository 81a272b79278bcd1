"""Why a pair does or does not fit together, in plain sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from specchat.domain.said import Said, grouped
from specchat.gguf.differences import FIRST_COMPARED_TOKEN, Differences, token_text
from specchat.gguf.faults import printable
from specchat.gguf.tokenizer import Tokenizer

MAX_SIZE_DIFFERENCE = 128

_TARGET_ADDS = {
    "bos": Said("For the target every text has to begin with a special token, for the draft not."),
    "eos": Said("For the target every text has to end with a special token, for the draft not."),
}
_DRAFT_ADDS = {
    "bos": Said("For the draft every text has to begin with a special token, for the target not."),
    "eos": Said("For the draft every text has to end with a special token, for the target not."),
}
_ADD_OTHERS = {
    "bos": Said("Texts begin with token {target} for the target, with {draft} for the draft."),
    "eos": Said("Texts end with token {target} for the target, with {draft} for the draft."),
}
_MORE_PADDING = {
    "target": Said("The target has more padding tokens: {n}. They are never used and never guessed."),
    "draft": Said("The draft has more padding tokens: {n}. They are never used and never guessed."),
}
_MORE_TOKENS = {
    "target": Said("The target has more tokens: {n}. The draft cannot guess them."),
    "draft": Said("The draft has more tokens: {n}. Guesses of them never hold."),
}


@dataclass(frozen=True, slots=True)
class Reason:
    code: str
    message: str
    detail: str = ""


def obstacles(target: Tokenizer, draft: Tokenizer, differences: Differences) -> Iterator[Reason]:
    """The most telling first."""
    if not (target.texts and draft.texts):
        lacking = (
            Said("The draft has no list of tokens.") if target.texts else Said("The target has no list of tokens.")
        )
        yield Reason("no-vocabulary", lacking)
        return
    if target.kind != draft.kind:
        yield Reason(
            "tokenizer-kind",
            Said(
                "The tokenizers are of different kinds: {target} and {draft}.",
                target=_kind(target),
                draft=_kind(draft),
            ),
        )
        return
    if differences.decisive:
        token = differences.decisive[0]
        yield Reason(
            "token-text",
            Said(
                "Token {token} is '{target}' in the target, '{draft}' in the draft.",
                token=token,
                target=_shown(target, token),
                draft=_shown(draft, token),
            ),
            Said("Tokens in use that differ: {n}.", n=grouped(len(differences.decisive))),
        )
    if len(differences.surplus) > MAX_SIZE_DIFFERENCE and not differences.surplus_is_spare:
        yield Reason(
            "vocabulary-size",
            Said(
                "The target knows {target} tokens, the draft {draft}.",
                target=grouped(target.n_vocab),
                draft=grouped(draft.n_vocab),
            ),
            Said("More than {n} tokens are missing on one side, and not only padding.", n=MAX_SIZE_DIFFERENCE),
        )
    yield from _edge_obstacle("bos", target.add_bos, draft.add_bos, target.bos, draft.bos)
    yield from _edge_obstacle("eos", target.add_eos, draft.add_eos, target.eos, draft.eos)


def common_ground(target: Tokenizer, draft: Tokenizer, differences: Differences) -> Iterator[Reason]:
    if differences.early or differences.harmless:
        return
    same = grouped(min(target.n_vocab, draft.n_vocab))
    yield Reason(
        "same-tokens",
        Said("Same first {n} tokens.", n=same) if differences.surplus else Said("Same {n} tokens.", n=same),
    )


def remarks(target: Tokenizer, draft: Tokenizer, differences: Differences) -> Iterator[Reason]:
    if (target.model, target.splitting) != (draft.model, draft.splitting):
        yield Reason(
            "pre-tokenizer",
            Said("The draft learned on text that was cut into tokens differently, so fewer guesses may hold."),
            _both(_pre(target), _pre(draft)),
        )
    if differences.surplus:
        yield _surplus_remark(target, draft, differences)
    if differences.harmless:
        yield Reason(
            "unused-tokens",
            Said("Some tokens differ, but only where one side has an unused or padding token."),
            _listed(differences.harmless),
        )
    if differences.early:
        yield Reason(
            "early-tokens",
            Said("Some of the first {n} tokens differ; those are special and do not matter.", n=FIRST_COMPARED_TOKEN),
            _listed(differences.early),
        )
    yield from _unequal_marks(target, draft)


def _edge_obstacle(
    code: str, target_adds: bool, draft_adds: bool, target_id: int | None, draft_id: int | None
) -> Iterator[Reason]:
    if target_adds != draft_adds:
        yield Reason(f"add-{code}", _TARGET_ADDS[code] if target_adds else _DRAFT_ADDS[code])
    elif target_adds and target_id != draft_id:
        yield Reason(f"{code}-token", Said(_ADD_OTHERS[code], target=target_id, draft=draft_id))


def _surplus_remark(target: Tokenizer, draft: Tokenizer, differences: Differences) -> Reason:
    larger = "target" if target.n_vocab > draft.n_vocab else "draft"
    code, words = ("padding", _MORE_PADDING) if differences.surplus_is_spare else ("extra-tokens", _MORE_TOKENS)
    return Reason(code, Said(words[larger], n=grouped(len(differences.surplus))))


def _unequal_marks(target: Tokenizer, draft: Tokenizer) -> Iterator[Reason]:
    if target.bos != draft.bos:
        yield Reason(
            "bos-unused",
            Said("The two name different tokens for the beginning of a text, but neither adds one."),
            _both(target.bos, draft.bos),
        )
    if target.eos != draft.eos:
        yield Reason(
            "eos-unused",
            Said("The two end their answers with different tokens, which costs at most the last guess."),
            _both(target.eos, draft.eos),
        )
    shared = min(len(target.types), len(draft.types))
    if tuple(target.types[:shared]) != tuple(draft.types[:shared]):
        yield Reason("token-types", Said("Some tokens are marked as another type, which does not change their text."))


def _both(target: object, draft: object) -> Said:
    return Said("Target: {target}; draft: {draft}.", target=target, draft=draft)


def _kind(tokenizer: Tokenizer) -> str:
    return printable(f"{tokenizer.model} ({tokenizer.kind})")


def _pre(tokenizer: Tokenizer) -> str:
    return printable(f"{tokenizer.model}, {tokenizer.pre or 'default'}")


def _shown(tokenizer: Tokenizer, token: int) -> str:
    return printable(token_text(tokenizer, token), 32)


def _listed(tokens: Sequence[int]) -> Said:
    shown = ", ".join(map(str, tokens[:5]))
    return Said("Tokens: {tokens}.", tokens=shown if len(tokens) <= 5 else f"{shown}, …")
