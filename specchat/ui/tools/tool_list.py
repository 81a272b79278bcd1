"""The tools of the window, with a signal for what changes in the thread of their servers."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.answer_tasks import PairInfo
from specchat.services.lazy import Lazy

if TYPE_CHECKING:
    from specchat.domain.tool_servers import OfferedTool, ServerTool
    from specchat.services.tools.tool_service import ToolService

MakeTools = Callable[[Callable[[str], None]], "ToolService"]
"""With whom to tell of changes: the name of a server, in a thread of its own."""


class ToolList(QObject):
    changed = Signal(str)
    room_changed = Signal()
    """More or fewer of them have room in the context."""
    _server_changed = Signal(str)

    def __init__(self, make_tools: MakeTools, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._service = Lazy(lambda: make_tools(self._server_changed.emit))
        self._server_changed.connect(self._report)
        self._refused_by: PairInfo | None = None
        self._n_left_out = 0
        self._is_closed = False

    @property
    def service(self) -> "ToolService":
        return self._service()

    def offered(self, pair: PairInfo | None) -> "tuple[OfferedTool, ...]":
        """None to a model that could not call any."""
        return self.service.offered() if self.can_call(pair) else ()

    def left_out(self, pair: PairInfo | None) -> "frozenset[ServerTool]":
        """Those for which the context of the open chat has no room, or that are too many."""
        if not self.can_call(pair):
            return frozenset()
        offered = [each.tool for each in self.service.offered()]
        without_room = offered[max(0, len(offered) - self._n_left_out) :]
        return frozenset((*without_room, *self.service.beyond_limit()))

    def set_n_left_out(self, n: int) -> None:
        """The last ones."""
        if n != self._n_left_out:
            self._n_left_out = n
            self.room_changed.emit()

    def can_call(self, pair: PairInfo | None) -> bool:
        return pair is not None and pair.calls_tools and pair is not self._refused_by

    def set_refused_by(self, pair: PairInfo | None) -> None:
        """Its engine takes none, as it has shown by now."""
        self._refused_by = pair
        self._report("")

    def close(self) -> None:
        self._is_closed = True
        if service := self._service.created_value:
            service.close()

    def _report(self, server: str) -> None:
        """Not to a window that may be gone: what another thread has sent arrives after the end, too."""
        if not self._is_closed:
            self.changed.emit(server)
