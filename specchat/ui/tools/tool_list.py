"""The tools of the window, with a signal for what changes in the thread of their servers."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.tools import OfferedTool
from specchat.services.tools.tool_service import ToolService

MakeTools = Callable[[Callable[[str], None]], ToolService]
"""With whom to tell of changes: the name of a server, in a thread of its own."""


class ToolList(QObject):
    changed = Signal(str)

    def __init__(self, make_tools: MakeTools, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.service = make_tools(self.changed.emit)

    def offered(self, pair: PairInfo | None) -> tuple[OfferedTool, ...]:
        """None to a model that could not call any."""
        return self.service.offered() if pair is not None and pair.calls_tools else ()

    def close(self) -> None:
        self.changed.disconnect()  # their end is no news to a window that may be gone
        self.service.close()
