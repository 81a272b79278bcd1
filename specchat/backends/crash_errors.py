"""Error messages for model files that crash the process that loads them."""

import re
import signal

from specchat.backends.abort_message import abort_message
from specchat.backends.child import ChildDied, ChildError, ChildStalled
from specchat.domain.errors import MemoryShortageError, ModelLoadError
from specchat.domain.translatable_text import TranslatableText

RAN_TOO_LONG = 75
"""The exit code of a process that exceeded its time on a vocabulary."""
BROKEN = TranslatableText("The file may be damaged or too new for this version: download it again, or update specchat.")
_DAMAGED = TranslatableText("Its header or its vocabulary may be damaged: download the file again.")
_CRASHES = TranslatableText("{name} crashes llama.cpp: {reason}")
_SMALLER = TranslatableText("Use a smaller context (-c), a smaller cache type, or fewer GPU layers (-ngl).")
_CACHE = "pre-allocated tensor (cache_"
"""llama.cpp's abort message if a device can't hold the cache in one piece, which is not the file's fault."""
_NO_MEMORY = "bad_alloc"
_KILLED = -9
FATAL = re.compile(r"^(?:Fatal Python error|Windows fatal exception): (?!code 0x8001010)(.*)$", re.MULTILINE)
"""Exceptions that Windows calls fatal but continues after."""
_CRASH_SIGNALS = [
    getattr(signal, name)
    for name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP")
    if hasattr(signal, name)
]
_FIRST_CRASH_ON_WINDOWS = 0xC0000000


def crash_error(name: str, error: ChildError) -> ModelLoadError:
    if isinstance(error, ChildDied) and error.returncode == RAN_TOO_LONG:
        return ModelLoadError("llama.cpp hangs on {name} before it reads any weights.", _DAMAGED, name=name)
    reason = _reason(error)
    if is_out_of_memory(reason):
        return memory_limit_error(name)
    if _CACHE in reason:
        return MemoryShortageError(_CRASHES, _SMALLER, name=name, reason=reason)
    return ModelLoadError(_CRASHES, BROKEN, name=name, reason=reason)


def is_out_of_memory(reason: str) -> bool:
    return _NO_MEMORY in reason


def memory_limit_error(name: str) -> ModelLoadError:
    return ModelLoadError("{name} needs far more memory than its size suggests.", _DAMAGED, name=name)


def describe_exit(returncode: int | None, stderr: str) -> str:
    """Describes how a process ended, as part of a sentence."""
    if words := abort_message(stderr):
        return TranslatableText("out of memory") if is_out_of_memory(words) else words.rstrip(".")
    if "MemoryError" in stderr:
        return TranslatableText("out of memory")
    if fatal := FATAL.findall(stderr):
        return str(fatal[-1]).rstrip(".")
    if returncode == _KILLED:
        return TranslatableText("the system stopped it, possibly because memory ran out")
    if returncode is not None and returncode < 0:
        return str(signal.strsignal(-returncode) or -returncode)
    return TranslatableText("its process ended ({code})", code=returncode if returncode is not None else "?")


def was_killed_by_system(error: ChildError) -> bool:
    """Returns whether the system killed the process, as it does when memory runs out."""
    return isinstance(error, ChildDied) and error.returncode == _KILLED


def was_held_up(error: ChildError) -> bool:
    """Returns whether the process was stopped or ended from outside, or before it began, not by its task."""
    if not isinstance(error, ChildDied):
        return isinstance(error, ChildStalled)
    if error.returncode is None:
        return True
    if error.returncode < 0:
        return -error.returncode not in _CRASH_SIGNALS
    return not error.stderr and error.returncode < _FIRST_CRASH_ON_WINDOWS


def _reason(error: ChildError) -> str:
    if not isinstance(error, ChildDied):
        return error.message
    if words := abort_message(error.stderr):
        return words
    if error.returncode is not None and error.returncode < 0:
        return f"{signal.strsignal(-error.returncode)}."
    return error.message
