"""How a message looks at the moment, besides its text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from specchat.ui.transcript.ink import Ink
from specchat.ui.transcript.words import Words

Caret = tuple[int, int, int]
"""Item of the message, line, offset."""


@dataclass(frozen=True, slots=True)
class Find:
    start: int
    end: int
    current: bool


@dataclass(frozen=True, slots=True)
class CardSpot:
    """A code block: the item it is in, and its number there."""

    index: int
    card: int


@dataclass(frozen=True, slots=True)
class Look:
    ink: Ink
    words: Words
    colouring: bool = False
    ring: bool = False
    """Reached with the keyboard."""
    switcher: bool = True
    """The versions are drawn, not shown by the action bar."""
    foot_room: int = 0
    """Width that the footer leaves free."""
    finds: Sequence[Find] = ()
    found_files: Mapping[int, bool] = field(default_factory=dict)
    """By their numbers, whether what is found there is the current match."""
    selection: tuple[Caret, Caret] | None = None
    hot: CardSpot | None = None
    """Under the mouse."""
    copied: CardSpot | None = None
