"""The card above the composer that asks for consent to a call, and shows one that runs."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy, QWidget

from specchat.ui.widgets.message_card import MessageCard
from specchat.ui.widgets.theme import BODY_PX, GRID, SMALL_PX, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_MOST_LINES, _FEW_LINES = 6, 2
_LOW = 72 * GRID
"""The height of a window that has room for few of them."""


class CallCard(MessageCard):
    allowed_once = Signal()
    allowed_always = Signal()
    denied = Signal()
    denied_always = Signal()
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("toolCall", parent, text_px=BODY_PX)
        self._is_wanted, self._is_chat_shown = False, True
        self._arguments = QPlainTextEdit(self)
        self._arguments.setObjectName("toolCallArguments")
        self._arguments.setAccessibleName(self.tr("Arguments"))
        self._arguments.setReadOnly(True)
        self._arguments.setTabChangesFocus(True)
        self._arguments.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._words.insertWidget(2, self._arguments)
        self._row.setContentsMargins(0, GRID, 0, 0)
        self._allow = self.add_button("allowCall", self.tr("Allow once"), self.allowed_once.emit)
        self._always = self.add_button("allowToolAlways", self.tr("Always allow"), self.allowed_always.emit)
        self._deny = self.add_button("denyCall", self.tr("Deny"), self.denied.emit)
        self._never = self.add_button("denyToolAlways", self.tr("Turn off tool"), self.denied_always.emit)
        self._cancel = self.add_button("cancelCall", self.tr("Cancel"), self.cancelled.emit)
        follow_theme(self._apply_arguments_theme)

    def ask(self, server: str, tool: str, arguments: str, hint: str, *, can_allow: bool) -> None:
        """`can_allow`: False where there is no such tool any more."""
        self._arguments.setPlainText(arguments)
        self._fit_arguments()
        for button in (self._allow, self._always, self._never):
            button.setVisible(can_allow)
        self._deny.show()
        self._cancel.hide()
        words = self.tr("Allow “{server}” to run {tool}?").format(server=server, tool=tool)
        self._show(words, hint)

    def show_running(self, server: str, tool: str) -> None:
        self._arguments.hide()
        for button in (self._allow, self._always, self._deny, self._never):
            button.hide()
        self._cancel.show()
        words = self.tr("“{server}” is running {tool}…").format(server=server, tool=tool)
        self._show(words, "", is_warning=False)

    def clear(self) -> None:
        self._is_wanted = False
        if self.isVisible():
            self.dismiss()
        self.hide()

    def set_chat_shown(self, shown: bool) -> None:
        """It belongs to the chat, not to the pages in its place."""
        self._is_chat_shown = shown
        self.setVisible(self._is_wanted and shown)

    def _show(self, words: str, hint: str, *, is_warning: bool = True) -> None:
        is_new = not self._is_wanted or self.accessibleName() != words
        self._is_wanted = True
        self.show_message(words, hint, is_warning=is_warning)
        self.setVisible(self._is_chat_shown)
        if is_new:
            self.announce(at_once=True)

    def _fit_arguments(self) -> None:
        text = self._arguments.toPlainText()
        self._arguments.setVisible(bool(text.strip()) and text != "{}")
        line = self._arguments.fontMetrics().lineSpacing()
        most = _FEW_LINES if self.window().height() < scaled_px(_LOW) else _MOST_LINES
        lines = min(most, max(1, self._arguments.document().blockCount()))
        self._arguments.setFixedHeight(line * lines + 2 * GRID)

    def _apply_arguments_theme(self) -> None:
        theme = current_theme()
        self._arguments.setStyleSheet(
            f"QPlainTextEdit {{ background: {theme.window.name()}; color: {theme.text.name()};"
            f" border: 1px solid {theme.line.name()}; border-radius: 4px;"
            f" font-family: monospace; font-size: {scaled_px(SMALL_PX)}px; }}"
        )
        self._fit_arguments()
