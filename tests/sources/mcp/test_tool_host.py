"""The client with real servers as child processes: those of the SDK, and some that hang, lie and flood."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from queue import Queue

import psutil
import pytest
from support.program_processes import has_ended

from specchat.backends.supervised_program import supervised_program
from specchat.domain.tool_servers import ServerState, ServerStatus, ServerTool, ToolResult, ToolServerConfig
from specchat.domain.tools import CallState
from specchat.sources.mcp import tool_connection
from specchat.sources.mcp.tool_host import McpToolHost

SERVERS = Path(__file__).parents[2] / "support" / "mcp"
TOKEN = "TOKEN-1234"
_LONG_S = 120.0


def raw(kind: str, name: str = "raw") -> ToolServerConfig:
    arguments = ("-S", "-E", str(SERVERS / "raw_server.py"), kind)
    return ToolServerConfig(name, sys.executable, arguments, {"API_TOKEN": TOKEN})


@contextmanager
def web_server(program: str, *arguments: str) -> Iterator[str]:
    """Its address."""
    command = [sys.executable, str(SERVERS / program), *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield f"http://127.0.0.1:{server.stdout.readline().strip()}/mcp"
        finally:
            server.kill()


class Host:
    """Waits for what the host tells."""

    def __init__(self, start_s: float = _LONG_S) -> None:
        self._told: Queue[str] = Queue()
        self._known: dict[tuple[str, str], ServerTool] = {}
        self.host = McpToolHost(supervised_program, self._told.put, start_s)
        self.close = self.host.close

    def start(self, config: ToolServerConfig) -> ServerStatus:
        self.host.start(config)
        return self.wait(config.name, lambda status: status.state in (ServerState.RUNNING, ServerState.FAILED))

    def wait(self, name: str, is_there: Callable[[ServerStatus], bool]) -> ServerStatus:
        while not is_there(status := self.host.status(name)):
            self._told.get(timeout=_LONG_S)
        return status

    def call(self, server: str, tool: str, limit: float = _LONG_S, **arguments: object) -> ToolResult:
        """Of tools that were there once: that a server is gone may be known before the call."""
        results: Queue[ToolResult] = Queue()
        self._known |= {(server, each.name): each for each in self.host.status(server).tools}
        self.host.call(self._known[server, tool], arguments, limit, results.put)
        return results.get(timeout=_LONG_S)


@pytest.fixture
def host() -> Iterator[Host]:
    with closing(Host()) as opened:
        yield opened


@pytest.fixture(scope="module")
def sdk() -> Iterator[Host]:
    with closing(Host()) as opened:
        config = ToolServerConfig(
            "notes", sys.executable, (str(SERVERS / "sdk_server.py"),), {"API_TOKEN": TOKEN, "PYTHONPATH": _path()}
        )
        status = opened.start(config)
        assert status.state is ServerState.RUNNING, status
        yield opened


def _path() -> str:
    return ":".join(filter(None, sys.path))


def test_a_server_of_the_sdk_lists_its_tools(sdk: Host) -> None:
    tools = {tool.name: tool for tool in sdk.host.status("notes").tools}
    assert set(tools) == {"add", "note", "wait", "fail"}
    assert tools["add"].description == "Adds two numbers."
    assert '"a"' in tools["add"].schema


def test_its_tools_are_called(sdk: Host) -> None:
    assert sdk.call("notes", "add", a=2, b=3) == ToolResult(CallState.DONE, "5")
    assert sdk.call("notes", "note", text="milk") == ToolResult(CallState.DONE, "kept: milk")


def test_an_error_of_a_tool_is_its_result(sdk: Host) -> None:
    result = sdk.call("notes", "fail")
    assert result.state is CallState.FAILED
    assert result.text == "Error executing tool fail"


def test_a_call_has_a_time_limit_and_can_be_cancelled(sdk: Host) -> None:
    slow = sdk.call("notes", "wait", 0.05, seconds=600)
    assert slow.state is CallState.FAILED
    assert "no result within" in slow.text
    results: Queue[ToolResult] = Queue()
    (wait,) = [tool for tool in sdk.host.status("notes").tools if tool.name == "wait"]
    sdk.host.call(wait, {"seconds": 600}, _LONG_S, results.put).cancel()
    assert results.get(timeout=_LONG_S).state is CallState.CANCELLED
    assert sdk.call("notes", "add", a=1, b=1).text == "2"


def test_a_server_over_http(host: Host) -> None:
    with web_server("sdk_server.py", "--http") as url:
        config = ToolServerConfig("web", url=url, headers={"Authorization": f"Bearer {TOKEN}"})
        assert host.start(config).state is ServerState.RUNNING
        assert host.call("web", "add", a=2, b=3).text == "5"
        assert host.call("web", "wait", 0.05, seconds=600).state is CallState.FAILED
    assert host.call("web", "add", a=2, b=3).state is CallState.FAILED
    status = host.start(config)
    assert status.state is ServerState.FAILED
    assert "can't be reached" in str(status.reason)


def test_a_server_over_http_that_needs_a_key(host: Host) -> None:
    with web_server("web_server.py", "locked") as url:
        status = host.start(ToolServerConfig("web", url=url))
        assert str(status.reason) == "It requires authorization (HTTP 401)."
        config = ToolServerConfig("web", url=url, headers={"Authorization": f"Bearer {TOKEN}"})
        assert host.start(config).state is ServerState.RUNNING
        refused = host.call("web", "look")  # further rights are needed
        assert refused.state is CallState.FAILED
        assert "closed" not in refused.text


_ADDRESS = "Check the address: it often ends in /mcp."
_OLD = "Servers that only speak the old HTTP+SSE transport don't work."


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("404", f"It answered with 404 Not Found. {_ADDRESS}"),
        ("405", f"It answered with 405 Method Not Allowed. {_ADDRESS} {_OLD}"),
        ("500", "It answered with 500 Internal Server Error."),
        ("530", "It answered with 530."),
        ("refuses", "It refused: too old"),
    ],
)
def test_a_server_over_http_that_refuses(host: Host, kind: str, reason: str) -> None:
    """Most bodies of such replies say nothing about it."""
    with web_server("web_server.py", kind) as url:
        assert str(host.start(ToolServerConfig("web", url=url)).reason) == reason


def test_a_server_that_hangs_is_given_up_and_ended_with_its_children() -> None:
    with closing(Host(start_s=0.5)) as host:
        status = host.start(raw("hangs"))
        assert "did not answer" in str(status.reason)
        child = int(status.output[-1].split()[-1])
    with suppress(psutil.NoSuchProcess):
        assert psutil.Process(child).status() == psutil.STATUS_ZOMBIE


def test_closing_ends_a_server_that_ignores_it() -> None:
    host = Host()
    before = set(psutil.Process().children(recursive=True))
    host.start(raw("hangs_in_call"))
    started = set(psutil.Process().children(recursive=True)) - before
    assert any(str(SERVERS / "raw_server.py") in each.cmdline() for each in started)
    host.close()
    assert not any(each.is_running() for each in started)
    host.close()


def test_a_server_ends_with_its_supervisor(host: Host) -> None:
    before = set(psutil.Process().children(recursive=True))
    host.start(raw("hangs_in_call"))
    started = set(psutil.Process().children(recursive=True)) - before
    (supervisor,) = [each for each in started if each.cmdline()[-2:] == ["--child", "supervisor"]]
    supervisor.kill()
    assert str(host.wait("raw", lambda status: status.state is ServerState.FAILED).reason) == "It ended."
    assert all(has_ended(each.pid) for each in started)


@pytest.mark.skipif(sys.platform != "linux", reason="subreapers")
def test_a_daemon_ends_with_the_server_that_left_it(host: Host) -> None:
    status = host.start(raw("leaves_a_daemon"))
    assert status.state is ServerState.FAILED
    assert has_ended(int(status.output[-1].split()[-1]))


def test_a_server_that_dies_says_why(host: Host) -> None:
    status = host.start(raw("dies"))
    assert (status.state, str(status.reason)) == (ServerState.FAILED, "It ended.")
    assert status.output == ("no license found for •••",)


def test_a_server_that_dies_in_a_call_fails_the_call(host: Host) -> None:
    host.start(raw("dies_in_call"))
    result = host.call("raw", "look")
    assert result == ToolResult(CallState.FAILED, "The server ended before it gave a result.")
    assert host.wait("raw", lambda status: status.state is ServerState.FAILED).tools == ()


def test_a_command_that_is_not_there(host: Host) -> None:
    status = host.start(ToolServerConfig("none", "no-such-command"))
    assert str(status.reason) == "no-such-command wasn't found."
    status = host.start(ToolServerConfig("none", f"{Path(sys.executable).name} -m no_such_server"))
    assert "Arguments belong in args" in str(status.reason)


def test_a_command_that_cannot_be_run(host: Host, tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("#!/no/such/interpreter")
    program.chmod(0o755)
    reason = str(host.start(ToolServerConfig("none", str(program))).reason)
    assert reason == f"{program} couldn't be started: No such file or directory."
    gone = ToolServerConfig("none", sys.executable, cwd=str(tmp_path / "gone"))
    assert str(host.start(gone).reason) == f"The folder {tmp_path / 'gone'} wasn't found."
    text = ToolServerConfig("none", str(tmp_path / "notes.txt"))
    Path(text.command).touch()
    assert str(host.start(text).reason) == f"{text.command} isn't a program that can be started."
    assert "not valid" in str(host.start(ToolServerConfig("none", sys.executable, ("\0",))).reason)


def test_a_server_that_lies(host: Host) -> None:
    status = host.start(raw("lies"))
    assert [tool.name for tool in status.tools] == ["look", "typed", "typed_2", "long", "gone"]
    assert status.tools[0].description == "Looks."
    assert len(status.tools[3].description) == 4000
    assert status.left_out == (
        "look (listed twice)",
        "wide (too many arguments)",
        "endless (not valid arguments)",
        "bad\N{REPLACEMENT CHARACTER}name (not a valid name)",
        " (not a valid name)",
    )
    assert "sum is missing" in host.call("raw", "typed").text
    assert "another type" in host.call("raw", "typed_2").text
    assert host.call("raw", "gone") == ToolResult(CallState.FAILED, "Unknown tool: gone")
    assert host.call("raw", "look") == ToolResult(CallState.FAILED, "The server sent an invalid result.")
    assert host.call("raw", "long") == ToolResult(CallState.DONE, "the secret is •••")


def test_arguments_that_cannot_be_sent_fail_only_their_call(host: Host) -> None:
    host.start(raw("plain"))
    nested: list[object] = []
    for _ in range(600):
        nested = [nested]
    for value in ("half of \ud83d", nested):
        result = host.call("raw", "look", at=value)
        assert (result.state, result.text[:13]) == (CallState.FAILED, "The arguments")
    assert host.call("raw", "look", at="the sky").state is CallState.DONE


def test_a_result_that_nobody_expected_ends_its_call(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the chat would wait for it without end."""
    monkeypatch.setattr(tool_connection, "read_result", lambda *_: {[]: 0})
    host.start(raw("plain"))
    assert host.call("raw", "look") == ToolResult(CallState.FAILED, "The server sent an invalid result.")


