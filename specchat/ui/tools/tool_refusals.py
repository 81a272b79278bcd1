"""Tells that an engine takes no tools, and offers it none from then on."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from specchat.domain.engine import ToolsRefused
from specchat.ui.session import Session
from specchat.ui.threads.inference import Inference, InferenceEvent
from specchat.ui.tools.tool_list import ToolList
from specchat.ui.window.notification_controller import NotificationController


class ToolRefusals(QObject):
    def __init__(
        self,
        session: Session,
        tools: ToolList,
        inference: Inference,
        notifications: NotificationController,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._tools, self._notifications = session, tools, notifications
        inference.events_arrived.connect(self._follow)

    def _follow(self, events: Sequence[InferenceEvent]) -> None:
        for event in events:
            if isinstance(event, ToolsRefused):
                self._tools.set_refused_by(self._session.pair)
                self._notifications.queue_error(event.error)
