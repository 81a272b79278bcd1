"""The messages of a conversation, on the screen."""

from specchat.ui.transcript.finder import Tally
from specchat.ui.transcript.highlight import preload as _preload_lexers
from specchat.ui.transcript.legend import ColouringLegend
from specchat.ui.transcript.markdown import parser as _parser
from specchat.ui.transcript.values import Entry, EntryDetails
from specchat.ui.transcript.view import TranscriptView

__all__ = ["ColouringLegend", "Entry", "EntryDetails", "Tally", "TranscriptView", "preload"]


def preload() -> None:
    """What the first answer would have to wait for. Any thread may call it: nothing of Qt is touched."""
    _parser()
    _preload_lexers()