def test_a_list_that_is_none(host: Host) -> None:
    assert str(host.start(raw("lists_nonsense")).reason) == "It sent an invalid reply."


def test_a_tool_that_changes_cannot_be_called_as_it_was(host: Host) -> None:
    (before,) = host.start(raw("changes")).tools
    assert host.call("raw", "look").text == "looked"
    (after,) = host.wait("raw", lambda status: status.tools != (before,)).tools
    assert after.fingerprint != before.fingerprint
    results: Queue[ToolResult] = Queue()
    host.host.call(before, {}, _LONG_S, results.put)
    assert "another way" in results.get(timeout=_LONG_S).text


def test_thousands_of_tools_and_megabytes_of_result(host: Host) -> None:
    status = host.start(raw("floods_lists"))
    assert len(status.tools) == 128
    assert status.left_out == ("all after the first 128",)
    result = host.call("raw", "look_0")
    assert len(result.text) < 51_000
    assert result.text.endswith("2,950,000 more characters left out]")


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("floods_notifications", "It sent too many messages."),
        ("floods_lines", "It sent a message of more than 4 MB."),
        ("floods_blank_lines", "It sent too many messages."),
    ],
)
def test_a_server_that_never_stops_is_stopped(host: Host, kind: str, reason: str) -> None:
    host.start(raw(kind))
    assert host.call("raw", "look").state is CallState.FAILED
    status = host.wait("raw", lambda status: status.state is ServerState.FAILED)
    assert str(status.reason) == reason
    assert host.start(raw("plain")).state is ServerState.RUNNING


@pytest.mark.parametrize("kind", ["ends", "comments"])
def test_a_server_over_http_that_never_stops_is_stopped(host: Host, kind: str) -> None:
    """It ends its stream again and again, so that it is asked for another one, or says nothing in it."""
    with web_server("web_server.py", kind) as url:
        host.start(ToolServerConfig("web", url=url))
        status = host.wait("web", lambda status: status.state is ServerState.FAILED)
        assert str(status.reason) == "It sent too many messages."


def test_many_servers_do_not_block_each_other(host: Host) -> None:
    host.host.start(raw("hangs", "first"))
    assert host.start(raw("plain", "second")).state is ServerState.RUNNING
    assert host.call("second", "look").text == "looked with {}"
    host.host.stop("second")
    host.wait("second", lambda status: status.state is ServerState.STOPPED)
