"""Form fields with a uniform look."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QPen, QValidator, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QSpinBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionComboBox,
    QVBoxLayout,
    QWidget,
)

from specchat.ui.widgets.icons import draw_icon
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.tooltip import tooltip_text

FIELD_HEIGHT = 4 * GRID
_ARROW = _BOX = 2 * GRID
_SHORTEST = 8
"""Characters: a long item must not widen the form."""
_Validated = tuple[QValidator.State, str, int]
_WHOLE = re.compile(r"\d{1,9}")
_FRACTION = re.compile(r"\d{1,9}(\.\d{0,2})?")
_NO_BUTTONS = "QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { width: 0; border: none; }"
"""Hides the buttons; if QAbstractSpinBox hides them itself, the style sheet leaves no room for the number."""


class ChoiceBox(QComboBox):
    """The style sheet leaves no arrow, so it is drawn here. Rolling the wheel over it scrolls the page instead."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_closing = False
        self.setFixedHeight(FIELD_HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_SHORTEST)
        self.setItemDelegate(QStyledItemDelegate(self))  # the default one knows nothing of style sheets
        follow_theme(self._apply_theme)

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setStyleSheet(
            f"QComboBox QAbstractItemView {{ background: {theme.surface.name()}; border: 1px solid {theme.line.name()};"
            f" padding: {GRID // 2}px; outline: none; }}"
            f"QComboBox QAbstractItemView::item {{ min-height: {3.5 * GRID:.0f}px; padding: 0 {GRID // 2}px; }}"
            f"QComboBox QAbstractItemView::item:selected {{ background: {theme.selected.name()};"
            f" color: {theme.text.name()}; border-radius: {GRID // 2}px; }}"
        )

    def set_items(self, items: Sequence[tuple[str, object]], chosen: object) -> None:
        """Words and what they stand for, without a signal."""
        blocked = self.blockSignals(True)
        self.clear()
        for words, value in items:
            self.addItem(words, value)
        self.setCurrentIndex(next((i for i, (_, value) in enumerate(items) if value == chosen), -1))
        self.blockSignals(blocked)

    def hidePopup(self) -> None:
        super().hidePopup()
        self._is_closing = True
        QTimer.singleShot(0, self._closed)

    def _closed(self) -> None:
        self._is_closing = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The Enter that chose from the list comes here as well, and must not go on to whatever else it means."""
        if not (self._is_closing and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)):
            super().keyPressEvent(event)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Styled by a sheet Qt cuts long words without a sign of it."""
        super().initStyleOption(option)
        place = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        mode = Qt.TextElideMode.ElideMiddle
        option.currentText = self.fontMetrics().elidedText(self.currentText(), mode, place.width())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        colour = current_theme().text_muted if self.isEnabled() else current_theme().line
        place = QRectF(0, (self.height() - _ARROW) / 2, _ARROW, _ARROW)
        place.moveRight(self.width() - GRID)
        painter = QPainter(self)
        draw_icon(painter, "chevron-down", colour, place)
        painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class CheckBox(QCheckBox):
    """A box that can be seen in both themes."""

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(words, parent)
        self.setShortcut(QKeySequence())  # Qt takes it from an ampersand, which may belong to a name

    def sizeHint(self) -> QSize:
        words = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(_BOX + GRID + words + 2, max(3 * GRID, self.fontMetrics().height()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, place: QPoint) -> bool:
        return self.rect().contains(place)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, enabled = current_theme(), self.isEnabled()
        box = QRectF(1.5, (self.height() - _BOX) / 2 + 0.5, _BOX - 1, _BOX - 1)
        edge = theme.accent if self.hasFocus() or self.isChecked() else theme.rejected
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(edge if enabled else theme.line, 2 if self.hasFocus() else 1.25))
        painter.setBrush(theme.accent if self.isChecked() and enabled else theme.surface)
        painter.drawRoundedRect(box, 4, 4)
        if self.isChecked():
            draw_icon(painter, "check", theme.on_accent if enabled else theme.rejected, box)
        painter.setPen(theme.text if enabled else theme.rejected)
        place = self.rect().adjusted(_BOX + GRID, 0, 0, 0)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()


