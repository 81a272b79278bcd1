"""What the menus and keys do at the desk."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from specchat.domain.types import Role
from specchat.services.answers.reasoning import without_reasoning
from specchat.services.once import Once
from specchat.ui import shortcuts
from specchat.ui.chat.entries import last_of
from specchat.ui.desk import Desk
from specchat.ui.menus import Deed, Menu, make_menus
from specchat.ui.shortcuts import Shortcut
from specchat.ui.trash_dialog import TrashDialog
from specchat.ui.widgets.theme import Theme

if TYPE_CHECKING:
    from specchat.ui.shortcuts_dialog import ShortcutsDialog


class Deeds(QObject):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._desk = desk
        self._window = desk.window
        self._shortcuts = Once(self._make_shortcuts)
        self._trash = TrashDialog(self._window)
        self.actions = make_menus(self._window, self._window.header, self._menus())
        self._connect()

    def _menus(self) -> list[Menu]:
        desk, window, known = self._desk, self._window, shortcuts
        return [
            Menu(
                self.tr("Chat"),
                (
                    _deed(known.NEW_CHAT, desk.new_chat),
                    _deed(known.FIND, window.find_bar.open_bar),
                    _deed(known.REGENERATE, desk.asking.regenerate_last),
                    _deed(known.COPY_ANSWER, self._copy_answer),
                    _deed(known.EXPORT, self._export, opens=True),
                    Deed(self.tr("Export all chats…"), lambda: desk.files.export(None)),
                    Deed(self.tr("Import chats…"), desk.files.import_file),
                    Deed(self.tr("Trash…"), self._open_trash),
                ),
            ),
            Menu(
                self.tr("View"),
                (
                    _deed(known.SIDEBAR, self._toggle_sidebar, is_on=lambda: not window.sidebar.isHidden()),
                    _deed(known.OVERLAY, desk.preferences.toggle_overlay, is_on=lambda: not window.overlay.isHidden()),
                    _deed(
                        known.COLOURS,
                        desk.preferences.toggle_colours,
                        is_on=lambda: desk.preferences.settings.colour_tokens,
                    ),
                    Deed(self.tr("What guessing did…"), desk.live.show_details),
                    _deed(known.LARGER, lambda: desk.preferences.step_text_size(1)),
                    _deed(known.SMALLER, lambda: desk.preferences.step_text_size(-1)),
                    _deed(known.USUAL_SIZE, desk.preferences.usual_text_size),
                ),
            ),
            Menu(
                "specchat",
                (
                    _deed(known.PAIR, desk.pair.open_picker),
                    _deed(known.MODELS, desk.models.open, opens=True),
                    Deed(self.tr("Unload models"), desk.pair.unload),
                    _deed(known.BENCHMARK, desk.benchmark.open, opens=True),
                    _deed(known.SETTINGS, desk.open_settings, opens=True),
                    _deed(known.SHORTCUTS, lambda: self._shortcuts().show(), opens=True),
                    Deed(self.tr("About specchat"), desk.about.open),
                    _deed(known.QUIT, window.close),
                ),
            ),
            Menu(
                self.tr("Keys"),
                (
                    _deed(known.NEXT_CHAT, lambda: desk.list.open_neighbour(1)),
                    _deed(known.PREVIOUS_CHAT, lambda: desk.list.open_neighbour(-1)),
                    _deed(known.SEARCH, self._search),
                    _deed(known.RENAME, self._rename),
                    _deed(known.UNDO_DELETE, desk.notices.undo),
                    _deed(known.EDIT_LAST, desk.asking.edit_last),
                    _deed(known.STOP, desk.stop),
                ),
                in_menu=False,
            ),
        ]

    def _connect(self) -> None:
        window = self._window
        window.header.sidebar.clicked.connect(self._toggle_sidebar)
        window.sidebar.collapseRequested.connect(self._toggle_sidebar)
        window.sidebar.settingsRequested.connect(self._desk.open_settings)
        window.header.colours.clicked.connect(self._desk.preferences.toggle_colours)
        window.header.overlay.clicked.connect(self._desk.preferences.toggle_overlay)
        window.overlay.hidden.connect(self._desk.preferences.toggle_overlay)
        self._trash.restored.connect(self._desk.trash.restore)
        self._trash.deleted.connect(self._desk.trash.delete_for_good)
        self._trash.emptied.connect(self._desk.trash.empty)
        self._desk.list.refreshed.connect(self._update_trash)
        self._desk.look.changed.connect(self._set_theme)

    def _make_shortcuts(self) -> "ShortcutsDialog":
        from specchat.ui.shortcuts_dialog import ShortcutsDialog

        return ShortcutsDialog(self._desk.look.theme, self._window)

    def _set_theme(self, theme: Theme) -> None:
        if dialog := self._shortcuts.made:
            dialog.set_theme(theme)

    def _toggle_sidebar(self) -> None:
        self._window.show_sidebar(self._window.sidebar.isHidden())

    def _search(self) -> None:
        self._window.show_sidebar(True)
        self._window.sidebar.focus_search()

    def _rename(self) -> None:
        self._window.show_sidebar(True)
        self._window.sidebar.rename()

    def _copy_answer(self) -> None:
        answer = last_of(self._desk.chat.path, Role.ASSISTANT)
        if answer is not None:
            running = self._desk.answers.of_message(answer.id)
            QGuiApplication.clipboard().setText(without_reasoning(running.growing.text if running else answer.text))

    def _export(self) -> None:
        conversation = self._desk.chat.conversation
        if conversation is not None:
            self._desk.files.export(conversation.id)

    def _open_trash(self) -> None:
        self._trash.show()
        self._update_trash()
        self._trash.raise_()
        self._trash.activateWindow()

    def _update_trash(self) -> None:
        if self._trash.isVisible():
            with self._desk.chat.telling():
                self._trash.show_trash(self._desk.trash.contents())


def _deed(
    shortcut: Shortcut, do: Callable[[], object], *, opens: bool = False, is_on: Callable[[], bool] | None = None
) -> Deed:
    """`opens`: a window of its own."""
    return Deed(shortcuts.translated(shortcut.words) + ("…" if opens else ""), do, shortcut, is_on)
