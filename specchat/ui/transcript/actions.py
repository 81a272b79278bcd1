"""The commands of a message as icon buttons under it and as a menu."""

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from specchat.domain.types import Role
from specchat.ui.transcript.commands import (
    Act,
    Command,
    CopyCode,
    CopyLink,
    CopySelection,
    OpenLink,
    ToggleReasoning,
    Turn,
    possible,
)
from specchat.ui.transcript.switcher import SWITCHER_WIDTH, Switcher
from specchat.ui.transcript.values import Entry
from specchat.ui.widgets.controls import IconButton
from specchat.ui.widgets.theme import GRID, Theme

_BUTTON = 4 * GRID
_BEFORE_SWITCHER = GRID // 2


def words(act: Act, role: Role, *, is_last: bool) -> str:
    if act is Act.REGENERATE and role is Role.USER:
        return QCoreApplication.translate("MessageActions", "Answer")
    if act is Act.DELETE and not is_last:
        return QCoreApplication.translate("MessageActions", "Delete this and what follows")
    return {
        Act.COPY: QCoreApplication.translate("MessageActions", "Copy message"),
        Act.EDIT: QCoreApplication.translate("MessageActions", "Edit and send again"),
        Act.REGENERATE: QCoreApplication.translate("MessageActions", "Answer again"),
        Act.CONTINUE: QCoreApplication.translate("MessageActions", "Continue the answer"),
        Act.BRANCH: QCoreApplication.translate("MessageActions", "Branch into a new conversation"),
        Act.DELETE: QCoreApplication.translate("MessageActions", "Delete message"),
    }[act]


class ActionBar(QWidget):
    """One for all messages: it moves to where it is needed."""

    commanded = Signal(int, object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("messageActions")
        self.setAccessibleName(self.tr("Message actions"))
        self.entry: Entry | None = None
        self._is_last = True
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._buttons = {act: self._button(act, theme) for act in Act}
        for button in self._buttons.values():
            row.addWidget(button)
        row.addStretch()
        self._switcher = Switcher(theme, self)
        self._switcher.turned.connect(self._turn)
        row.addWidget(self._switcher)
        self.hide()

    def _button(self, act: Act, theme: Theme) -> IconButton:
        button = IconButton(act.value, words(act, Role.ASSISTANT, is_last=True), theme, self)
        button.setObjectName(f"{act.name.lower()}MessageButton")
        button.setProperty("act", act.name)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(self._choose)
        return button

    def show_entry(self, entry: Entry, *, is_last: bool) -> None:
        if entry != self.entry or is_last != self._is_last:
            self.entry, self._is_last = entry, is_last
            wanted = set(possible(entry, is_last=is_last))
            for act, button in self._buttons.items():
                button.say(words(act, entry.role, is_last=is_last))
                button.setVisible(act in wanted)
            self._switcher.setVisible(entry.versions > 1)
            self._switcher.show_entry(entry)
            switcher = _BEFORE_SWITCHER + SWITCHER_WIDTH if entry.versions > 1 else 0
            self.resize(_BUTTON * len(wanted) + switcher, _BUTTON)
        self.show()

    def taken_width(self, entry: Entry) -> int:
        """Of the message's last line: by these, or by its versions alone, and what keeps them from the figures."""
        is_here = self.entry is not None and self.entry.id == entry.id
        width = self.width() if is_here else SWITCHER_WIDTH if entry.versions > 1 else 0
        return width + GRID if width else 0

    def clear(self) -> None:
        self.entry = None
        self.hide()

    @property
    def focused(self) -> bool:
        focus = self.window().focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def stops(self) -> list[QWidget]:
        """What the Tab key leads to."""
        buttons = [*self._buttons.values(), *self._switcher.buttons]
        return [button for button in buttons if button.isVisible() and button.isEnabled()]

    def set_theme(self, theme: Theme) -> None:
        for button in self._buttons.values():
            button.set_theme(theme)
        self._switcher.set_theme(theme)

    def show_copied(self, theme: Theme, *, copied: bool) -> None:
        self._buttons[Act.COPY].set_icon("check" if copied else "copy", theme)

    def _choose(self) -> None:
        if self.entry is not None:
            self.commanded.emit(self.entry.id, Act[self.sender().property("act")])

    def _turn(self, by: int) -> None:
        if self.entry is not None:
            self.commanded.emit(self.entry.id, Turn(by))


@dataclass(frozen=True, slots=True)
class Target:
    """What a menu was opened on, besides the message."""

    selection: bool = False
    link: str = ""
    links: tuple[str, ...] = ()
    """All of the message."""
    code_blocks: int = 0
    reasoning: bool = False
    is_last: bool = True
    """Nothing follows the message."""


class MessageMenu(QMenu):
    """Everything that the mouse reaches in a message, for the keyboard too."""

    commanded = Signal(int, object)

    def __init__(self, entry: Entry, target: Target, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("messageMenu")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._entry = entry
        if target.selection:
            self._add(self, self.tr("Copy selection"), CopySelection())
        if target.link:
            self._add(self, self.tr("Open link"), OpenLink(target.link))
            self._add(self, self.tr("Copy link address"), CopyLink(target.link))
        if not self.isEmpty():
            self.addSeparator()
        for act in possible(entry, is_last=target.is_last):
            self._add(self, words(act, entry.role, is_last=target.is_last), act)
        self._add_versions(entry)
        self._add_contents(target)
        self.triggered.connect(self._choose)

    def _add_versions(self, entry: Entry) -> None:
        if entry.version > 1:
            self._add(self, self.tr("Previous version"), Turn(-1))
        if entry.version < entry.versions:
            self._add(self, self.tr("Next version"), Turn(1))

    def _add_contents(self, target: Target) -> None:
        self.addSeparator()
        if target.reasoning:
            self._add(self, self.tr("Show or hide the reasoning"), ToggleReasoning())
        if target.code_blocks == 1:
            self._add(self, self.tr("Copy code"), CopyCode(0))
        elif target.code_blocks:
            codes = self.addMenu(self.tr("Copy code"))
            for number in range(target.code_blocks):
                self._add(codes, self.tr("Code block {n}").format(n=number + 1), CopyCode(number))
        if target.links and not target.link:
            links = self.addMenu(self.tr("Open link"))
            for link in target.links:
                self._add(links, link, OpenLink(link))

    def _add(self, menu: QMenu, text: str, command: Command) -> None:
        action = menu.addAction(text.replace("&", "&&"))
        action.setData(command)

    def _choose(self, action: QAction) -> None:
        self.commanded.emit(self._entry.id, action.data())
