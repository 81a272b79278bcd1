"""The commands on a message, the bar and the menu that offer them, and the button that scrolls to the end."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from specchat.domain.conversations import MessageState
from specchat.domain.types import Role
from specchat.ui.documents.document_links import is_document_link
from specchat.ui.documents.document_text import link_label
from specchat.ui.transcript.entries import Entry
from specchat.ui.transcript.footer import SWITCHER_WIDTH, VersionSwitcher
from specchat.ui.widgets.controls import IconButton
from specchat.ui.widgets.literal_text import literal_text
from specchat.ui.widgets.theme import GRID
from specchat.ui.widgets.theme_service import current_theme

_BUTTON = 4 * GRID
_BEFORE_SWITCHER = GRID // 2
_SIZE = 3 * GRID


class ActionKind(Enum):
    """An action; its value is the name of its icon."""

    COPY = "copy"
    EDIT = "edit"
    REGENERATE = "regenerate"
    PREFILL = "prefill"
    CONTINUE = "continue"
    BRANCH = "branch"
    DELETE = "trash"


@dataclass(frozen=True, slots=True)
class SwitchVersion:
    """Shows another version of a message."""

    by: int


@dataclass(frozen=True, slots=True)
class CopySelection:
    pass


@dataclass(frozen=True, slots=True)
class OpenLink:
    address: str


@dataclass(frozen=True, slots=True)
class CopyLink:
    address: str


@dataclass(frozen=True, slots=True)
class CopyCode:
    number: int
    """The number of the code block in the message."""


@dataclass(frozen=True, slots=True)
class ToggleReasoning:
    pass


@dataclass(frozen=True, slots=True)
class OpenPicture:
    number: int


@dataclass(frozen=True, slots=True)
class CopyPicture:
    number: int


@dataclass(frozen=True, slots=True)
class OpenRecording:
    number: int


Command = (
    ActionKind
    | SwitchVersion
    | CopySelection
    | OpenLink
    | CopyLink
    | CopyCode
    | ToggleReasoning
    | OpenPicture
    | CopyPicture
    | OpenRecording
)


def available_actions(entry: Entry, *, is_last: bool) -> Iterator[ActionKind]:
    """Yields the actions that a message offers. The last question can be answered: it has no answer, or lost it."""
    yield ActionKind.COPY
    if entry.state is MessageState.STREAMING or not entry.is_kept:
        return
    if entry.role is Role.TOOL:
        if is_last and not entry.is_waiting:
            yield ActionKind.REGENERATE
        yield ActionKind.DELETE
        return
    if entry.role is Role.ASSISTANT:
        yield ActionKind.EDIT
        yield ActionKind.REGENERATE
        yield ActionKind.PREFILL
        if entry.state is MessageState.STOPPED and is_last:
            yield ActionKind.CONTINUE
    else:
        yield ActionKind.EDIT
        if is_last:
            yield ActionKind.REGENERATE
            yield ActionKind.PREFILL
    yield ActionKind.BRANCH
    yield ActionKind.DELETE


def action_text(act: ActionKind, role: Role, *, is_last: bool) -> str:
    if act is ActionKind.REGENERATE and role is not Role.ASSISTANT:
        return QCoreApplication.translate("MessageActions", "Answer")
    if act is ActionKind.EDIT and role is Role.ASSISTANT:
        return QCoreApplication.translate("MessageActions", "Edit answer")
    if act is ActionKind.DELETE and not is_last:
        return QCoreApplication.translate("MessageActions", "Delete from here on")
    return {
        ActionKind.COPY: QCoreApplication.translate("MessageActions", "Copy message"),
        ActionKind.EDIT: QCoreApplication.translate("MessageActions", "Edit and resend"),
        ActionKind.REGENERATE: QCoreApplication.translate("MessageActions", "Regenerate"),
        ActionKind.PREFILL: QCoreApplication.translate("MessageActions", "Start the answer with…"),
        ActionKind.CONTINUE: QCoreApplication.translate("MessageActions", "Continue"),
        ActionKind.BRANCH: QCoreApplication.translate("MessageActions", "Branch into new chat"),
        ActionKind.DELETE: QCoreApplication.translate("MessageActions", "Delete message"),
    }[act]


_ON_BAR = (ActionKind.COPY, ActionKind.EDIT, ActionKind.REGENERATE, ActionKind.BRANCH, ActionKind.DELETE)
"""The others are in the menu."""
_LEAST_WITH_VERSIONS = 4
"""Copy, edit, regenerate and the menu: beside the switcher, longer figures make room for them."""


class ActionBar(QWidget):
    """The one bar of all messages, which moves to the message that needs it. Where there is little room beside the
    figures, its last button opens the menu instead.
    """

    command_triggered = Signal(int, object)
    menu_requested = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("messageActions")
        self.setAccessibleName(self.tr("Message actions"))
        self.entry: Entry | None = None
        self._is_last = True
        self._n_shown = 0
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._buttons = {act: self._button(act) for act in _ON_BAR}
        self._more = IconButton("more", self.tr("More actions"), self)
        self._more.setObjectName("moreMessageButton")
        self._more.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._more.clicked.connect(self._open_menu)
        for button in (*self._buttons.values(), self._more):
            row.addWidget(button)
        row.addStretch()
        self._switcher = VersionSwitcher(self)
        self._switcher.switch_requested.connect(self._turn)
        row.addWidget(self._switcher)
        self.hide()

    def _button(self, act: ActionKind) -> IconButton:
        button = IconButton(act.value, action_text(act, Role.ASSISTANT, is_last=True), self)
        button.setObjectName(f"{act.name.lower()}MessageButton")
        button.setProperty("act", act.name)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(self._choose)
        return button

    def show_entry(self, entry: Entry, room: int, width: int, *, is_last: bool) -> None:
        """`room`: the width that the figures leave of `width`."""
        wanted = [act for act in available_actions(entry, is_last=is_last) if act in self._buttons]
        switcher = _BEFORE_SWITCHER + SWITCHER_WIDTH if entry.versions > 1 else 0
        least = min(_LEAST_WITH_VERSIONS, (width - switcher) // _BUTTON) if switcher else 1
        n_fitting = max(1, least, (room - switcher) // _BUTTON)
        n_shown = len(wanted) if len(wanted) <= n_fitting else n_fitting - 1
        if (entry, is_last, n_shown) != (self.entry, self._is_last, self._n_shown):
            self.entry, self._is_last, self._n_shown = entry, is_last, n_shown
            for act, button in self._buttons.items():
                button.set_label(action_text(act, entry.role, is_last=is_last))
                button.setVisible(act in wanted[:n_shown])
            self._more.setVisible(n_shown < len(wanted))
            self._switcher.setVisible(entry.versions > 1)
            self._switcher.show_entry(entry)
            self.resize(_BUTTON * (n_shown + (n_shown < len(wanted))) + switcher, _BUTTON)
        self.show()

    def occupied_width(self, entry: Entry) -> int:
        """Returns the width that buttons take of a message's last line, with the gap to the figures."""
        is_here = self.entry is not None and self.entry.id == entry.id
        width = self.width() if is_here else SWITCHER_WIDTH if entry.versions > 1 else 0
        return width + GRID if width else 0

    def clear(self) -> None:
        self.entry = None
        self.hide()

    @property
    def contains_focus(self) -> bool:
        focus = self.window().focusWidget()
        return focus is not None and self.isAncestorOf(focus)

    def tab_stops(self) -> list[QWidget]:
        """Returns the buttons that the Tab key leads to."""
        buttons = [*self._buttons.values(), self._more, *self._switcher.buttons]
        return [button for button in buttons if button.isVisible() and button.isEnabled()]

    def show_copied(self, *, copied: bool) -> None:
        self._buttons[ActionKind.COPY].set_icon("check" if copied else "copy")

    def _choose(self) -> None:
        if self.entry is not None:
            self.command_triggered.emit(self.entry.id, ActionKind[self.sender().property("act")])

    def _open_menu(self) -> None:
        if self.entry is not None:
            self.menu_requested.emit(self.entry.id)

    def _turn(self, by: int) -> None:
        if self.entry is not None:
            self.command_triggered.emit(self.entry.id, SwitchVersion(by))


