"""The request loop inside a child process; imports little, so that it starts fast."""

import faulthandler
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from specchat.backends.parent_end import end_with_parent

GRACE_S = 5.0
Handler = Callable[[dict[str, Any]], dict[str, Any]]


def serve(handle: Handler, *, limits_itself: bool = True) -> None:
    """Answers requests until the parent closes the pipe. A handler's exception ends the process.

    `limits_itself`: False if GPU drivers reserve far more addresses than they use; then the parent watches the memory.
    """
    end_with_parent()
    requests, answers = take_over_pipes()
    disable_core_dumps()
    settings = json.loads(requests.readline() or b"{}")
    _answer(answers, {"limited": limits_itself and _limit_memory(settings.get("memory"))})
    for line in requests:
        _answer(answers, _reply(handle, line))


def take_over_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Redirects later output to stdout, also from C libraries, to stderr, because stdout is for replies."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return open(0, "rb", closefd=False), answers


def _answer(answers: IO[bytes], message: dict[str, Any]) -> None:
    answers.write(json.dumps(message).encode() + b"\n")
    answers.flush()


def _reply(handle: Handler, line: bytes) -> dict[str, Any]:
    try:
        envelope = json.loads(line)
        with _self_destruct(envelope["seconds"] + GRACE_S):
            return {"reply": handle(envelope["request"])}
    except MemoryError:
        return {"out_of_memory": True}


@contextmanager
def _self_destruct(seconds: float) -> Iterator[None]:
    """Ends the process after its time limit. The parent kills it earlier, unless it has died itself."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=2)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def disable_core_dumps() -> None:
    """Disables core dumps, which would contain the conversation or a whole model."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_memory(allowance: int | None) -> bool:
    """Limits memory on Linux. macOS ignores the limit and Windows has none; there the parent watches the memory."""
    if allowance is None or sys.platform != "linux":
        return False
    import resource

    try:
        with open("/proc/self/statm") as usage:
            pages = int(usage.read().split()[0])
    except OSError:
        return False
    limit = pages * resource.getpagesize() + allowance
    ceiling = resource.getrlimit(resource.RLIMIT_AS)[1]
    if ceiling != resource.RLIM_INFINITY:
        limit = min(limit, ceiling)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    return True
