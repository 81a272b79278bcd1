"""Words for calls of tools."""

import json
from contextlib import suppress

from PySide6.QtCore import QCoreApplication

from specchat.domain.printable_text import printable_text
from specchat.domain.tools import CalledTool, CallState
from specchat.services.chat.prompt_messages import fence_text

translate = QCoreApplication.translate


def call_title(called: CalledTool) -> str:
    name = " › ".join(map(printable_text, called.name_parts))
    state = {
        CallState.WAITING: "",
        CallState.DONE: translate("ToolCall", "done"),
        CallState.FAILED: translate("ToolCall", "failed"),
        CallState.DENIED: translate("ToolCall", "not allowed"),
        CallState.CANCELLED: translate("ToolCall", "canceled"),
    }[called.state]
    return f"{name} · {state}" if state else name


def call_text(called: CalledTool, result: str) -> str:
    """As Markdown, in fences that no text of a stranger can close."""
    parts = [(translate("ToolCall", "Arguments"), readable_arguments(called.call.arguments))]
    if result:
        parts.append((translate("ToolCall", "Result"), result))
    return "\n\n".join(f"**{heading}**\n\n{fence_text(text)}" for heading, text in parts)


def readable_arguments(text: str) -> str:
    """A line for each, where they are JSON. Characters that hide, or turn others around, are written as escapes."""
    with suppress(ValueError, RecursionError):
        text = json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    return "".join(char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text)
