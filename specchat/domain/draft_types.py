"""Every way of guessing, as `draft_type` names it: adding one takes an entry here, and its factory in `drafters`."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto

from specchat.domain.heads import HeadKind
from specchat.domain.said import Said
from specchat.domain.types import DRAFT, NGRAM

AUTO, NONE, MODEL = "auto", "none", "model"


class Needs(Enum):
    NOTHING = auto()
    MODEL = auto()
    """A second model."""
    STATES = auto()
    """What the target knew: of some layers, or of the last one."""


@dataclass(frozen=True, slots=True)
class DraftType:
    name: str
    origin: str
    """What its tokens carry."""
    label: Said
    noun: Said
    """As part of a sentence."""
    token: Said
    """Of a token that it guessed."""
    needs: Needs = Needs.NOTHING

    @property
    def is_draft(self) -> bool:
        """It has weights to be loaded, of its own or with the target's."""
        return self.needs is not Needs.NOTHING


def _head(kind: HeadKind, label: Said, noun: Said, token: Said) -> DraftType:
    return DraftType(kind.value, kind.value, label, noun, token, Needs.STATES)


_ALL = (
    DraftType(
        MODEL, DRAFT, Said("Draft model"), Said("the draft"), Said("Guessed by the draft, accepted"), Needs.MODEL
    ),
    DraftType(NGRAM, NGRAM, Said("Earlier text"), Said("earlier text"), Said("Guessed from earlier text, accepted")),
    _head(HeadKind.MTP, Said("MTP"), Said("MTP layers"), Said("Guessed by the MTP layers, accepted")),
    _head(HeadKind.EAGLE3, Said("EAGLE-3"), Said("the EAGLE-3 head"), Said("Guessed by the EAGLE-3 head, accepted")),
    _head(HeadKind.DFLASH, Said("DFlash"), Said("the DFlash head"), Said("Guessed by the DFlash head, accepted")),
    _head(HeadKind.DSPARK, Said("DSpark"), Said("the DSpark head"), Said("Guessed by the DSpark head, accepted")),
)
DRAFT_TYPES: Mapping[str, DraftType] = {each.name: each for each in _ALL}
_BY_ORIGIN: Mapping[str, DraftType] = {each.origin: each for each in _ALL}


def type_of_origin(origin: str) -> DraftType | None:
    """None: the target itself, or a drafter of an installed package."""
    return _BY_ORIGIN.get(origin)


def is_draft(origin: str) -> bool:
    found = type_of_origin(origin)
    return found is not None and found.is_draft
