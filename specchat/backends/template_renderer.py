"""Renders templates through `template_child`, with limits and readable errors."""

import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from specchat.backends.child import (
    DEFAULT_MEMORY,
    Child,
    ChildError,
    ChildOutOfMemory,
    ChildTimedOut,
    child_command,
)
from specchat.backends.crash_errors import was_held_up
from specchat.domain.errors import NotReadyError, TemplateError, UserError
from specchat.domain.printable_text import printable_text
from specchat.domain.translatable_text import TranslatableText

HINT = TranslatableText("Choose a model file with a working chat template (--raw needs none).")
MAX_REASON = 200
_PATIENCE = 5.0

_SAYING = {
    "syntax": TranslatableText("The model's chat template has a syntax error: {reason}."),
    "refused": TranslatableText("The model's chat template rejected the chat: {reason}."),
    "failed": TranslatableText("The model's chat template failed: {reason}."),
    "too long": TranslatableText("The model's chat template produced too much text."),
}

log = logging.getLogger(__name__)


class ConversationRefused(TemplateError):
    """The template rejected this form of the conversation; it may accept another one."""


@dataclass(frozen=True, slots=True)
class RenderLimits:
    seconds: float = 2.0
    memory: int = DEFAULT_MEMORY


class TemplateRenderer:
    """Renders in one child process, which templates of several models can share."""

    def __init__(self, limits: RenderLimits = RenderLimits()) -> None:
        self._seconds = limits.seconds
        self._child = Child(child_command("template"), memory=limits.memory)

    def warm_up(self) -> None:
        with suppress(ChildError):  # rendering will report it
            self._child.start()

    def render(
        self,
        template: str,
        messages: Sequence[Mapping[str, object]],
        variables: Mapping[str, object],
        now: datetime,
        shadows: Mapping[str, str] = MappingProxyType({}),
    ) -> str:
        """`shadows`: see `shielding`."""
        request = {
            "template": template,
            "messages": messages,
            "variables": variables,
            "shadows": dict(shadows),
            "now": now.isoformat(),
        }
        reply = self._ask(request)
        if "fault" in reply:
            raise _fault(str(reply["fault"]), str(reply.get("reason", "")))
        return str(reply["text"])

    def close(self) -> None:
        self._child.close()

    def _ask(self, request: Mapping[str, object]) -> dict[str, Any]:
        try:
            return self._child.request(request, seconds=self._seconds, patience=_PATIENCE)
        except ChildError as error:
            raise _explain(error) from error


def _explain(error: ChildError) -> UserError:
    if was_held_up(error):
        return NotReadyError("The chat template failed: {reason}", "Try again.", reason=error.message)
    if isinstance(error, ChildTimedOut):
        return TemplateError("The model's chat template ran too long.", HINT)
    if isinstance(error, ChildOutOfMemory):
        return TemplateError("The model's chat template needed too much memory.", HINT)
    log.warning("rendering a chat template: %s", error)
    return TemplateError("Couldn't render the model's chat template.", HINT)


def _fault(fault: str, reason: str) -> TemplateError:
    message = _SAYING.get(fault, _SAYING["failed"])
    kind = ConversationRefused if fault in ("refused", "failed") else TemplateError
    return kind(message, HINT, reason=_one_line(reason) or TranslatableText("no reason given"))


def _one_line(text: str) -> str:
    """Returns a short printable line, because the text comes from a stranger's template."""
    line = " ".join(printable_text(text, " ").split()).rstrip(".")
    return line if len(line) <= MAX_REASON else f"{line[:MAX_REASON]}…"
