"""What small dialogs with a form have in common: a column of rows above their buttons, and labels for messages."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from specchat.ui.widgets.theme import GRID, scaled_px


def arrange_form(dialog: QDialog, width: int, rows: Sequence[QWidget], buttons: Sequence[QWidget]) -> None:
    """`width`: the least, in units of the grid."""
    least = scaled_px(width * GRID)
    dialog.setMinimumWidth(least)
    below = QHBoxLayout()
    below.setSpacing(GRID)
    below.addStretch(1)
    for button in buttons:
        below.addWidget(button)
    layout = QVBoxLayout(dialog)
    layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
    layout.setSpacing(GRID)
    layout.addStrut(least - 4 * GRID)  # or Qt leaves room for the lines that words take in a narrower one
    for row in rows:
        layout.addWidget(row)
    layout.addLayout(below)


def message_label(kind: str, object_name: str, parent: QWidget, *, lines: int = 0) -> QLabel:
    """`kind`: danger or warning. `lines`: room for so many, so that the dialog stays as it is when one comes."""
    label = QLabel(parent)
    label.setObjectName(object_name)
    label.setProperty(kind, True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    label.setMinimumHeight(lines * label.fontMetrics().lineSpacing())
    return label
