"""The program is killed, mostly amid a first load: none of its processes stays, not even one that is stopped."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.commands import Argument, finished, started
from support.peer_server import make_server, wait_until_asked
from support.program_processes import children_at, none_is_left, processes_at, with_file_open, with_words
from support.sparse import Shape, make_sparse

from specchat.container import Container
from specchat.domain.tool_servers import ToolServerConfig
from specchat.store.paths import paths

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

Pair = tuple[Path, Path]
FEW = ("-t", "1", "-c", "256")
COMMANDS: dict[str, tuple[str, ...]] = {
    "chat": ("chat", "-p", "hello", *FEW),
    "serve": ("serve", "--port", "0", *FEW),
    "bench": ("bench", "-n", "4", *FEW),
}
ENDS = [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]
ends = pytest.mark.parametrize("end", ENDS, ids=lambda end: end.name)


@pytest.fixture(scope="module")
def slow_pair(models_dir: Path) -> Pair:
    """Their vocabulary takes a moment to load."""
    target, draft = (Shape("llama", 150_000, 256, n, 4, 2, 512, 150_000, tied=True, n_ctx=512) for n in (2, 1))
    return make_sparse(models_dir / "slow.gguf", target, "Q8_0"), make_sparse(models_dir / "quick.gguf", draft, "Q8_0")


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "home"
    for process in processes_at(tmp_path / "home"):
        process.kill()


def killed_amid_first_load(home: Path, file: Path, end: signal.Signals, *arguments: Argument) -> None:
    with started(home, *arguments, changes={"QT_QPA_PLATFORM": "offscreen"}) as process:
        with_file_open(home, "preflight", file).suspend()
        process.send_signal(end)
        process.wait()
        assert none_is_left(home)


@pytest.mark.parametrize(
    ("command", "end"), [("chat", ENDS[0]), ("chat", ENDS[2]), ("serve", ENDS[2]), ("bench", ENDS[1])]
)
def test_a_command(home: Path, slow_pair: Pair, command: str, end: signal.Signals) -> None:
    """The draft comes last: the process of the template has started by then."""
    target, draft = slow_pair
    killed_amid_first_load(home, draft, end, *COMMANDS[command], "-m", target, "-md", draft)


@ends
def test_the_window(home: Path, slow_pair: Pair, end: signal.Signals) -> None:
    killed_amid_first_load(home, slow_pair[0], end, slow_pair[0])


@pytest.mark.parametrize("killed", ["bench", "keeper"])
def test_the_server_of_another_program(home: Path, tiny_pair: Pair, tmp_path: Path, killed: str) -> None:
    """Neither does it stay where only the process between is killed."""
    server, prompts = make_server(tmp_path, "hangs"), tmp_path / "prompts.txt"
    prompts.write_text("Hello\n")
    measuring = ("-m", tiny_pair[0], "--k", "0", "--peer", server, "--prompts", prompts)
    with started(home, *COMMANDS["bench"], *measuring) as process:
        wait_until_asked(server, 1)
        (keeper,) = children_at(home, "keeper")
        if killed == "keeper":
            keeper.kill()
            finished(process)
        else:
            keeper.suspend()
            process.kill()
            process.wait()
        assert none_is_left(home)


@pytest.mark.parametrize("is_stopped", [False, True], ids=["runs", "stopped"])
def test_a_server_of_tools(home: Path, monkeypatch: pytest.MonkeyPatch, *, is_stopped: bool) -> None:
    """It ignores the end of its input, and so does what it has started; the process between may be stopped."""
    monkeypatch.setenv("SPECCHAT_HOME", str(home))
    server = Path(__file__).parent / "support" / "mcp" / "raw_server.py"
    config = ToolServerConfig("raw", sys.executable, ("-S", "-E", str(server), "hangs"), {"SPECCHAT_HOME": str(home)})
    tools = Container(paths()).tools()
    tools.file.save(config)
    tools.consents.enable(config)
    with started(home, changes={"QT_QPA_PLATFORM": "offscreen"}) as process:
        with_words(home, "time.sleep(600)")  # what the server has started
        (supervisor,) = children_at(home, "supervisor")
        if is_stopped:
            supervisor.suspend()
        process.kill()
        process.wait()
        assert none_is_left(home)
