"""Buttons, separators and labels with a uniform look."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QToolButton,
    QWidget,
)

from specchat.ui.widgets.icons import ICON_SIZE, icon
from specchat.ui.widgets.literal_text import literal_text
from specchat.ui.widgets.text_direction import isolate_direction
from specchat.ui.widgets.theme import GRID, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme
from specchat.ui.widgets.tooltip import tooltip_text

_NARROWEST = 12 * GRID


class IconButton(QToolButton):
    """A button without a border; its words are for the tooltip and the screen reader."""

    def __init__(self, icon_name: str, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon_name = icon_name
        self.setAutoRaise(True)
        self.setIconSize(QSize(ICON_SIZE, ICON_SIZE))
        self.setFixedSize(4 * GRID, 4 * GRID)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.set_label(words)
        follow_theme(self._apply_theme)

    def set_label(self, words: str) -> None:
        self.setToolTip(tooltip_text(words))
        self.setAccessibleName(words)

    def set_icon(self, icon_name: str) -> None:
        self._icon_name = icon_name
        self._apply_theme()

    def _apply_theme(self) -> None:
        theme = current_theme()
        self.setIcon(icon(self._icon_name, theme.text_muted, theme.line))


class TextButton(QPushButton):
    """`primary`: the one thing to do here, filled with the accent colour."""

    def __init__(self, words: str, parent: QWidget | None = None, *, primary: bool = False) -> None:
        super().__init__(words, parent)
        self.setProperty("primary", primary)
        self.setFixedHeight(4 * GRID)
        self.setAutoDefault(primary)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the keyboard; Qt would press the main one of the dialog."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self.click()


class ElidedButton(TextButton):
    """As many of its words as there is room for; the tooltip has them all."""

    def __init__(self, widest: int, parent: QWidget | None = None, *, primary: bool = False) -> None:
        super().__init__("", parent, primary=primary)
        self._widest = widest
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def set_words(self, words: str) -> None:
        self.setText(literal_text(words))
        self.setToolTip(tooltip_text(words))

    def sizeHint(self) -> QSize:
        return super().sizeHint().boundedTo(QSize(scaled_px(self._widest), self.maximumHeight()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint().boundedTo(QSize(scaled_px(_NARROWEST), self.maximumHeight()))

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        super().initStyleOption(option)
        place = self.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, self)
        mode, flag = Qt.TextElideMode.ElideMiddle, Qt.TextFlag.TextShowMnemonic.value
        option.text = self.fontMetrics().elidedText(self.text(), mode, place.width(), flag)


class Separator(QFrame):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("line", True)
        self.setFixedHeight(1)


class ElidedLabel(QLabel):
    """As much of one line as there is room for; the rest is in the tooltip."""

    def __init__(self, parent: QWidget | None = None, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        """`mode`: in the middle of a model's name, both ends of which matter."""
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.fontMetrics().elidedText(self.text(), self._mode, self.width())
        self.setToolTip(tooltip_text(self.text()) if shown != self.text() else "")
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(
            self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, isolate_direction(shown)
        )


def make_action(parent: QWidget, words: str, shortcut: str = "") -> QAction:
    action = QAction(words, parent)
    if shortcut:
        action.setShortcut(shortcut)
    return action
