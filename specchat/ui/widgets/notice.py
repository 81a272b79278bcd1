"""A temporary notice with an optional action, such as undo."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QEnterEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QWidget

from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import IconButton, TextButton
from specchat.ui.widgets.focus_restorer import FocusRestorer
from specchat.ui.widgets.theme import GRID

_LINGERS_MS = 8000
_BUTTON = GRID * 7 // 2


class Notice(QFrame):
    """What happened, and how to take it back: in the place of its parent, for a moment."""

    def __init__(self, parent: QWidget, lingers_ms: int = _LINGERS_MS, *, name: str = "notice") -> None:
        super().__init__(parent)
        self._over = parent
        self.setObjectName(name)
        self.setAutoFillBackground(True)
        self._text = ""
        self._stays = False
        self._on_action: Callable[[], object] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(lingers_ms)
        self._timer.timeout.connect(self.dismiss)
        self._focus_before = FocusRestorer(self)
        self._words = QLabel(self)
        self._action = TextButton("", self)
        self._close = IconButton("close", self.tr("Close"), self)
        self._arrange(name)
        self._action.clicked.connect(self._act)
        self._close.clicked.connect(self.dismiss)
        for watched in (parent, self._action, self._close):
            watched.installEventFilter(self)
        self.hide()

    def show_notice(
        self,
        text: str,
        action_text: str | None = None,
        on_action: Callable[[], object] | None = None,
        *,
        stays: bool = False,
    ) -> None:
        """`stays`: until it is dismissed."""
        self._stays = stays
        self._text = text
        self._on_action = on_action
        self._action.setText(action_text or "")
        self._action.setVisible(action_text is not None)
        self.setAccessibleName(text)
        self._place()
        self.show()
        self.raise_()
        self._come_next_by_tab()
        self._stay_or_go()
        announce(self, f"{text}. {action_text}" if action_text else text)

    def dismiss(self) -> None:
        if self._has_focus():
            self._focus_before.restore_focus()
        self.hide()

    @property
    def text(self) -> str:
        return self._text

    def _arrange(self, name: str) -> None:
        self._words.setObjectName(f"{name}Text")
        self._words.setProperty("small", True)
        self._words.setTextFormat(Qt.TextFormat.PlainText)
        self._action.setObjectName(f"{name}Action")
        self._close.setObjectName(f"{name}Close")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(self._words)
        layout.addSpacing(GRID)
        layout.addWidget(self._action)
        layout.addWidget(self._close)
        layout.addStretch(1)
        self._action.setFixedHeight(_BUTTON)
        self._close.setFixedSize(_BUTTON, _BUTTON)

    def _act(self) -> None:
        on_action, self._on_action = self._on_action, None
        self.dismiss()
        if on_action is not None:
            on_action()

    def _place(self) -> None:
        self._words.setText(self._text)
        too_wide = self.sizeHint().width() - self._over.width()
        if too_wide > 0:
            width = self._words.sizeHint().width() - too_wide
            self._words.setText(self._words.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, width))
        self.setGeometry(self._over.rect())

    def _come_next_by_tab(self) -> None:
        focused = QApplication.focusWidget()
        if focused is not None and focused.window() is self.window() and not self._has_focus():
            QWidget.setTabOrder(focused, self._action)
            QWidget.setTabOrder(self._action, self._close)

    def _stay_or_go(self) -> None:
        if self._stays or self.underMouse() or self._has_focus():
            self._timer.stop()
        elif self.isVisible():
            self._timer.start()

    def _has_focus(self) -> bool:
        return self._action.hasFocus() or self._close.hasFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QResizeEvent) and watched is self._over and self.isVisible():
            self._place()
        elif event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self._stay_or_go()
        return False

    def enterEvent(self, event: QEnterEvent) -> None:
        self._stay_or_go()

    def leaveEvent(self, event: QEvent) -> None:
        self._stay_or_go()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)
