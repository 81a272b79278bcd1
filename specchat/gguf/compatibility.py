"""Decides whether a draft fits a target: llama.cpp's rule, except that unused tokens may differ, and that a draft with
another vocabulary can be translated.
"""

from dataclasses import dataclass

from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import VocabularyVerdict
from specchat.gguf.differences import TokenDifference, find_differences, first_difference
from specchat.gguf.reasons import Reason, matching_facts, remarks, translation_facts, vocabulary_obstacles
from specchat.gguf.token_bytes import is_text, overlap
from specchat.gguf.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Compatibility:
    verdict: VocabularyVerdict
    reasons: tuple[Reason, ...]
    first_difference: TokenDifference | None
    vocab_target: int
    vocab_draft: int
    overlap: float = 1.0
    """The share of the larger vocabulary that both have."""

    @property
    def is_possible(self) -> bool:
        return self.verdict is not VocabularyVerdict.INCOMPATIBLE


def shares_tokens(target: Tokenizer) -> Compatibility:
    """Compares a target with heads that have no tokenizer."""
    reason = Reason(
        "unnamed-target",
        TranslatableText("The file doesn't say which model its heads were made for. Their size matches the target."),
    )
    return Compatibility(VocabularyVerdict.COMPATIBLE, (reason,), None, target.n_vocab, target.n_vocab)


def compare_tokenizers(target: Tokenizer, draft: Tokenizer, *, may_translate: bool = True) -> Compatibility:
    """`may_translate`: the draft reads text, as heads do not."""
    differences = find_differences(target, draft)
    reasons = tuple(vocabulary_obstacles(target, draft, differences))
    verdict, shared = VocabularyVerdict.INCOMPATIBLE, 1.0
    if reasons and may_translate and is_text(target) and is_text(draft):
        shared = overlap(target, draft)
        verdict, reasons = VocabularyVerdict.TRANSLATABLE, (*translation_facts(shared), *reasons)
    elif not reasons:
        notes = tuple(remarks(target, draft, differences))
        reasons = (*matching_facts(target, draft, differences), *notes)
        verdict = VocabularyVerdict.COMPATIBLE if notes else VocabularyVerdict.IDENTICAL
    difference = first_difference(target, draft, differences)
    return Compatibility(verdict, reasons, difference, target.n_vocab, draft.n_vocab, shared)
