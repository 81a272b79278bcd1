"""Tells that an enabled server failed, whose tools the model isn't offered from then on."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from specchat.domain.errors import UserError
from specchat.domain.printable_text import printable_text
from specchat.ui.session import Session
from specchat.ui.tools.tool_list import ToolList
from specchat.ui.window.notification_controller import NotificationController
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
        tools.changed.connect(self._follow)

    def _follow(self, name: str) -> None:
        server = self._find(name)
        if server is None or not server.has_failed:
            self._told.discard(name)
        elif name not in self._told:
            self._told.add(name)
            self._tell(server)

    def _find(self, name: str) -> "ToolServer | None":
        try:
            return next((each for each in self._tools.service.servers() if each.config.name == name), None)
        except UserError:
            return None  # the settings tell it

    def _tell(self, server: "ToolServer") -> None:
        reason = translate_text(server.status.reason) if server.status.reason is not None else ""
        words = self.tr("MCP server “{name}” failed. {reason}")
        self._notifications.show_action_notice(
            words.format(name=printable_text(server.config.name), reason=reason).strip(),
            self.tr("Settings…"),
            lambda: self._session.settings_requested.emit("tools"),
        )
