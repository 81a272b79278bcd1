"""Determines which models a benchmark loads and which methods each of them serves."""

from dataclasses import dataclass
from pathlib import Path

from specchat.domain.benchmark import BenchMethod, BenchPlan
from specchat.domain.model_ref import ModelFile
from specchat.domain.types import NGRAM, ModelSettings, PairChoice
from specchat.services.generation.drafter_choice import MAX_AUTO_DRAFT


@dataclass(frozen=True, slots=True)
class HostSpec:
    ways: tuple[BenchMethod, ...]

    @property
    def target(self) -> Path:
        return self.ways[0].target

    @property
    def peer(self) -> Path | None:
        return self.ways[0].peer

    @property
    def draft(self) -> Path | None:
        return next((way.draft for way in self.ways if way.draft is not None), None)


def build_host_specs(plan: BenchPlan) -> tuple[HostSpec, ...]:
    """Ways that need no draft are answered by the target's first pair, whatever draft that has."""
    found: dict[tuple[object, ...], list[BenchMethod]] = {}
    first_drafts: dict[Path, Path | None] = {}
    for way in plan.ways:
        if way.peer is None and way.draft is not None:
            first_drafts.setdefault(way.target, way.draft)
    for way in plan.ways:
        draft = way.draft or first_drafts.get(way.target)
        key = (way.target, draft) if way.peer is None else (way.target, way)
        found.setdefault(key, []).append(way)
    order = {target: at for at, target in enumerate(dict.fromkeys(way.target for way in plan.ways))}
    specs = [HostSpec(tuple(ways)) for ways in found.values()]
    return tuple(sorted(specs, key=lambda spec: (order[spec.target], spec.peer is not None)))


def build_pair_choice(spec: HostSpec, plan: BenchPlan) -> PairChoice:
    """With room for the longest draft that any of its ways makes."""
    return PairChoice(
        target=ModelFile(spec.target),
        draft=None if spec.draft is None else ModelFile(spec.draft),
        target_settings=ModelSettings(
            n_ctx=plan.n_ctx, gpu_layers=plan.gpu_layers, threads=plan.threads, exact=plan.exact
        ),
        draft_settings=ModelSettings(gpu_layers=plan.draft_gpu_layers, threads=plan.threads),
        draft_type=_draft_type(spec),
        draft_max=_longest(spec),
    )


def _longest(spec: HostSpec) -> int | None:
    lengths = [way.draft_max for way in spec.ways]
    longest = max((length for length in lengths if length is not None), default=0)
    return None if None in lengths and longest <= MAX_AUTO_DRAFT else longest


def _draft_type(spec: HostSpec) -> str:
    """Of them all, the one that needs most."""
    types = {way.draft_type for way in spec.ways} - {"none"}
    return next(iter(types - {NGRAM}), NGRAM if types else "none")
