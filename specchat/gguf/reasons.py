"""Why a pair does or does not fit together, in plain sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from specchat.gguf.differences import FIRST_COMPARED_TOKEN, Differences, token_text
from specchat.gguf.faults import printable
from specchat.gguf.tokenizer import Tokenizer

MAX_SIZE_DIFFERENCE = 128


@dataclass(frozen=True, slots=True)
class Reason:
    code: str
    message: str
    detail: str = ""


def obstacles(target: Tokenizer, draft: Tokenizer, differences: Differences) -> Iterator[Reason]:
    if not (target.texts and draft.texts):
        yield Reason("no-vocabulary", f"The {'draft' if target.texts else 'target'} has no list of tokens.")
        return
    if target.kind != draft.kind:
        yield Reason(
            "tokenizer-kind",
            f"The tokenizers are of different kinds: {_kind(target)} and {_kind(draft)}.",
        )
        return
    yield from _edge_obstacle("bos", "begin", target.add_bos, draft.add_bos, target.bos, draft.bos)
    yield from _edge_obstacle("eos", "end", target.add_eos, draft.add_eos, target.eos, draft.eos)
    if len(differences.surplus) > MAX_SIZE_DIFFERENCE and not differences.surplus_is_spare:
        yield Reason(
            "vocabulary-size",
            f"The target knows {target.n_vocab} tokens, the draft {draft.n_vocab}.",
            f"More than {MAX_SIZE_DIFFERENCE} tokens are missing on one side, and not only padding.",
        )
    if differences.decisive:
        token = differences.decisive[0]
        yield Reason(
            "token-text",
            f"Token {token} is {_quoted(target, token)} in the target, {_quoted(draft, token)} in the draft.",
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
    code: str, verb: str, target_adds: bool, draft_adds: bool, target_id: int | None, draft_id: int | None
) -> Iterator[Reason]:
    if target_adds != draft_adds:
        adds, lacks = ("target", "draft") if target_adds else ("draft", "target")
        message = f"For the {adds} every text has to {verb} with a special token, for the {lacks} not."
        yield Reason(f"add-{code}", message)
    elif target_adds and target_id != draft_id:
        message = f"Texts {verb} with token {target_id} for the target, with {draft_id} for the draft."
        yield Reason(f"{code}-token", message)


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


def _quoted(tokenizer: Tokenizer, token: int) -> str:
    return f"'{printable(token_text(tokenizer, token), 32)}'"


def _tokens(number: int, adjective: str = "") -> str:
    noun = "token" if number == 1 else "tokens"
    return f"{number} {adjective} {noun}" if adjective else f"{number} {noun}"


def _listed(tokens: Sequence[int]) -> str:
    shown = ", ".join(map(str, tokens[:5]))
    return f"{_tokens(len(tokens))}: {shown}{', ...' if len(tokens) > 5 else ''}."
