"""May this draft guess for this target? llama.cpp's rule, except that tokens nobody uses may differ."""

from dataclasses import dataclass

from specchat.domain.types import Verdict
from specchat.gguf.differences import TokenDifference, find_differences, first_difference
from specchat.gguf.reasons import Reason, common_ground, obstacles, remarks
from specchat.gguf.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Compatibility:
    verdict: Verdict
    reasons: tuple[Reason, ...]
    first_difference: TokenDifference | None
    vocab_target: int
    vocab_draft: int

    @property
    def is_possible(self) -> bool:
        return self.verdict is not Verdict.INCOMPATIBLE


def compare(target: Tokenizer, draft: Tokenizer) -> Compatibility:
    differences = find_differences(target, draft)
    reasons = tuple(obstacles(target, draft, differences))
    verdict = Verdict.INCOMPATIBLE
    if not reasons:
        notes = tuple(remarks(target, draft, differences))
        reasons = (*common_ground(target, draft, differences), *notes)
        verdict = Verdict.COMPATIBLE if notes else Verdict.IDENTICAL
    difference = first_difference(target, draft, differences)
    return Compatibility(verdict, reasons, difference, target.n_vocab, draft.n_vocab)
