"""The tools of the window, with a signal for what changes in the thread of their servers."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from specchat.services.tools.tool_service import ToolService

MakeTools = Callable[[Callable[[str], None]], ToolService]
"""With whom to tell of changes: the name of a server, in a thread of its own."""


class ToolList(QObject):
    changed = Signal(str)

    def __init__(self, make_tools: MakeTools, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.service = make_tools(self.changed.emit)

    def close(self) -> None:
        self.service.close()
