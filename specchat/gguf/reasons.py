"""Why a pair does or does not fit together, in plain sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from specchat.domain.said import Said
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


@dataclass(frozen=True, slots=True)
class Reason:
    code: str
    message: str
    detail: str = ""


def obstacles(target: Tokenizer, draft: Tokenizer, differences: Differences) -> Iterator[Reason]:
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
    yield from _edge_obstacle("bos", target.add_bos, draft.add_bos, target.bos, draft.bos)
    yield from _edge_obstacle("eos", target.add_eos, draft.add_eos, target.eos, draft.eos)
    if len(differences.surplus) > MAX_SIZE_DIFFERENCE and not differences.surplus_is_spare:
        yield Reason(
            "vocabulary-size",
            Said("The target knows {target} tokens, the draft {draft}.", target=target.n_vocab, draft=draft.n_vocab),
            f"More than {MAX_SIZE_DIFFERENCE} tokens are missing on one side, and not only padding.",
        )
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
            f"Tokens in use that differ: {len(differences.decisive)}.",
        )


def common_ground(target: Tokenizer, draft: Tokenizer, differences: Differences) -> Iterator[Reason]:
    if differences.early or differences.harmless:
        return
    first = "first " if differences.surplus else ""
    yield Reason("same-tokens", f"Same {first}{_tokens(min(target.n_vocab, draft.n_vocab))}.")


def remarks(target: Tokenizer, draft: Tokenizer, differences: Differences) -> Iterator[Reason]:
    if (target.model, target.splitting) != (draft.model, draft.splitting):
        yield Reason(
            "pre-tokenizer",
            "The draft learned on text that was cut into tokens differently, so fewer guesses may hold.",
            f"Target: {_pre(target)}; draft: {_pre(draft)}.",
        )
    if differences.surplus:
        yield _surplus_remark(target, draft, differences)
    if differences.harmless:
        yield Reason(
            "unused-tokens",
            "Some tokens differ, but only where one side has an unused or padding token.",
            _listed(differences.harmless),
        )
    if differences.early:
        yield Reason(
            "early-tokens",
            f"Some of the first {FIRST_COMPARED_TOKEN} tokens differ; those are special and do not matter.",
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
    n_surplus = len(differences.surplus)
    larger = "target" if target.n_vocab > draft.n_vocab else "draft"
    if differences.surplus_is_spare:
        return Reason(
            "padding", f"The {larger} has {_tokens(n_surplus, 'more padding')}, never used and never guessed."
        )
    effect = "the draft cannot guess them" if larger == "target" else "guesses of them never hold"
    return Reason("extra-tokens", f"The {larger} has {_tokens(n_surplus, 'more')}; {effect}.")


def _unequal_marks(target: Tokenizer, draft: Tokenizer) -> Iterator[Reason]:
    if target.bos != draft.bos:
        yield Reason(
            "bos-unused",
            "The two name different tokens for the beginning of a text, but neither adds one.",
            f"Target: {target.bos}; draft: {draft.bos}.",
        )
    if target.eos != draft.eos:
        yield Reason(
            "eos-unused",
            "The two end their answers with different tokens, which costs at most the last guess.",
            f"Target: {target.eos}; draft: {draft.eos}.",
        )
    shared = min(len(target.types), len(draft.types))
    if tuple(target.types[:shared]) != tuple(draft.types[:shared]):
        yield Reason("token-types", "Some tokens are marked as another type, which does not change their text.")


def _kind(tokenizer: Tokenizer) -> str:
    return printable(f"{tokenizer.model} ({tokenizer.kind})")


def _pre(tokenizer: Tokenizer) -> str:
    return printable(f"{tokenizer.model}, {tokenizer.pre or 'default'}")


def _shown(tokenizer: Tokenizer, token: int) -> str:
    return printable(token_text(tokenizer, token), 32)


def _tokens(number: int, adjective: str = "") -> str:
    noun = "token" if number == 1 else "tokens"
    return f"{number} {adjective} {noun}" if adjective else f"{number} {noun}"


def _listed(tokens: Sequence[int]) -> str:
    shown = ", ".join(map(str, tokens[:5]))
    return f"{_tokens(len(tokens))}: {shown}{', ...' if len(tokens) > 5 else ''}."
