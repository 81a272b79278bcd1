"""The card above the composer that asks for consent to a call, and shows one that runs."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QWidget

from specchat.ui.tools.arguments_view import ArgumentsView
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.widgets.message_card import MessageCard
from specchat.ui.widgets.theme import BODY_PX, GRID, SMALL_PX, scaled_px
from specchat.ui.widgets.theme_service import current_theme, follow_theme

_REST_MS = 500
"""A click that was meant for what stood there before, as the second of a double click, allows nothing."""


class CallCard(MessageCard):
    allowed_once = Signal()
    allowed_always = Signal()
    denied = Signal()
    denied_always = Signal()
    settings_requested = Signal()
    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("toolCall", parent, text_px=BODY_PX)
        self._is_wanted, self._is_chat_shown = False, True
        self._asked: tuple[str, ...] = ()
        """What it asks, in all that decides."""
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(lambda: self._let_allow(wanted=True))
        self._arguments = ArgumentsView(self)
        self._arguments.setObjectName("toolCallArguments")
        self._arguments.setAccessibleName(self.tr("Arguments"))
        self._more = muted_label("", self)
        self._more.setObjectName("toolCallMore")
        self._words.insertWidget(2, self._arguments)
        self._words.insertWidget(3, self._more)
        self._row.setContentsMargins(0, GRID, 0, 0)
        self._allow = self.add_button("allowCall", self.tr("Allow once"), self.allowed_once.emit)
        self._always = self.add_button("allowToolAlways", self.tr("Always allow"), self.allowed_always.emit)
        self._settings = self.add_button("callSettings", self.tr("Settings…"), self.settings_requested.emit)
        self._deny = self.add_button("denyCall", self.tr("Deny"), self.denied.emit)
        self._never = self.add_button("denyToolAlways", self.tr("Turn off tool"), self.denied_always.emit)
        self._cancel = self.add_button("cancelCall", self.tr("Cancel"), self.cancelled.emit)
        self._arguments.fitted.connect(self._show_more)
        follow_theme(self._apply_arguments_theme)

    @property
    def tab_stops(self) -> tuple[QWidget, ...]:
        buttons = self._allow, self._always, self._settings, self._deny, self._never, self._cancel
        return self._arguments, *buttons

    def ask(self, server: str, tool: str, arguments: str, hint: str, *, can_allow: bool) -> None:
        """`can_allow`: False where there is no such tool any more."""
        words = self.tr("Allow “{server}” to run {tool}?") if can_allow else self.tr("“{server}” can't run {tool}")
        words = words.format(server=server, tool=tool)
        asked = words, hint, arguments
        is_new, self._asked = asked != self._asked, asked
        if is_new:
            self._arguments.setPlainText(arguments)
            self._wait_for_eyes()
        self._show_arguments()
        for button in (self._allow, self._always, self._never):
            button.setVisible(can_allow)
        self._settings.setVisible(not can_allow)
        self._deny.show()
        self._cancel.hide()
        self._show(words, hint, is_new=is_new)

    def show_running(self, server: str, tool: str) -> None:
        self._asked = ()
        if self.isAncestorOf(QApplication.focusWidget() or self):
            self._focus_before.restore_focus()  # what has it now is hidden, and Cancel must not get the next Enter
        self._arguments.hide()
        self._more.hide()
        for button in (self._allow, self._always, self._settings, self._deny, self._never):
            button.hide()
        self._cancel.show()
        words = self.tr("“{server}” is running {tool}…").format(server=server, tool=tool)
        self._show(words, "", is_new=words != self.accessibleName(), is_warning=False)

    def clear(self) -> None:
        self._is_wanted, self._asked = False, ()
        if self.isVisible():
            self.dismiss()
        self.hide()

    def set_chat_shown(self, shown: bool) -> None:
        """It belongs to the chat, not to the pages in its place."""
        self._is_chat_shown = shown
        self.setVisible(self._is_wanted and shown)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._wait_for_eyes()

    def _wait_for_eyes(self) -> None:
        self._let_allow(wanted=False)
        self._rest.start()

    def _let_allow(self, *, wanted: bool) -> None:
        for button in (self._allow, self._always):
            button.setEnabled(wanted)

    def _show(self, words: str, hint: str, *, is_new: bool, is_warning: bool = True) -> None:
        is_new = is_new or not self._is_wanted
        self._is_wanted = True
        self.show_message(words, hint, is_warning=is_warning)
        self.setVisible(self._is_chat_shown)
        if is_new:
            self.announce(at_once=True)

    def _show_arguments(self) -> None:
        text = self._arguments.toPlainText()
        self._arguments.setVisible(bool(text.strip()) and text != "{}")
        self._show_more()

    def _show_more(self) -> None:
        arguments = self._arguments
        self._more.setText(self.tr("Scroll to read all {n} lines.").format(n=arguments.n_lines))
        self._more.setVisible(not arguments.isHidden() and not arguments.shows_all)

    def _apply_arguments_theme(self) -> None:
        theme = current_theme()
        self._arguments.setStyleSheet(
            f"QPlainTextEdit {{ background: {theme.window.name()}; color: {theme.text.name()};"
            f" border: 1px solid {theme.line.name()}; border-radius: 4px;"
            f" font-family: monospace; font-size: {scaled_px(SMALL_PX)}px; }}"
        )
