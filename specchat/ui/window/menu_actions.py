"""Builds the menus and connects their actions to the controllers."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from specchat.domain.types import Role
from specchat.services.answers.reasoning import strip_reasoning
from specchat.services.lazy import Lazy
from specchat.ui.app_controller import AppController
from specchat.ui.chat.trash_dialog import TrashDialog
from specchat.ui.window import shortcuts
from specchat.ui.window.menus import Menu, MenuItem, make_menus
from specchat.ui.window.shortcuts import Shortcut

if TYPE_CHECKING:
    from specchat.ui.window.shortcuts_dialog import ShortcutsDialog


class MenuActions(QObject):
    def __init__(self, controller: AppController) -> None:
        super().__init__(controller)
        self._app = controller
        self._window = controller.window
        self._shortcuts = Lazy(self._make_shortcuts)
        self._trash = TrashDialog(self._window)
        self.actions = make_menus(self._window, self._window.header, self._menus(), self._keys())
        self._connect()

    def _menus(self) -> list[Menu]:
        controller, window, known = self._app, self._window, shortcuts
        return [
            Menu(
                self.tr("Chat"),
                (
                    _menu_item(known.NEW_CHAT, controller.chat_list.new_chat),
                    MenuItem(self.tr("New project"), controller.projects.new_project),
                    MenuItem(self.tr("Prompts…"), controller.prompt_library.open),
                    _menu_item(known.FIND, window.open_search),
                    self._answer_menu(),
                    self._export_menu(),
                    MenuItem(self.tr("Trash…"), self._open_trash),
                ),
            ),
            self._view_menu(),
            Menu(
                "specchat",
                (
                    _menu_item(known.CHOOSE_PAIR, self._choose_pair),
                    _menu_item(known.MODELS, controller.models.open, opens=True),
                    MenuItem(self.tr("Unload models"), controller.pair.unload),
                    _menu_item(known.BENCHMARK, controller.benchmark.open, opens=True),
                    MenuItem(self.tr("Side by side…"), controller.comparison.open),
                    _menu_item(known.SETTINGS, controller.settings.open, opens=True),
                    self._help_menu(),
                    _menu_item(known.QUIT, window.close),
                ),
            ),
        ]

    def _keys(self) -> list[MenuItem]:
        known, controller = shortcuts, self._app
        return [
            _menu_item(known.NEXT_CHAT, partial(self._open_neighbour, 1)),
            _menu_item(known.PREVIOUS_CHAT, partial(self._open_neighbour, -1)),
            _menu_item(known.SEARCH, self._search),
            _menu_item(known.RENAME, self._rename),
            _menu_item(known.UNDO_DELETE, controller.notifications.undo),
            _menu_item(known.EDIT_LAST, self._edit_last),
            _menu_item(known.STOP, controller.handle_escape),
        ]

    def _answer_menu(self) -> Menu:
        return Menu(
            self.tr("Answer"),
            (
                _menu_item(shortcuts.REGENERATE, self._regenerate),
                MenuItem(self.tr("Start the answer with…"), self._start_answer),
                _menu_item(shortcuts.COPY_ANSWER, self._copy_answer),
            ),
        )

    def _export_menu(self) -> Menu:
        files = self._app.chat_files
        return Menu(
            self.tr("Import and export"),
            (
                MenuItem(self.tr("Import chats…"), files.import_file),
                _menu_item(shortcuts.EXPORT, self._export, opens=True),
                MenuItem(self.tr("Export all chats…"), lambda: files.export(None)),
            ),
        )

    def _view_menu(self) -> Menu:
        window, settings = self._window, self._app.settings_model
        return Menu(
            self.tr("View"),
            (
                _menu_item(shortcuts.SIDEBAR, self._toggle_sidebar, is_on=lambda: not window.sidebar.isHidden()),
                _menu_item(shortcuts.OVERLAY, settings.toggle_overlay, is_on=lambda: settings.value.show_overlay),
                _menu_item(shortcuts.COLOURS, settings.toggle_colours, is_on=lambda: settings.value.colour_tokens),
                MenuItem(self.tr("Speculation stats…"), self._app.stats_overlay.show_details),
                _menu_item(shortcuts.LARGER_TEXT, lambda: settings.step_text_size(1)),
                _menu_item(shortcuts.SMALLER_TEXT, lambda: settings.step_text_size(-1)),
                _menu_item(shortcuts.RESET_TEXT_SIZE, settings.reset_text_size),
            ),
            is_submenu=True,
        )

    def _help_menu(self) -> Menu:
        return Menu(
            self.tr("Help"),
            (
                MenuItem(self.tr("specchat help"), self._app.help.open, shortcuts.HELP),
                _menu_item(shortcuts.SHORTCUTS, lambda: self._shortcuts().show(), opens=True),
                MenuItem(self.tr("About specchat"), self._app.about.open),
            ),
        )

    def _connect(self) -> None:
        window = self._window
        window.header.sidebar.clicked.connect(self._toggle_sidebar)
        window.sidebar.collapse_requested.connect(self._toggle_sidebar)
        window.sidebar.models_requested.connect(self._app.models.open)
        window.sidebar.benchmark_requested.connect(self._app.benchmark.open)
        window.sidebar.settings_requested.connect(self._app.settings.open)
        window.header.colours.clicked.connect(self._app.settings_model.toggle_colours)
        window.header.overlay.clicked.connect(self._app.settings_model.toggle_overlay)
        window.overlay.hidden.connect(self._app.settings_model.toggle_overlay)
        self._trash.restore_requested.connect(self._app.trash.restore)
        self._trash.delete_requested.connect(self._app.trash.delete_permanently)
        self._trash.empty_requested.connect(self._app.trash.empty_trash)
        self._app.chat_list.refreshed.connect(self._update_trash)

    def _make_shortcuts(self) -> "ShortcutsDialog":
        from specchat.ui.window.shortcuts_dialog import ShortcutsDialog

        return ShortcutsDialog(self._window)

    def _open_neighbour(self, step: int) -> None:
        """Of a page with tabs these keys turn the tabs."""
        if not self._window.turn_tab(step):
            self._app.chat_list.open_neighbour(step)

    def _choose_pair(self) -> None:
        self._window.show_chat()
        self._app.pair.picker.open()

    def _regenerate(self) -> None:
        self._window.show_chat()
        self._app.generation.regenerate_last()

    def _start_answer(self) -> None:
        self._window.show_chat()
        self._window.composer.open_prefill()

    def _edit_last(self) -> None:
        self._window.show_chat()
        self._app.edits.edit_last_message()

    def _toggle_sidebar(self) -> None:
        self._window.show_sidebar(self._window.sidebar.isHidden())

    def _search(self) -> None:
        self._window.show_sidebar(True)
        self._window.sidebar.focus_search()

    def _rename(self) -> None:
        self._window.show_sidebar(True)
        self._window.sidebar.rename()

    def _copy_answer(self) -> None:
        """What says nothing, as it only calls tools, is none."""
        answers = [each for each in self._app.session.path if each.role is Role.ASSISTANT]
        running = self._app.answers.of_message(answers[-1].id) if answers else None
        texts = [running.streamed.text if running else "", *(each.text for each in reversed(answers))]
        if text := next(filter(None, map(strip_reasoning, texts)), ""):
            QGuiApplication.clipboard().setText(text)

    def _export(self) -> None:
        conversation = self._app.session.conversation
        if conversation is not None:
            self._app.chat_files.export([conversation.id])

    def _open_trash(self) -> None:
        self._trash.show()
        self._update_trash()
        self._trash.raise_()
        self._trash.activateWindow()

    def _update_trash(self) -> None:
        if self._trash.isVisible():
            with self._app.chat.reporting_errors():
                self._trash.show_trash(self._app.trash.contents())


def _menu_item(
    shortcut: Shortcut, do: Callable[[], object], *, opens: bool = False, is_on: Callable[[], bool] | None = None
) -> MenuItem:
    """`opens`: a window of its own."""
    return MenuItem(shortcuts.translate_shortcut(shortcut.text) + ("…" if opens else ""), do, shortcut, is_on)
