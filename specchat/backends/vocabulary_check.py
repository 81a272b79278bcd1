"""Checks in a child process that llama.cpp can load the vocabulary of a file.

A faulty vocabulary can make llama.cpp search forever or fill the memory. The check loads no weights and uses no GPU, so
little time and memory are enough for every valid file of any size.
"""

import mmap
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from specchat.backends.crash_errors import RAN_TOO_LONG, is_out_of_memory, memory_limit_error
from specchat.backends.weights import Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ModelLoadError
from specchat.domain.memory import CPU
from specchat.domain.types import ModelSettings

SECONDS = 8.0
"""The limit in seconds of CPU time, even on a busy computer; the largest vocabularies take less than one."""
MEMORY = 320 << 20
"""The memory limit; the largest vocabularies take less than half."""
_LARGEST_HEADER = 64 << 20
_POLL_S = 0.05


def check_vocabulary(path: Path, *, seconds: float = SECONDS, memory: int = MEMORY) -> None:
    size = path.stat().st_size if path.is_file() else 0
    try:
        with _limited_time(seconds), _limited_memory(memory + 2 * min(size, _LARGEST_HEADER)):
            _read_all_characters(path)
    except ModelLoadError as error:
        if is_out_of_memory(error.message):
            raise memory_limit_error(path.name) from error
        raise


def _read_all_characters(path: Path) -> None:
    with closing(Weights(path, ModelSettings(device=CPU), CancelToken(), vocabulary_only=True)) as weights:
        weights.require_text()
        for text in _texts():
            weights.vocabulary.tokenize(text, add_special=True, parse_special=False)


def _texts() -> Iterator[str]:
    """Yields texts with every possible byte, because llama.cpp ends the program if the vocabulary lacks one.

    They contain all characters of up to three bytes: a character with its own token doesn't test its bytes.
    """
    codes = [*range(0xD800), *range(0xE000, 0x10000), 0x1FFFD, 0x5FFFD, 0x9FFFD, 0xEFFFD, 0x10FFFD]
    for at in range(0, len(codes), 256):
        yield "".join(map(chr, codes[at : at + 256]))


@contextmanager
def _limited_time(seconds: float) -> Iterator[None]:
    """Ends this process after the time limit, because llama.cpp can't be stopped otherwise."""
    done = threading.Event()

    def watch() -> None:
        start = time.process_time()
        while not done.wait(_POLL_S):
            if time.process_time() - start > seconds:
                os._exit(RAN_TOO_LONG)

    watching = threading.Thread(target=watch, name="vocabulary-time", daemon=True)
    watching.start()
    try:
        yield
    finally:
        done.set()
        watching.join()


@contextmanager
def _limited_memory(more: int) -> Iterator[None]:
    """Limits the private writable memory, without mapped files and reserved addresses.

    Linux only; on other systems the parent watches the memory.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    limit = min([_own_memory() + more, *(each for each in before if each != resource.RLIM_INFINITY)])
    resource.setrlimit(resource.RLIMIT_DATA, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, before)


def _own_memory() -> int:
    """Returns the memory that the limit counts, and the stack, which is small."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    return pages * mmap.PAGESIZE
