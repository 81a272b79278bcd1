"""Ways of guessing: one file each, listed here and in `domain.draft_types`. Installed packages add theirs through
`specchat.drafters`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points

from specchat.domain.draft_types import AUTO, MODEL, NONE
from specchat.domain.errors import BugError, SettingError
from specchat.domain.heads import HeadKind
from specchat.domain.ports import Drafter, Head, LanguageModel
from specchat.domain.types import NGRAM
from specchat.drafters.block import Block
from specchat.drafters.chain import Chain
from specchat.drafters.checked import Checked
from specchat.drafters.draft_model import DraftModel
from specchat.drafters.head_drafter import HeadDrafter
from specchat.drafters.head_passes import BlockPasses, ChainPasses
from specchat.drafters.suffix import Suffix
from specchat.drafters.suffix_index import SuffixIndex
from specchat.engine.first_costs import DraftPasses

ENTRY_POINT_GROUP = "specchat.drafters"


@dataclass(frozen=True, slots=True)
class DrafterSetup:
    """What a drafter is made from."""

    target: LanguageModel
    tokenize: Callable[[str], list[int]]
    draft: LanguageModel | None = None
    options: Mapping[str, int] = field(default_factory=dict)
    past: SuffixIndex | None = None
    """Earlier answers."""
    heads: Mapping[str, HeadDrafter] = field(default_factory=dict)
    """By name, those that are loaded: each knows what its head has read, so there is only one of it."""


DrafterFactory = Callable[[DrafterSetup], Drafter]


def _draft_model(setup: DrafterSetup) -> Drafter:
    if setup.draft is None:
        raise BugError("the drafter model without a draft")
    return DraftModel(setup.draft)


def _suffix(setup: DrafterSetup) -> Drafter:
    return Suffix(setup.past, **setup.options)


def _head(name: str) -> DrafterFactory:
    def found(setup: DrafterSetup) -> Drafter:
        if name not in setup.heads:
            raise BugError("a head that was not loaded")
        return setup.heads[name]

    return found


BUILT_IN: Mapping[str, DrafterFactory] = {
    MODEL: _draft_model,
    NGRAM: _suffix,
    **{kind.value: _head(kind.value) for kind in HeadKind},
}


def head_drafter(head: Head, columns: slice = slice(None)) -> HeadDrafter:
    """`columns`: of the target's states."""
    name = head.kind.value
    if head.kind.guesses_blocks:
        return Block(name, head, columns)
    return Chain(name, head, columns, encodes=head.kind is HeadKind.EAGLE3)


def head_drafters(heads: Sequence[Head]) -> Mapping[str, HeadDrafter]:
    """Their target watches the layers of all of them, in this order."""
    made, begin = dict[str, HeadDrafter](), 0
    for head in heads:
        end = begin + head.state_width
        made[head.kind.value] = head_drafter(head, slice(begin, end))
        begin = end
    return made


def head_passes(head: Head) -> DraftPasses:
    name = head.kind.value
    if head.kind.guesses_blocks:
        return BlockPasses(name, head)
    return ChainPasses(name, head, encodes=head.kind is HeadKind.EAGLE3)


def require_known(name: str) -> None:
    if name not in BUILT_IN and name not in (found := installed()):
        known = ", ".join([AUTO, NONE, *BUILT_IN, *sorted(found)])
        raise SettingError("There is no draft type {name}.", "Choose one of: {known}.", name=name, known=known)


def make_drafter(name: str, setup: DrafterSetup) -> Drafter:
    require_known(name)
    if name in BUILT_IN:
        return BUILT_IN[name](setup)
    return Checked.load(name, lambda: installed()[name].load()(setup))


def installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