@dataclass(frozen=True, slots=True)
class MenuTarget:
    """What a menu was opened on, besides the message."""

    selection: bool = False
    link: str = ""
    links: tuple[str, ...] = ()
    """All links of the message."""
    code_blocks: int = 0
    reasoning: bool = False
    picture: int | None = None
    """Its number in the message."""
    pictures: tuple[str, ...] = ()
    """The names of all of them."""
    recordings: tuple[str, ...] = ()
    is_last: bool = True
    """Nothing follows the message."""
    unavailable: Mapping[ActionKind, str] = field(default_factory=dict)
    """With the reasons."""


class MessageMenu(QMenu):
    """The menu with everything that the mouse reaches in a message, so that the keyboard reaches it too."""

    command_triggered = Signal(int, object)

    def __init__(self, entry: Entry, target: MenuTarget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("messageMenu")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._entry = entry
        if target.selection:
            self._add(self, self.tr("Copy selection"), CopySelection())
        if target.link:
            self._add(self, self.tr("Open link"), OpenLink(target.link))
            if not is_document_link(target.link):
                self._add(self, self.tr("Copy link address"), CopyLink(target.link))
        if target.picture is not None:
            self._add(self, self.tr("Open picture"), OpenPicture(target.picture))
            self._add(self, self.tr("Copy picture"), CopyPicture(target.picture))
        if not self.isEmpty():
            self.addSeparator()
        for act in available_actions(entry, is_last=target.is_last):
            words, reason = action_text(act, entry.role, is_last=target.is_last), target.unavailable.get(act)
            action = self._add(self, f"{words}: {reason}" if reason else words, act)
            action.setEnabled(reason is None)
        self._add_versions(entry)
        self._add_contents(target)
        self.triggered.connect(self._choose)

    def _add_versions(self, entry: Entry) -> None:
        if entry.version > 1:
            self._add(self, self.tr("Previous version"), SwitchVersion(-1))
        if entry.version < entry.versions:
            self._add(self, self.tr("Next version"), SwitchVersion(1))

    def _add_contents(self, target: MenuTarget) -> None:
        self.addSeparator()
        if target.reasoning:
            self._add(self, self.tr("Show or hide reasoning"), ToggleReasoning())
        if target.picture is None and len(target.pictures) == 1:
            self._add(self, self.tr("Open picture"), OpenPicture(0))
        elif target.picture is None and target.pictures:
            pictures = self.addMenu(self.tr("Open picture"))
            for number, name in enumerate(target.pictures):
                self._add(pictures, name or self.tr("Picture"), OpenPicture(number))
        for number, name in enumerate(target.recordings):
            self._add(self, self.tr("Play {name}").format(name=name), OpenRecording(number))
        if target.code_blocks == 1:
            self._add(self, self.tr("Copy code"), CopyCode(0))
        elif target.code_blocks:
            codes = self.addMenu(self.tr("Copy code"))
            for number in range(target.code_blocks):
                self._add(codes, self.tr("Code block {n}").format(n=number + 1), CopyCode(number))
        if target.links and not target.link:
            links = self.addMenu(self.tr("Open link"))
            for link in target.links:
                self._add(links, link_label(link), OpenLink(link))

    def _add(self, menu: QMenu, text: str, command: Command) -> QAction:
        action = menu.addAction(literal_text(text))
        action.setData(command)
        return action

    def _choose(self, action: QAction) -> None:
        self.command_triggered.emit(self._entry.id, action.data())


class ScrollToEndButton(IconButton):
    def __init__(self, parent: QWidget) -> None:
        super().__init__("down", "", parent)
        self.set_label(self.tr("Scroll to end"))
        self.setObjectName("scrollDownButton")
        self.setFixedSize(_SIZE, _SIZE)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def _apply_theme(self) -> None:
        theme = current_theme()
        super()._apply_theme()
        border = f"border: 1px solid {theme.line.name()}; border-radius: {_SIZE // 2}px"
        self.setStyleSheet(
            f"QToolButton {{ {border}; background: {theme.surface.name()}; }}"
            f"QToolButton:hover {{ background: {theme.hover.name()}; }}"
            f"QToolButton:focus {{ border-color: {theme.accent.name()}; }}"
        )
