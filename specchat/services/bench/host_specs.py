"""Determines which models a benchmark loads and which methods each of them serves."""

from dataclasses import dataclass, replace
from pathlib import Path

from specchat.domain.benchmark import TREE_POLICY, BenchMethod, BenchPlan
from specchat.domain.compute_settings import MOST_BRANCHES
from specchat.domain.model_ref import ModelFile
from specchat.domain.types import NGRAM, PairChoice
from specchat.services.generation.drafter_choice import MAX_AUTO_DRAFT


@dataclass(frozen=True, slots=True)
class HostSpec:
    methods: tuple[BenchMethod, ...]

    @property
    def target(self) -> Path:
        return self.methods[0].target

    @property
    def peer(self) -> Path | None:
        return self.methods[0].peer

    @property
    def engine(self) -> str:
        return self.methods[0].engine

    @property
    def draft(self) -> Path | None:
        return next((method.draft for method in self.methods if method.draft is not None), None)


def build_host_specs(plan: BenchPlan) -> tuple[HostSpec, ...]:
    """Ways that need no draft are answered by the target's first pair, whatever draft that has."""
    found: dict[tuple[object, ...], list[BenchMethod]] = {}
    first_drafts: dict[Path, Path | None] = {}
    for method in plan.methods:
        if method.is_ours and method.draft is not None:
            first_drafts.setdefault(method.target, method.draft)
    for method in plan.methods:
        draft = method.draft or first_drafts.get(method.target)
        key = (method.target, draft) if method.is_ours else (method.target, method)
        found.setdefault(key, []).append(method)
    order = {target: at for at, target in enumerate(dict.fromkeys(method.target for method in plan.methods))}
    specs = [HostSpec(tuple(methods)) for methods in found.values()]
    return tuple(sorted(specs, key=lambda spec: (order[spec.target], not spec.methods[0].is_ours)))


def build_pair_choice(spec: HostSpec, plan: BenchPlan) -> PairChoice:
    """Builds a pair with room for the longest draft of its methods."""
    return PairChoice(
        target=ModelFile(spec.target),
        draft=None if spec.draft is None else ModelFile(spec.draft),
        target_settings=replace(
            plan.target_settings,
            n_ctx=plan.n_ctx,
            gpu_layers=plan.gpu_layers,
            threads=plan.threads,
            exact=plan.exact,
            slots=1,
            branches=MOST_BRANCHES if any(method.policy == TREE_POLICY for method in spec.methods) else 1,
        ),
        draft_settings=replace(plan.draft_settings, gpu_layers=plan.draft_gpu_layers, threads=plan.threads),
        draft_type=_draft_type(spec),
        draft_max=_longest(spec),
    )


def _longest(spec: HostSpec) -> int | None:
    lengths = [_columns(method) for method in spec.methods]
    longest = max((length for length in lengths if length is not None), default=0)
    return None if None in lengths and longest <= MAX_AUTO_DRAFT else longest


def _columns(method: BenchMethod) -> int | None:
    if method.draft_max is None or method.policy != TREE_POLICY:
        return method.draft_max
    return method.draft_max + min(method.draft_max, MOST_BRANCHES - 1)


def _draft_type(spec: HostSpec) -> str:
    """The draft type to load so that every method can run: one with a model or head before earlier text before none."""
    types = {method.draft_type for method in spec.methods} - {"none"}
    return next(iter(types - {NGRAM}), NGRAM if types else "none")
