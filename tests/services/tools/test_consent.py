"""Nothing runs without consent: real servers as child processes, and every way around it that comes to mind."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

import pytest

from specchat.backends.supervised_program import supervised_program
from specchat.domain.errors import SettingError
from specchat.domain.tool_servers import (
    ConsentRequiredError,
    ServerState,
    ServerTool,
    ToolResult,
    ToolServerConfig,
)
from specchat.domain.tools import CallState
from specchat.services.tools.server_file import ServerFile
from specchat.services.tools.tool_consents import ToolConsents
from specchat.services.tools.tool_service import Decision, ToolService
from specchat.sources.mcp.tool_host import McpToolHost
from specchat.store.json_file import JsonFile

RAW = str(Path(__file__).parents[2] / "support" / "mcp" / "raw_server.py")
_LONG_S = 120.0


@dataclass
class Tools:
    service: ToolService
    told: "Queue[str]"
    home: Path

    def write(self, **kinds: str) -> None:
        servers = {name: {"command": sys.executable, "args": ["-S", "-E", RAW, kind]} for name, kind in kinds.items()}
        self.service.file.path.write_text(json.dumps({"mcpServers": servers}))

    def config(self, name: str = "raw") -> ToolServerConfig:
        return next(each.config for each in self.service.servers() if each.config.name == name)

    def enable(self, name: str = "raw") -> ServerTool:
        self.service.enable(self.config(name))
        return self.wait(name)

    def wait(self, name: str = "raw", but: ServerTool | None = None) -> ServerTool:
        while (found := self.service.find(name, "look")) is None or found == but:
            self.told.get(timeout=_LONG_S)
        return found

    def call(self, tool: ServerTool, arguments: str = "{}", *, consent: bool) -> ToolResult:
        results: Queue[ToolResult] = Queue()
        self.service.call(tool, arguments, results.put, consent=consent)
        return results.get(timeout=_LONG_S)


@pytest.fixture
def tools(tmp_path: Path) -> Iterator[Tools]:
    told: Queue[str] = Queue()
    file, consents = ServerFile(tmp_path / "mcp.json"), ToolConsents(JsonFile(tmp_path / "tools.json"))
    service = ToolService(file, consents, lambda: McpToolHost(supervised_program, told.put))
    with closing(service):
        yield Tools(service, told, tmp_path)


def test_a_listed_server_does_not_start_before_it_is_enabled(tools: Tools) -> None:
    tools.write(raw="plain")
    tools.service.refresh()
    (server,) = tools.service.servers()
    assert (server.is_enabled, server.status.state) == (False, ServerState.STOPPED)
    assert tools.service.offered() == ()
    with pytest.raises(ConsentRequiredError):
        tools.service.restart("raw")
    with pytest.raises(ConsentRequiredError):
        tools.call(ServerTool("raw", "look", "", "{}", server.config.fingerprint), consent=True)


def test_a_call_needs_consent_once_or_always(tools: Tools) -> None:
    tools.write(raw="plain")
    tool = tools.enable()
    assert tools.service.decide(tool) is Decision.ASK
    with pytest.raises(ConsentRequiredError):
        tools.call(tool, consent=False)
    assert tools.call(tool, '{"a": 1}', consent=True).text == 'looked with {"a": 1}'
    with pytest.raises(ConsentRequiredError):
        tools.call(tool, consent=False)
    tools.service.consents.set_always_allowed(tool, allowed=True)
    assert tools.call(tool, consent=False).state is CallState.DONE
    tools.service.consents.set_off(tool, off=True)
    assert tools.service.decide(tool) is Decision.DENY
    assert tools.service.offered() == ()
    with pytest.raises(ConsentRequiredError):
        tools.call(tool, consent=False)


def test_consent_outlives_the_program_but_not_a_changed_command(tools: Tools) -> None:
    tools.write(raw="plain")
    tool = tools.enable()
    tools.service.consents.set_always_allowed(tool, allowed=True)
    again = ToolConsents(JsonFile(tools.home / "tools.json"))
    assert again.is_enabled(tools.config())
    assert again.is_always_allowed(tool)
    tools.write(raw="hangs_in_call")
    (server,) = tools.service.servers()
    assert (server.is_enabled, server.was_changed) == (False, True)
    assert tools.service.offered() == ()
    for consent in (False, True):
        with pytest.raises(ConsentRequiredError):
            tools.call(tool, consent=consent)
    tools.service.refresh()
    while tools.service.servers()[0].status.state is not ServerState.STOPPED:
        tools.told.get(timeout=_LONG_S)
    changed = tools.enable()
    assert tools.service.decide(changed) is Decision.ASK


@pytest.mark.parametrize("change", [{"args": ["x"]}, {"env": {"A": "2"}}, {"cwd": "/"}, {"command": "other"}])
def test_each_part_of_a_command_counts(tools: Tools, change: dict[str, object]) -> None:
    entry: dict[str, object] = {"command": "server", "args": [], "env": {"A": "1"}}
    path = tools.service.file.path
    path.write_text(json.dumps({"mcpServers": {"one": entry}}))
    tools.service.consents.enable(tools.config("one"))
    assert tools.service.consents.is_enabled(tools.config("one"))
    path.write_text(json.dumps({"mcpServers": {"one": {**entry, **change}}}))
    assert not tools.service.consents.is_enabled(tools.config("one"))


def test_a_tool_that_changes_after_consent_asks_again(tools: Tools) -> None:
    tools.write(raw="changes")
    tool = tools.enable()
    tools.service.consents.set_always_allowed(tool, allowed=True)
    assert tools.call(tool, consent=False).text == "looked"
    changed = tools.wait(but=tool)
    assert tools.service.decide(changed) is Decision.ASK
    with pytest.raises(ConsentRequiredError):
        tools.call(changed, consent=False)
    assert "another way" in tools.call(tool, consent=True).text


def test_the_same_name_of_another_server_is_another_tool(tools: Tools) -> None:
    tools.write(raw="plain", other="plain")
    mine, theirs = tools.enable("raw"), tools.enable("other")
    tools.service.consents.set_always_allowed(mine, allowed=True)
    offered = tools.service.offered()
    assert [each.name for each in offered] == ["raw__look", "other__look"]
    assert next(each.tool for each in offered if each.name == "other__look") == theirs
    assert tools.service.decide(theirs) is Decision.ASK
    assert [tool["function"]["name"] for tool in (each.as_tool for each in offered)] == ["raw__look", "other__look"]  # type: ignore[index]


def test_names_that_become_the_same_stay_apart(tools: Tools) -> None:
    tools.write(**{"a b": "plain", "a.b": "plain"})
    first, second = tools.enable("a b"), tools.enable("a.b")
    offered = {each.name: each.tool for each in tools.service.offered()}
    assert offered == {"a_b__look": first, "a_b__look_2": second}


def test_arguments_that_are_no_object_are_not_sent(tools: Tools) -> None:
    tools.write(raw="plain")
    tool = tools.enable()
    assert tools.call(tool, "[1]", consent=True).state is CallState.FAILED
    assert tools.call(tool, "{", consent=True).state is CallState.FAILED


def test_disabling_and_editing_stop_a_server(tools: Tools) -> None:
    tools.write(raw="plain")
    tools.enable()
    config = tools.config()
    tools.service.save(ToolServerConfig("renamed", config.command, config.args), replaced="raw")
    (server,) = tools.service.servers()
    assert (server.config.name, server.is_enabled) == ("renamed", False)
    tools.enable("renamed")
    tools.service.disable("renamed")
    assert tools.service.offered() == ()
    tools.service.remove("renamed")
    assert tools.service.servers() == []


@pytest.mark.parametrize("renamed", [False, True])
def test_what_was_allowed_is_forgotten_with_its_server(tools: Tools, renamed: bool) -> None:
    tools.write(raw="plain", raw_2="plain")
    tool, other = tools.enable(), tools.enable("raw_2")
    for each in (tool, other):
        tools.service.consents.set_always_allowed(each, allowed=True)
    config = tools.config()
    if renamed:
        tools.service.save(ToolServerConfig("renamed", config.command, config.args), replaced="raw")
    else:
        tools.service.remove("raw")
    tools.service.save(config)
    assert not tools.service.consents.is_enabled(config)
    assert tools.enable() == tool
    assert tools.service.decide(tool) is Decision.ASK
    assert tools.service.decide(other) is Decision.ALLOW


def test_a_tool_that_was_off_is_offered_by_a_new_server(tools: Tools) -> None:
    tools.write(raw="plain")
    tools.service.consents.set_off(tools.enable(), off=True)
    config = tools.config()
    tools.service.remove("raw")
    tools.service.save(config)
    assert tools.service.decide(tools.enable()) is Decision.ASK


def test_the_notation_of_other_programs(tools: Tools) -> None:
    tools.service.file.path.write_text(
        json.dumps(
            {
                "theme": "dark",
                "mcpServers": {
                    "files": {"command": "npx", "args": ["-y", "server", "/tmp"], "env": {"KEY": "k-1234"}, "x": 1},
                    "web": {"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer t-1234"}},
                    "empty": {},
                    "wrong": {"command": 7},
                    "ftp": {"url": "ftp://example.com"},
                },
            }
        )
    )
    files, web, empty, wrong, ftp = (each.config for each in tools.service.servers())
    assert files.description == "npx -y server /tmp"
    assert files.shown_settings == ("KEY=•••",)
    asking = ToolServerConfig("git", "git", env={"GIT_ASKPASS": "/tmp/ask", "PGPASSWORD": "t-1234"})
    assert asking.shown_settings == ("GIT_ASKPASS=/tmp/ask", "PGPASSWORD=•••")
    assert web.shown_settings == ("Authorization: •••",)
    assert web.redact("Bearer t-1234, t-1234") == "•••, •••"
    assert "1234" not in repr((files, web))
    assert all(each.problem is not None for each in (empty, wrong, ftp))
    for each in (empty, wrong, ftp):
        tools.service.consents.enable(each)
        assert not tools.service.consents.is_enabled(each)
    tools.service.save(ToolServerConfig("files", "node"), replaced="files")
    stored = json.loads(tools.service.file.path.read_text())
    assert stored["theme"] == "dark"
    assert stored["mcpServers"]["files"] == {"x": 1, "command": "node", "args": []}
    assert list(stored["mcpServers"]) == ["files", "web", "empty", "wrong", "ftp"]


@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": []}', "\xff", " " * (2 << 20)])
def test_a_file_that_cannot_be_used_stays_as_it_is(tools: Tools, text: str) -> None:
    path = tools.service.file.path
    path.write_text(text, encoding="latin-1")
    with pytest.raises(SettingError):
        tools.service.servers()
    assert tools.service.offered() == ()
    with pytest.raises(SettingError):
        tools.service.save(ToolServerConfig("one", "node"))
    assert path.read_text(encoding="latin-1") == text
