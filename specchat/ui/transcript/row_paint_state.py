"""The state that determines how a message is painted, besides its text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from specchat.ui.transcript.labels import TranscriptLabels
from specchat.ui.transcript.text_formats import TextFormats

MessageCaret = tuple[int, int, int]
"""Item of the message, line, offset."""


@dataclass(frozen=True, slots=True)
class MatchRange:
    start: int
    end: int
    current: bool


@dataclass(frozen=True, slots=True)
class CodeBlockRef:
    """A code block: the item it is in, and its number there."""

    index: int
    card: int


@dataclass(frozen=True, slots=True)
class RowPaintState:
    text_formats: TextFormats
    labels: TranscriptLabels
    colouring: bool = False
    ring: bool = False
    """Reached with the keyboard."""
    switcher: bool = True
    """The versions are drawn, not shown by the action bar."""
    foot_room: int = 0
    """Width that the footer leaves free."""
    finds: Sequence[MatchRange] = ()
    found_files: Mapping[int, bool] = field(default_factory=dict)
    """By their numbers, whether what is found there is the current match."""
    selection: tuple[MessageCaret, MessageCaret] | None = None
    hovered_code_block: CodeBlockRef | None = None
    """Under the mouse."""
    copied_code_block: CodeBlockRef | None = None
