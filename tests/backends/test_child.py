"""Real processes: what they may know, how they die, and that nothing of them stays."""

import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psutil
import pytest
from support.leftovers import no_thread_stays
from support.program_processes import has_ended

from specchat.backends import child_registry
from specchat.backends.child import (
    Child,
    ChildDied,
    ChildError,
    ChildOutOfMemory,
    ChildTimedOut,
    child_command,
    child_environment,
)

MIB = 1 << 20
PROMPT = 10.0
"""Seconds for what answers at once, also on a busy machine."""

HANDLER = """
import os, socket, sys
from specchat.backends.child_loop import serve

def knock(port):
    socket.create_connection(("127.0.0.1", port)).close()

def handle(request):
    match request["do"]:
        case "echo":
            return {"said": request["text"]}
        case "hang":
            if "port" in request:
                knock(request["port"])
            while True:
                pass
        case "grow":
            return {"size": len(bytearray(request["bytes"]))}
        case "fail":
            raise ZeroDivisionError("no divisor")
        case "exit":
            sys.stderr.write("x" * 100_000 + " last words")
            os._exit(7)
        case "print":
            print("noise")
            os.write(1, b"more noise")
            return {"pid": os.getpid()}
        case "environment":
            return dict(os.environ)

serve(handle)
"""

UNLIMITED = """
import json, sys
sys.stdin.readline()
print(json.dumps({"limited": False}), flush=True)
sys.stdin.readline()
hoard = [bytearray(b"x" * (1 << 20)) for _ in range(100)]
sys.stdin.readline()
"""


def python(script: str) -> list[str]:
    return [sys.executable, "-c", script]


@pytest.fixture
def door() -> Iterator[socket.socket]:
    """A child knocks here, so that a test need not guess how far it is."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(60)
        yield server


def wait_for_knock(door: socket.socket) -> None:
    door.accept()[0].close()


def port_of(door: socket.socket) -> int:
    return int(door.getsockname()[1])


@pytest.fixture
def child() -> Iterator[Child]:
    with no_thread_stays(), closing(Child(python(HANDLER), memory=64 * MIB)) as child:
        yield child


def echo(child: Child, text: str = "hello") -> None:
    assert child.request({"do": "echo", "text": text}, seconds=PROMPT) == {"said": text}


@contextmanager
def dies(child: Child) -> Iterator[None]:
    """The process is gone after what happens inside, and the next request gets a new one."""
    echo(child)
    pid = child.pid
    yield
    assert pid is not None
    assert not psutil.pid_exists(pid)
    echo(child)
    assert child.pid != pid


def test_answers_any_number_of_requests(child: Child) -> None:
    echo(child)
    first = child.pid
    echo(child, "ünïcode \U0001f600 " * 100_000)
    assert child.pid == first


def test_hang_is_killed(child: Child) -> None:
    """However little of the processor it gets."""
    with dies(child), pytest.raises(ChildTimedOut, match="longer than 0.1 seconds"):
        child.request({"do": "hang"}, seconds=0.1, patience=600)


def test_memory_limit(child: Child) -> None:
    with dies(child), pytest.raises(ChildOutOfMemory):
        child.request({"do": "grow", "bytes": 200 * MIB}, seconds=PROMPT)


def test_memory_within_the_limit(child: Child) -> None:
    assert child.request({"do": "grow", "bytes": 20 * MIB}, seconds=PROMPT) == {"size": 20 * MIB}


def test_no_memory_limit() -> None:
    with closing(Child(python(HANDLER), memory=None)) as child:
        assert child.request({"do": "grow", "bytes": 100 * MIB}, seconds=PROMPT) == {"size": 100 * MIB}


def test_memory_is_watched_where_the_child_cannot_limit_itself() -> None:
    with (
        closing(Child(python(UNLIMITED), memory=32 * MIB)) as child,
        pytest.raises(ChildOutOfMemory, match="too much memory"),
    ):
        child.request({}, seconds=PROMPT)


def test_exception_ends_the_child_and_is_readable(child: Child) -> None:
    with dies(child), pytest.raises(ChildDied, match="ZeroDivisionError: no divisor"):
        child.request({"do": "fail"}, seconds=PROMPT)


def test_exit_status_and_bounded_stderr(child: Child) -> None:
    with dies(child), pytest.raises(ChildDied) as death:
        child.request({"do": "exit"}, seconds=PROMPT)
    assert death.value.returncode == 7
    assert death.value.stderr.endswith("last words")
    assert len(death.value.stderr) < 10_000


def test_what_is_printed_does_not_disturb_the_answers(child: Child) -> None:
    assert child.request({"do": "print"}, seconds=PROMPT) == {"pid": child.pid}
    echo(child)


def test_killed_from_outside_between_requests(child: Child) -> None:
    echo(child)
    psutil.Process(child.pid).kill()
    psutil.Process(child.pid).wait()
    echo(child)


@pytest.mark.parametrize("answer", ["nonsense", "[1]", '{"unknown": 1}', "[" * 100_000])
def test_nonsense_is_an_error(answer: str) -> None:
    script = f"import sys; sys.stdin.readline(); print({answer!r}, flush=True); sys.stdin.readline()"
    with closing(Child([*python(script)])) as child, pytest.raises(ChildDied):
        child.request({}, seconds=PROMPT)


def test_command_that_does_not_exist() -> None:
    with closing(Child(["no-such-program-here"])) as child, pytest.raises(ChildDied, match="failed to start: "):
        child.start()


def test_child_that_never_gets_ready() -> None:
    script = "import sys; sys.stdin.read()"
    with closing(Child(python(script), start_seconds=0.2)) as child, pytest.raises(ChildTimedOut):
        child.request({}, seconds=PROMPT)


def test_closing_ends_a_request_in_another_thread(child: Child, door: socket.socket) -> None:
    errors: list[ChildError] = []

    def hang() -> None:
        try:
            child.request({"do": "hang", "port": port_of(door)}, seconds=60)
        except ChildError as error:
            errors.append(error)

    thread = threading.Thread(target=hang)
    thread.start()
    wait_for_knock(door)
    child.close()
    thread.join()
    assert len(errors) == 1
    with pytest.raises(ChildDied, match="has exited"):
        child.start()


def test_no_secrets(child: Child, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("SPECCHAT_HOME", "home")
    monkeypatch.setenv("LLAMA_CPP_LIB_PATH", "libraries")
    monkeypatch.setenv("GGML_VK_VISIBLE_DEVICES", "0")
    seen = child.request({"do": "environment"}, seconds=PROMPT)
    assert not {"HF_TOKEN", "AWS_SECRET_ACCESS_KEY"} & seen.keys()
    assert seen["SPECCHAT_HOME"] == "home"
    assert seen["LLAMA_CPP_LIB_PATH"] == "libraries"
    assert seen["GGML_VK_VISIBLE_DEVICES"] == "0"
    assert child_environment().items() <= seen.items()


def test_the_current_folder_is_not_searched_for_modules(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    downloads = tmp_path_factory.mktemp("downloads")
    (downloads / "jinja2.py").write_text("raise SystemExit('taken over')")
    monkeypatch.chdir(downloads)
    with closing(Child(child_command("template"))) as child:
        request = {"template": "fine", "messages": [], "variables": {}, "shadows": {}, "now": "2030-01-01"}
        assert child.request(request, seconds=PROMPT) == {"text": "fine"}


def test_nothing_stays_when_the_program_ends() -> None:
    script = f"""
