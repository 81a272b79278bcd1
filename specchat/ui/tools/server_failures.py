"""Tells that an enabled server failed, whose tools the model isn't offered from then on."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from specchat.domain.errors import UserError
from specchat.domain.printable_text import printable_text
from specchat.ui.session import Session
from specchat.ui.tools.tool_list import ToolList
from specchat.ui.window.notification_controller import NotificationController
from specchat.ui.words.joined_names import join_names
from specchat.ui.words.message_translation import translate_text

if TYPE_CHECKING:
    from specchat.services.tools.tool_service import ToolServer


class ServerFailures(QObject):
    def __init__(
        self, session: Session, tools: ToolList, notifications: NotificationController, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._tools, self._notifications = session, tools, notifications
        self._told: set[str] = set()
        """Names of servers that have failed since they ran."""
        self._shown: dict[str, ToolServer] = {}
        """Those that the last notice is about, by name: servers often fail together, as when a program is missing."""
        self._words = ""
        tools.changed.connect(self._follow)

    def _follow(self, name: str) -> None:
        server = self._find(name)
        if server is None or not server.has_failed:
            self._told.discard(name)
            self._shown.pop(name, None)
        elif name not in self._told:
            self._told.add(name)
            self._tell(server)

    def _find(self, name: str) -> "ToolServer | None":
        try:
            return next((each for each in self._tools.service.servers() if each.config.name == name), None)
        except UserError:
            return None  # the settings tell it

    def _tell(self, server: "ToolServer") -> None:
        if not self._notifications.shows_notice(self._words):
            self._shown.clear()
        self._shown[server.config.name] = server
        self._words = self._describe_shown()
        self._notifications.show_action_notice(
            self._words, self.tr("Settings…"), lambda: self._session.settings_requested.emit("tools")
        )

    def _describe_shown(self) -> str:
        first, *others = self._shown.values()
        if others:
            names = join_names([self.tr("“{name}”").format(name=printable_text(name)) for name in self._shown])
            return self.tr("MCP servers {names} failed.").format(names=names)
        reason = translate_text(first.status.reason) if first.status.reason is not None else ""
        words = self.tr("MCP server “{name}” failed. {reason}")
        return words.format(name=printable_text(first.config.name), reason=reason).strip()
