"""Compares two vocabularies and tells harmless differences from decisive ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from specchat.gguf.spare_tokens import differs_harmlessly, is_spare
from specchat.gguf.tokenizer import Tokenizer

FIRST_COMPARED_TOKEN = 5


@dataclass(frozen=True, slots=True)
class TokenDifference:
    id: int
    target: str
    draft: str


@dataclass(frozen=True, slots=True)
class Differences:
    early: Sequence[int]
    """Other texts before the first token that llama.cpp compares."""
    harmless: Sequence[int]
    """Other texts, but one side is a token that nobody uses."""
    decisive: Sequence[int]
    surplus: range
    """Tokens that only the larger vocabulary has."""
    surplus_is_spare: bool


def find_differences(target: Tokenizer, draft: Tokenizer) -> Differences:
    unequal = _unequal_texts(target, draft)
    later = [token for token in unequal if token >= FIRST_COMPARED_TOKEN]
    harmless = [token for token in later if differs_harmlessly(target, draft, token)]
    smaller, larger = sorted((target, draft), key=lambda tokenizer: tokenizer.n_vocab)
    surplus = range(smaller.n_vocab, larger.n_vocab)
    return Differences(
        early=unequal[: len(unequal) - len(later)],
        harmless=harmless,
        decisive=sorted(set(later).difference(harmless)),
        surplus=surplus,
        surplus_is_spare=all(is_spare(larger, token) for token in surplus),
    )


def first_difference(target: Tokenizer, draft: Tokenizer, found: Differences) -> TokenDifference | None:
    """The first that decides, or else the first of all."""
    for token in (*found.decisive[:1], *found.early[:1], *found.harmless[:1]):
        return TokenDifference(token, token_text(target, token), token_text(draft, token))
    return None


def token_text(tokenizer: Tokenizer, token: int) -> str:
    return tokenizer.texts[token].decode(errors="replace")


def _unequal_texts(target: Tokenizer, draft: Tokenizer) -> list[int]:
    pairs = enumerate(zip(target.texts, draft.texts, strict=False))
    return [token for token, (target_text, draft_text) in pairs if target_text != draft_text]
