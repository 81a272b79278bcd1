"""What is said of a model file that ends the process which loads it."""

import re
import signal

from specchat.backends.child import ChildDied, ChildError
from specchat.domain.errors import ModelLoadError
from specchat.domain.said import Said

BROKEN = Said("The file may be damaged or too new for this version: download it again, or update specchat.")

_REASON = re.compile(r"llama\.cpp gave up: (?:.*[/\\](?=[^/\\]+:\d+: ))?(.*)|^ *what\(\): *(.*)", re.MULTILINE)
"""An assertion of its own, without the folder of whoever compiled it, or an exception that nobody caught."""
_KILLED = -9


def crash(name: str, error: ChildError) -> ModelLoadError:
    return ModelLoadError("{name} crashes llama.cpp: {reason}", BROKEN, name=name, reason=_last_words(error))


def was_killed(error: ChildError) -> bool:
    """By the system, which does so when memory runs out."""
    return isinstance(error, ChildDied) and error.returncode == _KILLED


def _last_words(error: ChildError) -> str:
    if not isinstance(error, ChildDied):
        return error.message
    if reason := _REASON.search(error.stderr):
        return reason[1] or reason[2]
    if error.returncode is not None and error.returncode < 0:
        return f"{signal.strsignal(-error.returncode)}."
    return error.message
