"""Registry of the draft types; a new one needs an entry here and a factory in `drafters`."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from specchat.domain.heads import HeadKind
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import DRAFT, GRAMMAR, LOOKAHEAD, NGRAM

AUTO, NONE, MODEL, EARLY_EXIT = "auto", "none", "model", "early-exit"


class DraftRequirement(Enum):
    NOTHING = auto()
    MODEL = auto()
    """A second model."""
    STATES = auto()
    """What the target knew: of some layers, or of the last one."""


@dataclass(frozen=True, slots=True)
class DrafterType:
    name: str
    origin: str
    """What its tokens carry."""
    label: TranslatableText
    noun: TranslatableText
    """As part of a sentence."""
    token: TranslatableText
    """Of a token that it guessed."""
    needs: DraftRequirement = DraftRequirement.NOTHING

    @property
    def is_draft(self) -> bool:
        """It has weights to be loaded, of its own or with the target's."""
        return self.needs is not DraftRequirement.NOTHING


def _head(kind: HeadKind, label: TranslatableText, noun: TranslatableText, token: TranslatableText) -> DrafterType:
    return DrafterType(kind.value, kind.value, label, noun, token, DraftRequirement.STATES)


_ALL = (
    DrafterType(
        MODEL,
        DRAFT,
        TranslatableText("Draft model"),
        TranslatableText("the draft"),
        TranslatableText("Guessed by the draft, accepted"),
        DraftRequirement.MODEL,
    ),
    DrafterType(
        EARLY_EXIT,
        EARLY_EXIT,
        TranslatableText("Early exit"),
        TranslatableText("the target's first layers"),
        TranslatableText("Guessed by the target's first layers, accepted"),
        DraftRequirement.MODEL,
    ),
    DrafterType(
        NGRAM,
        NGRAM,
        TranslatableText("Earlier text"),
        TranslatableText("earlier text"),
        TranslatableText("Guessed from earlier text, accepted"),
    ),
    DrafterType(
        GRAMMAR,
        GRAMMAR,
        TranslatableText("Grammar"),
        TranslatableText("the answer's grammar"),
        TranslatableText("Guessed from the answer's grammar, accepted"),
    ),
    DrafterType(
        LOOKAHEAD,
        LOOKAHEAD,
        TranslatableText("Lookahead"),
        TranslatableText("lookahead"),
        TranslatableText("Guessed by lookahead, accepted"),
    ),
    _head(
        HeadKind.MTP,
        TranslatableText("MTP"),
        TranslatableText("MTP layers"),
        TranslatableText("Guessed by the MTP layers, accepted"),
    ),
    _head(
        HeadKind.EAGLE3,
        TranslatableText("EAGLE-3"),
        TranslatableText("the EAGLE-3 head"),
        TranslatableText("Guessed by the EAGLE-3 head, accepted"),
    ),
    _head(
        HeadKind.DFLASH,
        TranslatableText("DFlash"),
        TranslatableText("the DFlash head"),
        TranslatableText("Guessed by the DFlash head, accepted"),
    ),
    _head(
        HeadKind.DSPARK,
        TranslatableText("DSpark"),
        TranslatableText("the DSpark head"),
        TranslatableText("Guessed by the DSpark head, accepted"),
    ),
    _head(
        HeadKind.MEDUSA,
        TranslatableText("Medusa"),
        TranslatableText("the Medusa heads"),
        TranslatableText("Guessed by the Medusa heads, accepted"),
    ),
)
DRAFTER_TYPES: Mapping[str, DrafterType] = {each.name: each for each in _ALL}
_BY_ORIGIN: Mapping[str, DrafterType] = {each.origin: each for each in _ALL}


def draft_type_of_origin(origin: str) -> DrafterType | None:
    """None: the target itself, or a drafter of an installed package."""
    return _BY_ORIGIN.get(origin)


def is_draft_origin(origin: str) -> bool:
    found = draft_type_of_origin(origin)
    return found is not None and found.is_draft
