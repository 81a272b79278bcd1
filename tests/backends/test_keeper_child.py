"""Programs of others end when we do."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from specchat.backends.child import child_command, child_environment
from specchat.backends.child_process import RunningChild, spawn

WAITS_FOR_EVER = "import sys, time; print('here', file=sys.stderr, flush=True); time.sleep(1000)"


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
    """A parent that was killed closes the pipe. The program has stderr too, which ends with the last who has it."""
    with keeping([sys.executable, "-c", WAITS_FOR_EVER]) as child:
        child.stdin.close()
        child.process.wait(30)
        assert "Traceback" not in child.tail.text_at_end()


def test_a_program_that_cannot_be_started() -> None:
    with keeping(["/nowhere/llama-server"]) as child:
        assert child.process.wait(30) == 126
        assert child.tail.text_at_end()


def test_paths_may_hold_anything() -> None:
    with keeping([sys.executable, "-c", "import sys; sys.exit(sys.argv[1])", "Größe 世界"]) as child:
        child.process.wait(30)
        assert child.tail.text_at_end() == "Größe 世界"
