"""Programs of others end when we do."""

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from support.program_processes import has_ended

from specchat.backends.child import child_command, child_environment
from specchat.backends.child_process import RunningChild, spawn

WAITS_FOR_EVER = "import os, sys, time; print(os.getpid(), file=sys.stderr, flush=True); time.sleep(1000)"


@contextmanager
def keeping(command: Sequence[str]) -> Iterator[RunningChild]:
    child = RunningChild(spawn(child_command("keeper"), child_environment()))
    try:
        child.stdin.write(json.dumps(command).encode() + b"\n")
        child.stdin.flush()
        yield child
    finally:
        child.stop()


def test_it_ends_with_the_program() -> None:
    with keeping([sys.executable, "-c", "import sys; sys.exit('its last words')"]) as child:
        assert child.process.wait(30) == 1
        assert child.tail.text_at_end() == "its last words"


def test_the_program_ends_with_the_parent() -> None:
    script = f"""
import json, os, sys
from specchat.backends.child import child_command, child_environment
from specchat.backends.child_process import RunningChild, spawn
child = RunningChild(spawn(child_command("keeper"), child_environment()))
child.stdin.write(json.dumps([sys.executable, "-c", {WAITS_FOR_EVER!r}]).encode() + b"\\n")
child.stdin.flush()
while not child.tail._bytes:
    pass
print(child.process.pid, child.tail._bytes.decode())
sys.stdout.flush()
os._exit(0)
"""
    parent = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    assert [pid for pid in map(int, parent.stdout.split()) if not has_ended(pid)] == []


def test_without_a_parent_nothing_is_started() -> None:
    ended = subprocess.run(child_command("keeper"), input=b"", capture_output=True, check=False, timeout=60)
    assert ended.stderr == b""


def test_a_program_that_cannot_be_started() -> None:
    with keeping(["/nowhere/llama-server"]) as child:
        assert child.process.wait(30) == 126
        assert child.tail.text_at_end()


def test_paths_may_hold_anything() -> None:
    with keeping([sys.executable, "-c", "import sys; sys.exit(sys.argv[1])", "Größe 世界"]) as child:
        child.process.wait(30)
        assert child.tail.text_at_end() == "Größe 世界"
