"""The drafters, one file each; packages add theirs through the `specchat.drafters` entry point."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points

from specchat.domain.drafter_types import AUTO, EARLY_EXIT, MODEL, NONE
from specchat.domain.errors import BugError, SettingError
from specchat.domain.head_ports import Head, ParallelHeads
from specchat.domain.heads import HeadKind
from specchat.domain.ports import Drafter, LanguageModel
from specchat.domain.types import LOOKAHEAD, NGRAM
from specchat.drafters.block_drafter import BlockDrafter
from specchat.drafters.chain_drafter import ChainDrafter
from specchat.drafters.head_drafter import HeadDrafter
from specchat.drafters.head_probes import BlockProbe, ChainProbe, MedusaProbe
from specchat.drafters.lookahead_drafter import LookaheadDrafter
from specchat.drafters.medusa_drafter import MedusaDrafter
from specchat.drafters.model_drafter import ModelDrafter
from specchat.drafters.plugin_drafter import PluginDrafter
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.drafters.suffix_index import SuffixIndex
from specchat.drafters.token_map import TokenMap
from specchat.drafters.translating_drafter import TranslatingDrafter
from specchat.engine.cost_measurement import DraftProbe

ENTRY_POINT_GROUP = "specchat.drafters"


@dataclass(frozen=True, slots=True)
class DrafterSetup:
    """The inputs for creating a drafter."""

    target: LanguageModel
    tokenize: Callable[[str], list[int]]
    draft: LanguageModel | None = None
    token_map: TokenMap | None = None
    """Translates between the vocabularies, if the draft has a different one."""
    options: Mapping[str, int] = field(default_factory=dict)
    past: SuffixIndex | None = None
    """The index of earlier answers."""
    heads: Mapping[str, HeadDrafter] = field(default_factory=dict)
    """The drafters of the answer's heads, by name. Each knows what its head has read, so there is only one per head."""


DrafterFactory = Callable[[DrafterSetup], Drafter]


def _draft_model(setup: DrafterSetup) -> Drafter:
    if setup.draft is None:
        raise BugError("the drafter model without a draft")
    return ModelDrafter(setup.draft) if setup.token_map is None else TranslatingDrafter(setup.draft, setup.token_map)


def _early_exit(setup: DrafterSetup) -> Drafter:
    if setup.draft is None:
        raise BugError("the drafter early-exit without a draft")
    return ModelDrafter(setup.draft, EARLY_EXIT)


def _suffix(setup: DrafterSetup) -> Drafter:
    return SuffixDrafter(setup.past, **setup.options)


def _head(name: str) -> DrafterFactory:
    def found(setup: DrafterSetup) -> Drafter:
        if name not in setup.heads:
            raise BugError("a head that was not loaded")
        return setup.heads[name]

    return found


BUILT_IN: Mapping[str, DrafterFactory] = {
    MODEL: _draft_model,
    EARLY_EXIT: _early_exit,
    NGRAM: _suffix,
    LOOKAHEAD: lambda _: LookaheadDrafter(),
    **{kind.value: _head(kind.value) for kind in HeadKind},
}


def head_drafter(head: Head | ParallelHeads, columns: slice = slice(None)) -> HeadDrafter:
    """`columns`: the part of the target's states that this head reads."""
    name = head.kind.value
    if isinstance(head, ParallelHeads):
        return MedusaDrafter(name, head, columns)
    if head.kind.guesses_blocks:
        return BlockDrafter(name, head, columns)
    return ChainDrafter(name, head, columns, encodes=head.kind is HeadKind.EAGLE3)


def head_drafters(heads: Sequence[Head | ParallelHeads]) -> Mapping[str, HeadDrafter]:
    """The target keeps the states of all heads' layers side by side, in this order."""
    made, begin = dict[str, HeadDrafter](), 0
    for head in heads:
        end = begin + head.state_width
        made[head.kind.value] = head_drafter(head, slice(begin, end))
        begin = end
    return made


def head_probe(head: Head | ParallelHeads) -> DraftProbe:
    name = head.kind.value
    if isinstance(head, ParallelHeads):
        return MedusaProbe(name, head)
    if head.kind.guesses_blocks:
        return BlockProbe(name, head)
    return ChainProbe(name, head, encodes=head.kind is HeadKind.EAGLE3)


def require_known_drafter(name: str) -> None:
    if name not in BUILT_IN and name not in (found := installed_drafters()):
        known = ", ".join([AUTO, NONE, *BUILT_IN, *sorted(found)])
        raise SettingError("Unknown draft type: {name}.", "Choose one of these: {known}.", name=name, known=known)


def make_drafter(name: str, setup: DrafterSetup) -> Drafter:
    require_known_drafter(name)
    if name in BUILT_IN:
        return BUILT_IN[name](setup)
    return PluginDrafter.load(name, lambda: installed_drafters()[name].load()(setup))


def installed_drafters() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
