"""Distinguishes keys that enter text from keys that trigger commands."""

import sys

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

_Modifier = Qt.KeyboardModifier
_OF_A_SIGN = _Modifier.ShiftModifier | _Modifier.KeypadModifier | _Modifier.GroupSwitchModifier
"""Which sign a key writes, not whether it does."""
_ALT_GR = _Modifier.ControlModifier | _Modifier.AltModifier
"""The modifiers of AltGr, as Windows reports it."""
_ALSO_WRITING = (_Modifier.AltModifier,) if sys.platform == "darwin" else (_ALT_GR,)


def is_text_key(event: QKeyEvent) -> bool:
    """A sign that is seen: space presses buttons."""
    text = event.text()
    modifiers = event.modifiers() & ~_OF_A_SIGN
    writes = modifiers in (_Modifier.NoModifier, *_ALSO_WRITING)
    return writes and bool(text.strip()) and text.isprintable()