class IntegerField(QSpinBox):
    """What is typed beyond the range becomes the nearest number as soon as the field is left."""

    def __init__(self, lowest: int, highest: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(lowest, highest)
        _as_a_field(self)

    def validate(self, text: str, at: int) -> _Validated:
        return _unless_a_number(super().validate(text, at), _written(self, text), _WHOLE)

    def fixup(self, text: str) -> str:
        number = _typed(_written(self, text))
        if not _WHOLE.fullmatch(number):
            return text
        nearest = max(self.minimum(), min(int(number), self.maximum()))
        return self.prefix() + self.textFromValue(nearest) + self.suffix()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class DecimalField(QDoubleSpinBox):
    """With a comma or a point, whatever the language; beyond the range as a whole number."""

    def __init__(self, lowest: float, highest: float, step: float, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(lowest, highest)
        self.setSingleStep(step)
        self.setDecimals(2)
        _as_a_field(self)

    def validate(self, text: str, at: int) -> _Validated:
        text = text.replace(",", ".").replace(".", self.locale().decimalPoint())
        return _unless_a_number(super().validate(text, at), _written(self, text), _FRACTION)

    def fixup(self, text: str) -> str:
        number = _typed(_written(self, text))
        if not _FRACTION.fullmatch(number):
            return text
        return self.textFromValue(max(self.minimum(), min(float(number), self.maximum())))

    def focusNextPrevChild(self, forward: bool) -> bool:
        self.interpretText()  # the next field may be enabled by the number that was typed
        return super().focusNextPrevChild(forward)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


def _written(box: QSpinBox | QDoubleSpinBox, text: str) -> str:
    """Without what stands around it, and between its thousands."""
    written = text.removeprefix(box.prefix()).removesuffix(box.suffix())
    return written.replace(box.locale().groupSeparator(), "") if box.isGroupSeparatorShown() else written


def _typed(written: str) -> str:
    """With a point."""
    return written.strip().replace(",", ".")


def _unless_a_number(validated: _Validated, written: str, number: re.Pattern[str]) -> _Validated:
    """One beyond the range may be typed too: refused key by key, it would seem not to be noticed."""
    state, text, at = validated
    if written.isspace():  # it would take the place of the number
        return QValidator.State.Invalid, text, at
    if state is QValidator.State.Invalid and number.fullmatch(_typed(written)):
        state = QValidator.State.Intermediate
    return state, text, at


def _as_a_field(box: QAbstractSpinBox) -> None:
    box.setFixedHeight(FIELD_HEIGHT)
    box.setMinimumWidth(_SHORTEST * GRID)
    box.lineEdit().setTextMargins(GRID - 2, 0, GRID - 2, 0)
    box.setStyleSheet(_NO_BUTTONS)
    box.setKeyboardTracking(False)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


def describe_field(field: QWidget, object_name: str, words: str, explanation: str = "") -> None:
    field.setObjectName(object_name)
    field.setAccessibleName(words)
    field.setAccessibleDescription(explanation)
    field.setToolTip(tooltip_text(explanation))


def muted_label(words: str, parent: QWidget | None = None) -> QLabel:
    label = QLabel(words, parent)
    label.setProperty("muted", True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label


def heading_label(words: str, parent: QWidget | None = None) -> QLabel:
    label = QLabel(words, parent)
    label.setProperty("small", True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    font = label.font()
    font.setBold(True)
    label.setFont(font)
    return label


def labelled_field(words: str, field: QWidget | QLayout, parent: QWidget) -> QWidget:
    column = QWidget(parent)
    layout = QVBoxLayout(column)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(GRID // 2)
    label = muted_label(words, column)
    layout.addWidget(label)
    if isinstance(field, QLayout):
        layout.addLayout(field)
    else:
        label.setBuddy(field)
        layout.addWidget(field)
    return column


def explained_field(field: QWidget, width: int, parent: QWidget) -> QWidget:
    """Its name and, in small, its description at the left; the field, `width` wide, at the right."""
    row = QWidget(parent)
    name, explanation = QLabel(field.accessibleName(), row), muted_label(field.accessibleDescription(), row)
    name.setTextFormat(Qt.TextFormat.PlainText)
    name.setBuddy(field)
    explanation.setObjectName(_explanation_name(field))
    words = QVBoxLayout()
    words.setSpacing(0)
    words.addWidget(name)
    words.addWidget(explanation)
    field.setFixedWidth(width)
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(2 * GRID)
    layout.addLayout(words, 1)
    layout.addWidget(field)
    return row


def explain_field(field: QWidget, explanation: str) -> None:
    """In place of what was said of it."""
    describe_field(field, field.objectName(), field.accessibleName(), explanation)
    row = field.parentWidget()
    label = row.findChild(QLabel, _explanation_name(field)) if row is not None else None
    if label is not None:
        label.setText(explanation)


def _explanation_name(field: QWidget) -> str:
    return f"{field.objectName()}Explanation"


def set_primary(button: QPushButton, *, primary: bool) -> None:
    """The style sheet looks at properties once only, unless told to look again."""
    if button.property("primary") != primary:
        button.setProperty("primary", primary)
        button.style().unpolish(button)
        button.style().polish(button)
