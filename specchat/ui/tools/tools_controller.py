"""Carries out what users want of servers on the settings page for tools."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer
from PySide6.QtWidgets import QWidget

from specchat.domain.errors import UserError
from specchat.domain.printable_text import printable_text
from specchat.domain.tool_servers import ToolServerConfig
from specchat.services.tools.tool_service import ToolServer
from specchat.ui.desktop_services import open_folder
from specchat.ui.session import Session
from specchat.ui.tools.server_card import ServerCard
from specchat.ui.tools.server_dialog import ServerDialog
from specchat.ui.tools.tool_list import ToolList
from specchat.ui.tools.tools_page import ToolsPage
from specchat.ui.widgets.confirmation_dialog import ConfirmationDialog
from specchat.ui.window.notification_controller import NotificationController
from specchat.ui.words.message_translation import translate_text

_SOON_MS = 100


class ToolsController(QObject):
    def __init__(
        self, tools: ToolList, session: Session, notifications: NotificationController, page: ToolsPage
    ) -> None:
        super().__init__(page)
        self._tools, self._session, self._notifications, self._page = tools, session, notifications, page
        self._soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._soon.timeout.connect(self._show)
        self._reload_soon = QTimer(self, singleShot=True, interval=_SOON_MS)
        self._reload_soon.timeout.connect(self._reload)
        self._watcher = QFileSystemWatcher(self)
        self._file_state: object = None
        """When the page was last brought up to date."""
        self._watcher.fileChanged.connect(self._follow_file)
        self._watcher.directoryChanged.connect(self._follow_folder)
        for changed in (tools.changed, tools.room_changed, session.pair_changed):
            changed.connect(self._soon.start)
        page.shown.connect(self._reload)
        page.add.clicked.connect(lambda: self._edit(None))
        page.open_file.clicked.connect(lambda: self._do(self._open_file))

    def _reload(self) -> None:
        """Somebody may have edited the file."""
        self._watch()
        self._file_state = self._tools.service.file.state()
        self._do(self._tools.service.refresh, shows_errors=False)

    def _follow_file(self) -> None:
        """Once it is whole, and not each time while a program writes it again and again."""
        if not self._reload_soon.isActive():
            self._reload_soon.start()

    def _follow_folder(self) -> None:
        """It contains other files, too."""
        if self._tools.service.file.state() != self._file_state:
            self._follow_file()

    def _watch(self) -> None:
        """Its folder as well: a file that isn't there, or is replaced, can't be watched."""
        path = self._tools.service.file.path
        watched = {*self._watcher.files(), *self._watcher.directories()}
        for each in (path, path.parent):
            if str(each) not in watched and each.exists():
                self._watcher.addPath(str(each))

    def _show(self) -> None:
        problem, cards = "", list[ServerCard]()
        focused = self._focused()
        try:
            cards = [self._card(server) for server in self._tools.service.servers()]
        except UserError as error:
            problem = f"{translate_text(error.message)} {translate_text(error.hint)}"
        pair = self._session.pair
        is_able = pair is None or self._tools.can_call(pair)
        note = "" if is_able else self.tr("The loaded model can't call tools.")
        self._page.show_servers(cards, problem, note)
        for card in cards:
            if focused is not None and card.name == focused[0]:
                same = (each for each in card.findChildren(QWidget, focused[1]) if each.accessibleName() == focused[2])
                next(same, card.switch).setFocus()

    def _focused(self) -> tuple[str, str, str] | None:
        """The server and the part of its card that has the focus, or will have it when a dialog closes."""
        focused = self._page.window().focusWidget()
        card = next((each for each in self._page.cards if focused is not None and each.isAncestorOf(focused)), None)
        if card is None or focused is None:
            return None
        return card.name, focused.objectName(), focused.accessibleName()

    def _card(self, server: ToolServer) -> ServerCard:
        service, config = self._tools.service, server.config
        left_out = self._tools.left_out(self._session.pair)
        names = tuple(tool.name for tool in server.status.tools if tool in left_out)
        card = ServerCard(server, service.consents, names, self._page, can_grow=self._session.can_grow)
        card.enabled.connect(lambda wanted: self._switch(config, wanted=wanted))
        card.restart_requested.connect(lambda: self._do(partial(service.restart, config.name)))
        card.edit_requested.connect(lambda: self._edit(config))
        card.remove_requested.connect(lambda: self._ask_to_remove(config))
        card.tool_switched.connect(lambda tool, on: self._do(lambda: service.consents.set_off(tool, off=not on)))
        card.always_switched.connect(
            lambda tool, on: self._do(lambda: service.consents.set_always_allowed(tool, allowed=on))
        )
        return card

    def _switch(self, config: ToolServerConfig, *, wanted: bool) -> None:
        if not wanted:
            self._do(lambda: self._tools.service.disable(config.name))
            return
        self._soon.start()  # off until the user has seen what would be started
        name = printable_text(config.name)
        asked = self.tr("Connect to this server?") if config.url else self.tr("Start this program?")
        shown = "\n".join(map(printable_text, (config.description, *config.shown_settings)))
        warning = self.tr("It runs with your rights each time specchat starts. Enable it only if you trust it.")
        if config.url:
            warning = self.tr("The model's calls are sent to it. Enable it only if you trust it.")
        dialog = ConfirmationDialog(
            f"{name}: {asked}", f"{shown}\n\n{warning}", self.tr("Enable"), self._page, destructive=True
        )
        dialog.confirmed.connect(lambda: self._do(lambda: self._tools.service.enable(config)))
        dialog.open()

    def _ask_to_remove(self, config: ToolServerConfig) -> None:
        words = self.tr("Remove “{name}” from mcp.json?").format(name=printable_text(config.name))
        dialog = ConfirmationDialog(words, "", self.tr("Remove"), self._page, destructive=True)
        dialog.confirmed.connect(lambda: self._do(lambda: self._tools.service.remove(config.name)))
        dialog.open()

    def _edit(self, config: ToolServerConfig | None) -> None:
        dialog = ServerDialog(config, self._page)
        dialog.finished.connect(dialog.deleteLater)
        dialog.entered.connect(lambda entered: self._save(dialog, entered, config.name if config else ""))
        dialog.open()

    def _save(self, dialog: ServerDialog, entered: ToolServerConfig, replaced: str) -> None:
        try:
            self._tools.service.save(entered, replaced)
        except UserError as error:
            dialog.show_problem(error)
            return
        dialog.accept()
        self._reload()

    def _open_file(self) -> None:
        path = self._tools.service.file.ensure_exists()
        self._watch()
        if not open_folder(path):
            raise UserError(
                self.tr("No program opens JSON files."), self.tr("Edit {path} in a text editor."), path=path
            )

    def _do(self, change: Callable[[], object], *, shows_errors: bool = True) -> None:
        try:
            change()
        except UserError as error:
            if shows_errors:
                self._notifications.show_error(error)
        self._show()
