"""Chats with tools: a scripted model, its servers, and what can be seen of their calls."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtWidgets import QAbstractButton
from support.desks import Person
from support.windows import wait_until

from specchat.domain.conversations import StoredMessage
from specchat.domain.engine import ChatTask
from specchat.domain.tool_servers import ServerTool
from specchat.domain.tools import CalledTool, CallState
from specchat.domain.types import ToolCall
from specchat.services.tools.tool_service import ToolService
from specchat.store.paths import Paths

RAW = str(Path(__file__).parent / "mcp" / "raw_server.py")
LOOK = ToolCall("call00001", "raw__look", '{"at": "the sky"}')


class Model:
    """Calls what it is told to after a question, and speaks after results."""

    def __init__(self) -> None:
        self.calls: list[Sequence[ToolCall]] = [[LOOK]]
        self.asked: list[ChatTask] = []
        self.speaks_first = True

    def __call__(self, task: ChatTask) -> Sequence[str | ToolCall]:
        self.asked.append(task)
        if not self.calls:
            return ["It ", "is ", "blue."]
        return [*(["Let me look."] if self.speaks_first else []), *self.calls.pop(0)]


def write_servers(places: Paths, env: Mapping[str, str] | None = None, **kinds: str) -> None:
    servers = {
        name: {"command": sys.executable, "args": ["-S", "-E", RAW, kind], "env": dict(env or {})}
        for name, kind in kinds.items()
    }
    places.config.mkdir(parents=True, exist_ok=True)
    (places.config / "mcp.json").write_text(json.dumps({"mcpServers": servers}))


def service(person: Person) -> ToolService:
    return person.controller.tools.service


def enable(person: Person, name: str = "raw", tool: str = "look") -> ServerTool:
    config = next(each.config for each in service(person).servers() if each.config.name == name)
    service(person).enable(config)
    wait_until(lambda: service(person).find(name, tool) is not None, "the server does not run")
    found = service(person).find(name, tool)
    assert found is not None
    return found


def send(person: Person, text: str = "Which color has the sky?") -> None:
    person.write(text)
    person.click("sendButton")


def wait_for_card(person: Person) -> None:
    """Until a click can allow something."""
    allow = person.window.call_card.findChild(QAbstractButton, "allowCall")
    assert allow is not None
    wait_until(lambda: allow.isVisible() and allow.isEnabled(), "it takes too long")


def wait_for_end(person: Person, text: str = "It is blue.") -> None:
    wait_until(lambda: not person.controller.chat.is_answering and person.path[-1].text == text, "it takes too long")


def called(person: Person) -> list[CalledTool]:
    return [each.called for each in person.path if each.called is not None]


def states(person: Person) -> list[CallState]:
    return [each.state for each in called(person)]


def stored_states(person: Person, conversation: int) -> list[CallState]:
    return [each.called.state for each in stored(person, conversation) if each.called is not None]


def stored(person: Person, conversation: int) -> list[StoredMessage]:
    return person.controller.services.messages.shown_path(conversation)
