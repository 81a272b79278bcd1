"""Carries out the calls that answers end with: asks for consent, runs them, and lets the model go on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from specchat.domain.answer_tasks import AnswerEnded
from specchat.domain.conversations import StoredMessage
from specchat.domain.errors import UserError
from specchat.domain.printable_text import printable_text
from specchat.domain.tools import CalledTool, CallState
from specchat.domain.types import Role, ToolCall
from specchat.services.chat.message_service import MessageService
from specchat.services.lazy import Lazy
from specchat.ui.chat.answer_task_builder import AnswerTaskBuilder
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.chat.generation_controller import GenerationController
from specchat.ui.chat.running_answers import RunningAnswers
from specchat.ui.session import Session
from specchat.ui.tools.call_text import readable_arguments
from specchat.ui.tools.tool_list import ToolList

if TYPE_CHECKING:
    from specchat.domain.tool_servers import OfferedTool, RunningCall, ServerTool, ToolResult
    from specchat.ui.tools.call_card import CallCard

_MOST_AT_ONCE = 16
"""Calls of one answer."""
_MOST_UNASKED = 20
"""Calls after a question that ran because their tools are always allowed: then the user is asked."""
_MOST_UNKNOWN = 5
"""Calls after a question whose tools don't exist: then the model has been told often enough."""
_LONGEST_HINT = 300
_NO_TOOL = "There is no such tool."
_CANCELLED = "The user canceled this call while it ran. It may have had an effect."


@dataclass(frozen=True, slots=True)
class _Running:
    conversation: int
    called: CalledTool
    call: "RunningCall"


