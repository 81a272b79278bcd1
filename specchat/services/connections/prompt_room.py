"""Decides what fits in an engine's context, from the engine's token counts or from estimates."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from specchat.domain.answer_tasks import ContextCount, CountTask
from specchat.domain.engine import ChatTask
from specchat.domain.errors import ContextFullError, NotReadyError, RemoteEngineError
from specchat.domain.recordings import estimate_media_tokens
from specchat.domain.types import Message, Role, Tool
from specchat.services.chat.prompt_fitting import BegunAnswer, merge_same_role, message_too_long_error
from specchat.services.chat.request_builder import prompt_limit
from specchat.services.chat.tool_fitting import FittedTools, fit_tools

_USUAL_CHARACTERS = 4.0
"""The assumed characters per token until an answer shows the real ratio."""
_PER_MESSAGE = 5
"""Tokens that templates usually add."""
_TOLD_BY = 200
"""Characters of a prompt, at least, for its token count to tell how long tokens are."""
_SPARE = 8
"""Tokens that an engine may add to a prompt."""
_SHORT = "Hello"
_KEPT_COUNTS = 10_000


@dataclass(frozen=True, slots=True)
class FittedMessages:
    messages: tuple[Message, ...]
    n_tokens: int
    n_left_out: int


CountText = Callable[[str], int | None]
"""None where the engine does not count."""
CountPrompt = Callable[[Sequence[Message]], int | None]


class PromptRoom:
    def __init__(self, n_ctx: int, count: CountText, count_prompt: CountPrompt = lambda _: None) -> None:
        """`count_prompt`: with what the template adds; one request for a whole conversation."""
        self.n_ctx = n_ctx
        """0: the engine does not report it."""
        self._count = lru_cache(_KEPT_COUNTS)(count)
        self._count_prompt = count_prompt
        self._characters = _USUAL_CHARACTERS
        self._per_message = _PER_MESSAGE
        self._is_counted = True

    def note_prompt(self, messages: Sequence[Message], n_tokens: int) -> None:
        """Notes the reported size of a prompt."""
        if any(message.media for message in messages):
            return
        size = sum(len(message.content) for message in messages)
        if n_tokens > _PER_MESSAGE * len(messages) and size >= _TOLD_BY:
            self._characters = size / (n_tokens - _PER_MESSAGE * len(messages))

    def note_template(self) -> None:
        """Notes what the chat template adds to a message."""
        n_whole = self._whole([Message(Role.USER, _SHORT)])
        if n_whole is not None:
            self._per_message = max(0, n_whole - self._tokens(_SHORT))

    def left_after(self, prompt: str | Sequence[object]) -> int | None:
        """Tokens for the text that goes on after it; None: nobody knows."""
        if not self.n_ctx:
            return None
        n_prompt = self._tokens(prompt) if isinstance(prompt, str) else len(prompt)
        spare = _SPARE if self._is_counted else n_prompt
        return max(1, self.n_ctx - n_prompt - spare)

    def fit_tools(self, tools: Sequence[Tool]) -> FittedTools:
        """All of them where nobody knows how many there is room for."""
        if not self.n_ctx or not tools:
            return FittedTools(tuple(tools))
        whole = self._tokens("\n".join(map(_json, tools)))  # one request in place of many
        fitted = fit_tools([{}], lambda _: whole, self.n_ctx)
        if not fitted.n_left_out:
            return FittedTools(tuple(tools), whole)
        return fit_tools(tools, lambda tool: self._tokens(_json(tool)), self.n_ctx)

    def fit_task(self, task: ChatTask, n_tools: int = 0) -> tuple[FittedMessages, bool]:
        """The whole conversation if it fits; else the condensed one, if there is one. `n_tools`: tokens of tools."""
        try:
            whole = self.fit(task.messages, task.max_tokens, task.begun, n_tools)
        except ContextFullError:
            if not task.condensed:
                raise
        else:
            is_too_long = whole.n_left_out > 0 or whole.n_tokens > self.n_ctx
            if not (is_too_long and task.condensed):
                return whole, False
        return self.fit(task.condensed, task.max_tokens, task.begun, n_tools), True

    def fit(
        self, messages: Sequence[Message], max_tokens: int | None, begun: str = "", n_tools: int = 0
    ) -> FittedMessages:
        """Without the oldest turns where there are too many; a question without an answer joins the next one."""
        if not self.n_ctx:
            return FittedMessages(tuple(merge_same_role(messages)), 0, 0)
        n_begun = self._tokens(begun) if begun else 0
        limit = prompt_limit(self.n_ctx, max_tokens) - n_begun - n_tools
        whole = tuple(merge_same_role(messages))
        n_whole = self._whole(whole)
        if n_whole is not None and n_whole <= limit:
            return FittedMessages(whole, n_whole + n_tools, 0)
        system = [m for m in messages if m.role is Role.SYSTEM]
        rest = [m for m in messages if m.role is not Role.SYSTEM]
        n_system = sum(map(self._size, system))
        n_rest, begin = self._newest_turns(rest, limit - n_system)
        has_media = any(message.media for message in messages)
        if n_system + n_rest > limit and self._is_counted and not has_media:
            if not begun:
                raise message_too_long_error(n_system + n_rest, limit)
            BegunAnswer(n_begun, self.n_ctx).require_room(n_system + n_rest + n_tools)
        return FittedMessages((*system, *merge_same_role(rest[begin:])), n_system + n_rest + n_tools, begin)

    def context(self, task: CountTask) -> ContextCount:
        whole = self._context(task)
        if task.condensed is None or whole.fits:
            return whole
        return self._context(task.condensed)

    def _context(self, task: CountTask) -> ContextCount:
        if not self.n_ctx:
            raise NotReadyError(
                "This engine doesn't report the size of its context.",
                "Look up the context size in the engine's settings.",
            )
        limit = prompt_limit(self.n_ctx, task.max_tokens)
        attachments, question = (*task.pictures, *map(self._tokens, task.attachments)), self._tokens(task.question)
        asked = sum(attachments) + question
        tools = self.fit_tools(task.tools)
        system = sum(self._size(m) for m in task.messages if m.role is Role.SYSTEM) + tools.n_tokens
        rest = [m for m in task.messages if m.role is not Role.SYSTEM]
        room = limit - system - asked - (self._per_message if asked else 0)
        conversation, begin = self._newest_turns(rest, room)
        return ContextCount(
            *(system, conversation, attachments, question, self.n_ctx, limit, begin),
            is_estimate=not self._is_counted,
            searched=task.searched,
            n_tools_left_out=tools.n_left_out,
        )

    def _newest_turns(self, messages: Sequence[Message], room: int) -> tuple[int, int]:
        """How many tokens those have that there is room for, and which is the first; the last turn stays."""
        total, begin = sum(map(self._size, messages)), 0
        while total > room and (following := _next_turn(messages, begin)) is not None:
            total -= sum(map(self._size, messages[begin:following]))
            begin = following
        return total, begin

    def _whole(self, messages: Sequence[Message]) -> int | None:
        try:
            counted = self._count_prompt([replace(message, pictures=(), recordings=()) for message in messages])
        except RemoteEngineError:  # it may answer nevertheless
            return None
        return None if counted is None else counted + sum(map(_media_tokens, messages))

    def _size(self, message: Message) -> int:
        calls = sum(self._tokens(call.name + call.arguments) for call in message.tool_calls)
        return self._per_message + self._tokens(message.content) + calls + _media_tokens(message)

    def _tokens(self, text: str) -> int:
        if not text:
            return 0
        try:
            counted = self._count(text)
        except RemoteEngineError:  # it may answer nevertheless
            counted = None
        self._is_counted = counted is not None
        return round(len(text) / self._characters) + 1 if counted is None else counted


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _media_tokens(message: Message) -> int:
    """No engine counts them in advance."""
    return sum(map(estimate_media_tokens, message.media))


def _next_turn(messages: Sequence[Message], begin: int) -> int | None:
    return next((at for at in range(begin + 1, len(messages)) if messages[at].role is Role.USER), None)
