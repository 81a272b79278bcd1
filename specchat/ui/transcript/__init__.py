"""The transcript: displays the messages of a conversation."""

from specchat.ui.transcript.entries import Entry, EntryDetails
from specchat.ui.transcript.fenced_code import preload as _preload_lexers
from specchat.ui.transcript.finder import MatchCount
from specchat.ui.transcript.legend import ColouringLegend
from specchat.ui.transcript.markdown_parser import parser as _parser
from specchat.ui.transcript.transcript_view import TranscriptView

__all__ = ["ColouringLegend", "Entry", "EntryDetails", "MatchCount", "TranscriptView", "preload"]


def preload() -> None:
    """Loads what the first answer would have to wait for. Any thread may call it, as it touches nothing of Qt."""
    _parser()
    _preload_lexers()