class CallController(QObject):
    _result_arrived = Signal(int, object)

    def __init__(
        self,
        session: Session,
        tools: ToolList,
        messages: MessageService,
        answers: RunningAnswers,
        chat: ChatController,
        tasks: AnswerTaskBuilder,
        generation: GenerationController,
        make_card: Callable[[], "CallCard"],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._tools, self._messages = session, tools, messages
        self._chat, self._tasks, self._generation = chat, tasks, generation
        self._make_card = make_card
        self._card = Lazy(self._connect_card)
        self._running: dict[int, _Running] = {}
        """By message."""
        self._live: set[int] = set()
        """Calls that the model wrote just now: only these may run without a question."""
        self._unanswered: dict[int, int] = {}
        """By conversation: the last result, which came while no model was loaded."""
        self._asked: tuple[int, ServerTool] | None = None
        """The call that the card asks about, and the tool as it was described then."""
        self._result_arrived.connect(self._finish, Qt.ConnectionType.QueuedConnection)  # it may arrive at once
        answers.ended.connect(self._take_calls)
        answers.stopped.connect(self._cancel)
        session.pair_changed.connect(self._answer_late)
        session.path_changed.connect(self._update_card)
        tools.changed.connect(self._update_card)

    def _connect_card(self) -> "CallCard":
        card = self._make_card()
        card.allowed_once.connect(self._allow)
        card.allowed_always.connect(self._allow_always)
        card.denied.connect(self._deny)
        card.denied_always.connect(self._deny_always)
        card.settings_requested.connect(self._open_settings)
        card.cancelled.connect(self._cancel_shown)
        return card

    def close(self) -> None:
        """What runs waits for consent again when the chat is opened the next time."""
        self._running.clear()

    def _open_settings(self) -> None:
        self._session.settings_requested.emit("tools")

    def _cancel_shown(self) -> None:
        if self._session.conversation is not None:
            self._cancel(self._session.conversation.id)

    def _cancel(self, conversation: int) -> None:
        self._unanswered.pop(conversation, None)
        for message, running in list(self._running.items()):
            if running.conversation == conversation:
                self._live.discard(message)
                running.call.cancel()

    def _take_calls(self, message: int, ended: AnswerEnded) -> None:
        offered = self._tasks.take_offer(message)
        if not ended.calls:
            return
        with self._chat.reporting_errors():
            called = [_called(call, offered) for call in ended.calls[:_MOST_AT_ONCE]]
            added = self._messages.add_calls(message, called)
            for stored, call in zip(added, called, strict=True):
                if call.server:
                    self._live.add(stored.id)
                else:
                    self._messages.save_result(stored.id, CallState.FAILED, _NO_TOOL)
            if self._session.is_open(added[0].conversation):
                self._chat.reload_path()
            self._proceed(added[-1].id)

    def _proceed(self, last: int) -> None:
        """With the first call that waits, of those that end with `last`; without one the model goes on."""
        path = self._messages.path_to(last)
        waiting = next((each for each in path if _waits(each)), None)
        if waiting is None and self._session.pair is None:
            self._unanswered[path[-1].conversation] = last
        elif waiting is None and sum(not each.server for each in _calls_since_question(path)) >= _MOST_UNKNOWN:
            error = UserError(
                self.tr("The model keeps calling tools that are not available."),
                self.tr("Check in the settings whether their server runs and they are turned on."),
            )
            self._generation.give_up(path[-1].conversation, error, self._open_settings, self.tr("Settings…"))
        elif waiting is None:
            self._generation.answer_calls(path[-1])
        elif waiting.id not in self._running:
            self._decide(waiting, path)

    def _answer_late(self) -> None:
        if self._session.pair is None:
            return
        while self._unanswered:
            _, last = self._unanswered.popitem()
            with self._chat.reporting_errors():
                (*_, stored) = self._messages.path_to(last)
                if self._group(stored):
                    self._generation.answer_calls(stored)

    def _decide(self, waiting: StoredMessage, path: list[StoredMessage]) -> None:
        from specchat.services.tools.tool_service import Decision

        assert waiting.called is not None
        tool = self._tools.service.find(waiting.called.server, waiting.called.tool)
        decision = self._tools.service.decide(tool)
        if tool is None and waiting.id in self._live:
            self._settle(waiting.id, CallState.FAILED, _NO_TOOL)
        elif tool is not None and decision is Decision.DENY:
            self._settle(waiting.id, CallState.DENIED)
        elif tool is not None and decision is Decision.ALLOW and self._may_run_unasked(waiting, path):
            self._run(waiting, tool, consent=False)
        else:
            self._update_card()

    def _may_run_unasked(self, waiting: StoredMessage, path: list[StoredMessage]) -> bool:
        n_calls = sum(each.state is not CallState.WAITING for each in _calls_since_question(path))
        return waiting.id in self._live and n_calls < _MOST_UNASKED

    def _run(self, waiting: StoredMessage, tool: "ServerTool", *, consent: bool) -> None:
        assert waiting.called is not None

        def done(result: "ToolResult") -> None:
            self._result_arrived.emit(waiting.id, result)

        try:
            call = self._tools.service.call(tool, waiting.called.call.arguments, done, consent=consent)
        except UserError as error:
            self._settle(waiting.id, CallState.FAILED, str(error.message))
            return
        self._live.add(waiting.id)
        self._running[waiting.id] = _Running(waiting.conversation, waiting.called, call)
        self._chat.set_calling(waiting.conversation, calling=True)
        self._chat.list_changed.emit()
        self._update_card()

    def _finish(self, message: int, result: "ToolResult") -> None:
        running = self._running.pop(message, None)
        if running is None:
            return
        self._chat.set_calling(running.conversation, calling=False)
        with self._chat.reporting_errors():
            text = _CANCELLED if result.state is CallState.CANCELLED else self._fitted(message, result.text)
            self._settle(message, result.state, text)

    def _fitted(self, message: int, result: str) -> str:
        from specchat.services.tools.result_fitting import fit_result

        *above, _ = self._messages.path_to(message)
        return fit_result(result, above, self._session.n_ctx)

    def _settle(self, message: int, state: CallState, result: str = "") -> None:
        """Stores how a call ended, and goes on unless the user stopped it."""
        stored = self._messages.save_result(message, state, result)
        is_live = message in self._live
        self._live.discard(message)
        if self._session.is_open(stored.conversation):
            self._chat.reload_path()
        group = self._group(stored)
        if group and is_live and state is not CallState.CANCELLED:
            self._proceed(group[-1].id)
        self._chat.list_changed.emit()
        self._update_card()

    def _group(self, stored: StoredMessage) -> list[StoredMessage]:
        """The calls of its answer, if the chat still ends with them."""
        path = self._messages.shown_path(stored.conversation, with_pictures=False)
        group = [each for each in path if each.id >= stored.id]
        is_end = bool(group) and group[0].id == stored.id and all(each.called is not None for each in group)
        return group if is_end else []

    # What the card asks

    def _update_card(self, _: object = None) -> None:
        self._asked = None
        path = self._session.path
        waiting = next((each for each in path if _waits(each)), None)
        if waiting is None or waiting.called is None or path[-1].called is None:
            if card := self._card.created_value:
                card.clear()
            return
        called = waiting.called
        names = printable_text(called.server), printable_text(called.tool)
        if waiting.id in self._running:
            self._card().show_running(*names)
            return
        tool = self._tools.service.find(called.server, called.tool)
        hint = self.tr("This tool is not available: its server is off, or doesn't have it any more.")
        if tool is not None:
            self._asked = waiting.id, tool
            hint = " ".join(tool.description.split())[:_LONGEST_HINT]
        arguments = readable_arguments(called.call.arguments)
        self._card().ask(*names, arguments, printable_text(hint), can_allow=tool is not None)

    def _allow(self) -> None:
        with self._chat.reporting_errors():
            if self._asked is not None:
                message, tool = self._asked
                self._run(self._messages.path_to(message)[-1], tool, consent=True)

    def _allow_always(self) -> None:
        with self._chat.reporting_errors():
            if self._asked is not None:
                self._tools.service.consents.set_always_allowed(self._asked[1], allowed=True)
                self._allow()

    def _deny(self) -> None:
        with self._chat.reporting_errors():
            waiting = next((each for each in self._session.path if _waits(each)), None)
            if waiting is not None:
                self._live.add(waiting.id)
                self._settle(waiting.id, CallState.DENIED)

    def _deny_always(self) -> None:
        with self._chat.reporting_errors():
            if self._asked is not None:
                self._tools.service.consents.set_off(self._asked[1], off=True)
                self._deny()


def _called(call: ToolCall, offered: "tuple[OfferedTool, ...]") -> CalledTool:
    tool = next((each.tool for each in offered if each.name == call.name), None)
    return CalledTool(call, tool.server, tool.name) if tool is not None else CalledTool(call, "", call.name)


def _calls_since_question(path: Sequence[StoredMessage]) -> list[CalledTool]:
    asked = max((at for at, each in enumerate(path) if each.role is Role.USER), default=-1)
    return [each.called for each in path[asked + 1 :] if each.called is not None]


def _waits(message: StoredMessage) -> bool:
    return message.called is not None and message.called.state is CallState.WAITING
