"""The order in which Tab visits widgets."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def chain_tab_order(first: QWidget, widgets: Iterable[QWidget]) -> QWidget:
    """Makes Tab go from `first` through the widgets, as Qt would visit those made later last. Returns the last stop."""
    before = first
    for part in (part for widget in widgets for part in (widget, *widget.findChildren(QWidget))):
        if part is not before and part.focusPolicy() & Qt.FocusPolicy.TabFocus:
            QWidget.setTabOrder(before, part)
            before = part
    return before
