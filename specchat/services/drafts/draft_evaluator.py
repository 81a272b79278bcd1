"""Evaluates whether one model can draft for another, at what speed-up, and whether both fit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from specchat.domain.errors import UserError
from specchat.domain.model_ref import ModelFile
from specchat.domain.types import PairChoice
from specchat.gguf.compatibility import compare_tokenizers
from specchat.gguf.files import compare_files
from specchat.services.bench.measured_pairs import SpeedLookup, no_measurements
from specchat.services.drafts.draft_candidates import DraftCandidate, ModelLocation, SpeedupEstimate
from specchat.services.drafts.draft_facts import DraftFacts, read_draft_facts, read_tokenizer_of
from specchat.services.drafts.known_pairs import KnownPair
from specchat.services.drafts.ranking import explain_candidate
from specchat.services.drafts.speedup import (
    Relation,
    apply_measurement,
    estimate_from_costs,
    estimate_known_pair,
    relation_of,
)
from specchat.services.models.model_names import family
from specchat.services.models.pair_fit import NOT_SMALLER, DraftVerdict, PairFit


@dataclass(frozen=True, slots=True)
class DraftToCheck:
    """Before it was looked into."""

    reference: str
    name: str
    size: int
    quantization: str
    where: ModelLocation
    known: KnownPair | None = None
    problem: str = ""
    """Why it cannot be used at all."""


class DraftEvaluator:
    def __init__(
        self, target: Path, fit: Callable[[PairChoice], PairFit], measured_here: SpeedLookup = no_measurements
    ) -> None:
        """`target`: its file, or one with its header alone."""
        self.facts = read_draft_facts(target)
        self._target = target
        self._tokenizer = read_tokenizer_of(target)
        self._fit = fit
        self._measured_here = measured_here

    def evaluate(self, draft: DraftToCheck, path: Path) -> DraftCandidate:
        """Evaluates a draft without its memory fit, which takes longer."""
        if draft.problem:
            return unusable_candidate(draft, draft.problem)
        try:
            facts = read_draft_facts(path)
            verdict, reason, overlap = self._compare(facts, path)
        except UserError as error:
            return unusable_candidate(draft, error.message)
        if not verdict.may_draft:
            return replace(unusable_candidate(draft, reason), verdict=verdict)
        relation = _relation(draft.known, verdict, self.facts, facts)
        expected = estimate_between(self.facts, facts, verdict, draft.known, overlap)
        expected = apply_measurement(expected, self._measured_here(self._target, path))
        sizes, sides = (self.facts.size, draft.size), (self.facts.side, facts.side)
        return replace(
            unusable_candidate(draft, ""),
            verdict=verdict,
            expected=expected,
            reason=explain_candidate(verdict, expected, relation, sizes, sides),
        )

    def add_memory_fit(self, candidate: DraftCandidate, path: Path) -> DraftCandidate:
        if candidate.expected is None:
            return candidate
        try:
            found = self._fit(PairChoice(ModelFile(self._target), ModelFile(path), draft_type="model"))
        except UserError:
            return candidate
        left = min((device.free - device.needed for device in found.devices), default=None)
        return replace(candidate, fit=found.verdict, left=left)

    def _compare(self, facts: DraftFacts, path: Path) -> tuple[DraftVerdict, str, float]:
        if facts.size >= self.facts.size:
            return DraftVerdict.TOO_LARGE, NOT_SMALLER, 1.0
        if facts.is_draft_only:
            found = compare_files(self._target, path)
        else:
            found = compare_tokenizers(self._tokenizer, read_tokenizer_of(path))
        return DraftVerdict(found.verdict), found.reasons[0].message if found.reasons else "", found.overlap


def estimate_between(
    target: DraftFacts,
    draft: DraftFacts,
    verdict: DraftVerdict,
    known: KnownPair | None = None,
    overlap: float = 1.0,
) -> SpeedupEstimate:
    """The same wherever the pair is shown: what is known of a pair counts more than its files."""
    if known and (expected := estimate_known_pair(known, target.quantization, draft.quantization)):
        return expected
    relation = _relation(known, verdict, target, draft)
    return estimate_from_costs(target.side, draft.side, relation, known.acceptance if known else None, overlap)


def estimate_for_files(
    target: str,
    draft: str,
    files: tuple[Path, Path],
    verdict: DraftVerdict,
    known: Sequence[KnownPair],
    overlap: float = 1.0,
) -> SpeedupEstimate:
    """`target`, `draft`: as they are called; `files`: they, or files with their headers alone."""
    facts, draft_facts = map(read_draft_facts, files)
    pairs = (pair for pair in known if pair.target.matches(target, facts.name))
    meant = next((pair for pair in pairs if pair.draft.matches(draft, draft_facts.name)), None)
    return estimate_between(facts, draft_facts, verdict, meant, overlap)


def unusable_candidate(draft: DraftToCheck, reason: str) -> DraftCandidate:
    return DraftCandidate(
        draft.reference,
        draft.name,
        draft.size,
        draft.quantization,
        draft.where,
        known=draft.known is not None,
        verdict=DraftVerdict.UNUSABLE,
        reason=reason,
        expected=None,
        fit=None,
    )


def _relation(known: KnownPair | None, verdict: DraftVerdict, target: DraftFacts, draft: DraftFacts) -> Relation:
    if known is not None:
        return relation_of(known)
    if draft.is_draft_only:
        return Relation.MADE_FOR_IT
    is_related = verdict is DraftVerdict.IDENTICAL or family(target.name) == family(draft.name)
    return Relation.RELATED if is_related else Relation.STRANGER
