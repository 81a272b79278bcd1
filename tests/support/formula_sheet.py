"""A dialog with many formulas in the transcript, in columns: a contact sheet."""

from PySide6.QtWidgets import QDialog, QHBoxLayout, QWidget
from support.sample_formulas import FORMULAS, MALFORMED

from specchat.domain.types import Role
from specchat.ui.transcript import Entry, EntryDetails, TranscriptView

_COLUMNS = 3
_SIZE = (1800, 1500)


def formula_sheet(parent: QWidget) -> QDialog:
    sheet = QDialog(parent)
    layout = QHBoxLayout(sheet)
    share = -(-len(FORMULAS) // _COLUMNS)
    for first in range(0, len(FORMULAS), share):
        view = TranscriptView(lambda _: EntryDetails(()))
        layout.addWidget(view)
        view.show_entries([Entry(1, Role.ASSISTANT, _text(first, FORMULAS[first : first + share]))])
    sheet.resize(*_SIZE)
    sheet.show()
    for view in sheet.findChildren(TranscriptView):
        view.verticalScrollBar().setValue(0)
    return sheet


def _text(first: int, formulas: tuple[str, ...]) -> str:
    """Shows each in a line of its own, and every other one within words; the last column has what is malformed."""
    parts = [
        f"$$\n{formula}\n$$" + (f"\n\nHere is ${formula}$ in a line." if number % 4 == 0 else "")
        for number, formula in enumerate(formulas)
    ]
    if first + len(formulas) == len(FORMULAS):
        parts += [f"Malformed: ${formula}$" for formula in MALFORMED[:4]]
    return "\n\n".join(parts)