import sys
from specchat.backends.child import Child
child = Child([sys.executable, "-c", {HANDLER!r}])
child.request({{"do": "echo", "text": ""}}, seconds={PROMPT})
print(child.pid)
"""
    command = [sys.executable, "-X", "dev", "-W", "error", "-c", script]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert ended.stderr == ""
    assert not psutil.pid_exists(int(ended.stdout))


def test_child_ends_when_its_parent_is_killed(door: socket.socket) -> None:
    """Also while it computes: nobody reads its pipe then."""
    script = f"""
import os, sys, threading
from specchat.backends.child import Child
child = Child([sys.executable, "-c", {HANDLER!r}])
hang = {{"do": "hang", "port": {port_of(door)}}}
threading.Thread(target=child.request, args=[hang], kwargs={{"seconds": 600}}, daemon=True).start()
sys.stdin.read(1)
print(child.pid, flush=True)
os._exit(0)
"""
    pipe = subprocess.PIPE
    with subprocess.Popen(python(script), stdin=pipe, stdout=pipe, text=True) as parent:
        wait_for_knock(door)
        child = int(parent.communicate("x", timeout=60)[0])
    assert has_ended(child)


def test_child_outlives_the_thread_that_started_it(child: Child) -> None:
    thread = threading.Thread(target=echo, args=[child])
    thread.start()
    thread.join()
    first = child.pid
    echo(child)
    assert child.pid == first is not None


def test_hanging_child_ends_itself_when_nobody_kills_it() -> None:
    script = HANDLER.replace(
        "serve(handle)", "import specchat.backends.child_loop as loop; loop.GRACE_S = 0.1; serve(handle)"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen(python(script), stdin=pipe, stdout=pipe, stderr=pipe) as hanging:
        assert hanging.stdin is not None
        hanging.stdin.write(b'{"memory": null}\n{"seconds": 0.1, "request": {"do": "hang"}}\n')
        hanging.stdin.flush()
        assert hanging.wait(60) == 1
        answers, complaints = hanging.communicate()
    assert answers == b'{"limited": false}\n'
    assert b"Timeout" in complaints


def test_command_of_the_packaged_program(monkeypatch: pytest.MonkeyPatch) -> None:
    assert child_command("template") == [sys.executable, "-m", "specchat", "--child", "template"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child_command("template") == [sys.executable, "--child", "template"]


def test_unknown_child() -> None:
    assert child_registry.main("unknown") == 2


def test_template_child_does_not_load_llama_cpp() -> None:
    script = """
import sys
import specchat.__main__, specchat.backends.child_registry, specchat.backends.template_child
print([name for name in ("llama_cpp", "numpy", "psutil") if name in sys.modules])
"""
    loaded = subprocess.run(python(script), capture_output=True, text=True, check=True, timeout=60)
    assert loaded.stdout.strip() == "[]"
