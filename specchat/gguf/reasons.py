"""Explains why a pair does or does not fit together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from specchat.domain.translatable_text import TranslatableText, group_digits
from specchat.gguf.differences import FIRST_COMPARED_TOKEN, Differences, token_text
from specchat.gguf.file_errors import printable
from specchat.gguf.tokenizer import Tokenizer

MAX_SIZE_DIFFERENCE = 128

_TARGET_ADDS = {
    "bos": TranslatableText("The target requires a special token at the start of the text, but the draft doesn't."),
    "eos": TranslatableText("The target requires a special token at the end of the text, but the draft doesn't."),
}
_DRAFT_ADDS = {
    "bos": TranslatableText("The draft requires a special token at the start of the text, but the target doesn't."),
    "eos": TranslatableText("The draft requires a special token at the end of the text, but the target doesn't."),
}
_ADD_OTHERS = {
    "bos": TranslatableText("The target starts text with token {target}, the draft with {draft}."),
    "eos": TranslatableText("The target ends text with token {target}, the draft with {draft}."),
}
_ONE_MORE_PADDING = {
    "target": TranslatableText("The target has 1 more padding token than the draft. It is never used."),
    "draft": TranslatableText("The draft has 1 more padding token than the target. It is never used."),
}
_MORE_PADDING = {
    "target": TranslatableText("The target has {n} more padding tokens than the draft. They are never used."),
    "draft": TranslatableText("The draft has {n} more padding tokens than the target. They are never used."),
}
_ONE_MORE_TOKEN = {
    "target": TranslatableText("The target has 1 more token than the draft. The draft can't guess it."),
    "draft": TranslatableText("The draft has 1 more token than the target. The target always rejects it."),
}
_MORE_TOKENS = {
    "target": TranslatableText("The target has {n} more tokens than the draft. The draft can't guess them."),
    "draft": TranslatableText("The draft has {n} more tokens than the target. The target always rejects them."),
}


@dataclass(frozen=True, slots=True)
class Reason:
    code: str
    message: str
    detail: str = ""


def vocabulary_obstacles(target: Tokenizer, draft: Tokenizer, differences: Differences) -> Iterator[Reason]:
    """The most telling first."""
    if not (target.texts and draft.texts):
        lacking = (
            TranslatableText("The draft has no token list.")
            if target.texts
            else TranslatableText("The target has no token list.")
        )
        yield Reason("no-vocabulary", lacking)
        return
    if target.kind != draft.kind:
        yield Reason(
            "tokenizer-kind",
            TranslatableText(
                "The tokenizers have different types: {target} and {draft}.",
                target=_kind(target),
                draft=_kind(draft),
            ),
        )
        return
    if differences.decisive:
        token = differences.decisive[0]
        yield Reason(
            "token-text",
            TranslatableText(
                "Token {token} is '{target}' in the target, '{draft}' in the draft.",
                token=token,
                target=_shown(target, token),
                draft=_shown(draft, token),
            ),
            TranslatableText(
                "Tokens that differ, not counting unused ones: {n}.", n=group_digits(len(differences.decisive))
            ),
        )
    if len(differences.surplus) > MAX_SIZE_DIFFERENCE and not differences.surplus_is_spare:
        yield Reason(
            "vocabulary-size",
            TranslatableText(
                "The target has {target} tokens, the draft {draft}.",
                target=group_digits(target.n_vocab),
                draft=group_digits(draft.n_vocab),
            ),
            TranslatableText(
                "One vocabulary has more than {n} additional tokens, and they are not just padding.",
                n=MAX_SIZE_DIFFERENCE,
            ),
        )
    yield from _edge_obstacle("bos", target.add_bos, draft.add_bos, target.bos, draft.bos)
    yield from _edge_obstacle("eos", target.add_eos, draft.add_eos, target.eos, draft.eos)


def translation_facts(overlap: float) -> Iterator[Reason]:
    yield Reason(
        "other-vocabulary",
        TranslatableText("The draft has a different vocabulary. specchat translates its guesses."),
    )
    yield Reason(
        "shared-tokens",
        TranslatableText(
            "The two vocabularies share {percent} % of their tokens. Expect less speed-up than with the same "
            "vocabulary.",
            percent=int(100 * overlap),
        ),
    )


def matching_facts(target: Tokenizer, draft: Tokenizer, differences: Differences) -> Iterator[Reason]:
    if differences.early or differences.harmless:
        return
    same = group_digits(min(target.n_vocab, draft.n_vocab))
    yield Reason(
        "same-tokens",
        TranslatableText("The first {n} tokens are the same.", n=same)
        if differences.surplus
        else TranslatableText("Same vocabulary of {n} tokens.", n=same),
    )


def remarks(target: Tokenizer, draft: Tokenizer, differences: Differences) -> Iterator[Reason]:
    if (target.model, target.splitting) != (draft.model, draft.splitting):
        yield Reason(
            "pre-tokenizer",
            TranslatableText("The draft was trained with a different pre-tokenizer, so fewer guesses may be accepted."),
            _both(_pre(target), _pre(draft)),
        )
    if differences.surplus:
        yield _surplus_remark(target, draft, differences)
    if differences.harmless:
        yield Reason(
            "unused-tokens",
            TranslatableText("Some tokens differ, but only where one model has an unused or padding token."),
            _listed(differences.harmless),
        )
    if differences.early:
        yield Reason(
            "early-tokens",
            TranslatableText(
                "Some of the first {n} tokens differ. They are special tokens and don't matter.", n=FIRST_COMPARED_TOKEN
            ),
            _listed(differences.early),
        )
    yield from _unequal_marks(target, draft)


def _edge_obstacle(
    code: str, target_adds: bool, draft_adds: bool, target_id: int | None, draft_id: int | None
) -> Iterator[Reason]:
    if target_adds != draft_adds:
        yield Reason(f"add-{code}", _TARGET_ADDS[code] if target_adds else _DRAFT_ADDS[code])
    elif target_adds and target_id != draft_id:
        yield Reason(f"{code}-token", TranslatableText(_ADD_OTHERS[code], target=target_id, draft=draft_id))


def _surplus_remark(target: Tokenizer, draft: Tokenizer, differences: Differences) -> Reason:
    larger = "target" if target.n_vocab > draft.n_vocab else "draft"
    count = len(differences.surplus)
    if differences.surplus_is_spare:
        code, words = "padding", _ONE_MORE_PADDING if count == 1 else _MORE_PADDING
    else:
        code, words = "extra-tokens", _ONE_MORE_TOKEN if count == 1 else _MORE_TOKENS
    return Reason(code, TranslatableText(words[larger], n=group_digits(count)))


def _unequal_marks(target: Tokenizer, draft: Tokenizer) -> Iterator[Reason]:
    if target.bos != draft.bos:
        yield Reason(
            "bos-unused",
            TranslatableText("The models define different start tokens, but neither adds one."),
            _both(target.bos, draft.bos),
        )
    if target.eos != draft.eos:
        yield Reason(
            "eos-unused",
            TranslatableText("The models end answers with different tokens, which costs at most the last guess."),
            _both(target.eos, draft.eos),
        )
    shared = min(len(target.types), len(draft.types))
    if tuple(target.types[:shared]) != tuple(draft.types[:shared]):
        yield Reason("token-types", TranslatableText("Some tokens have different types but the same text."))


def _both(target: object, draft: object) -> TranslatableText:
    return TranslatableText("Target: {target}. Draft: {draft}.", target=target, draft=draft)


def _kind(tokenizer: Tokenizer) -> str:
    return printable(f"{tokenizer.model} ({tokenizer.kind})")


def _pre(tokenizer: Tokenizer) -> str:
    return printable(f"{tokenizer.model}, {tokenizer.pre or 'default'}")


def _shown(tokenizer: Tokenizer, token: int) -> str:
    return printable(token_text(tokenizer, token), 32)


def _listed(tokens: Sequence[int]) -> TranslatableText:
    shown = ", ".join(map(str, tokens[:5]))
    return TranslatableText("Tokens: {tokens}.", tokens=shown if len(tokens) <= 5 else f"{shown}, …")
