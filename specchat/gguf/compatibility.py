"""Decides whether a draft fits a target: llama.cpp's rule, except that unused tokens may differ."""

from dataclasses import dataclass

from specchat.domain.types import VocabularyVerdict
from specchat.gguf.differences import TokenDifference, find_differences, first_difference
from specchat.gguf.reasons import Reason, matching_facts, remarks, vocabulary_obstacles
from specchat.gguf.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Compatibility:
    verdict: VocabularyVerdict
    reasons: tuple[Reason, ...]
    first_difference: TokenDifference | None
    vocab_target: int
    vocab_draft: int

    @property
    def is_possible(self) -> bool:
        return self.verdict is not VocabularyVerdict.INCOMPATIBLE


def compare_tokenizers(target: Tokenizer, draft: Tokenizer) -> Compatibility:
    differences = find_differences(target, draft)
    reasons = tuple(vocabulary_obstacles(target, draft, differences))
    verdict = VocabularyVerdict.INCOMPATIBLE
    if not reasons:
        notes = tuple(remarks(target, draft, differences))
        reasons = (*matching_facts(target, draft, differences), *notes)
        verdict = VocabularyVerdict.COMPATIBLE if notes else VocabularyVerdict.IDENTICAL
    difference = first_difference(target, draft, differences)
    return Compatibility(verdict, reasons, difference, target.n_vocab, draft.n_vocab)
