"""Explains how an earlier run of the window or a server ended abnormally."""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from specchat.backends.abort_message import abort_message
from specchat.backends.crash_errors import BROKEN, FATAL
from specchat.domain.errors import UserError
from specchat.domain.translatable_text import TranslatableText
from specchat.store.run_record import AT_REST, IMPORTED, IMPORTING, LOADING, WINDOW

_CRASHED_THREAD = re.compile(r"^Current thread .*?(?=^Thread |\Z)", re.MULTILINE | re.DOTALL)
_NOTES = re.compile(r"^- (.*)$", re.MULTILINE)
_ENGINE = re.compile(r"specchat[/\\]backends[/\\]")
_LOOKS_FOR_GPUS = re.compile(
    r'backends[/\\](?:devices\.py"|library\.py", line \d+ in (?:start|_load_backend)$)', re.MULTILINE
)
_OF_A_GPU = re.compile(r"\b(vulkan|vk|cuda|rocm|hip|sycl|metal)\b", re.IGNORECASE)
_OF_THE_PROCESSOR = "Illegal instruction"

_BEFORE_WINDOW = TranslatableText("specchat crashed last time before its window opened: {reason}")
_LOADING_ON_GPU = TranslatableText("specchat crashed last time while loading {name} on the GPU: {reason}")
_ON_GPU = TranslatableText("specchat crashed last time while using the GPU: {reason}")
_DRIVER = TranslatableText("Update the graphics driver, or continue without the GPU.")
_REPORT = TranslatableText(
    "To report it, save a crash report and attach it to an issue on GitHub. It contains the log, but no chat text."
)
_TRIES_AGAIN = TranslatableText(
    "specchat is trying again. If it crashes again, report it and attach the files in {logs}."
)


@dataclass(frozen=True)
class RunEnding:
    record: str
    log: str = ""
    """The last lines that it wrote there."""

    @cached_property
    def reason(self) -> str:
        """Empty: from outside, for want of memory or of power."""
        words, fatal = abort_message(self._end), FATAL.findall(self._end)
        if "bad_alloc" in words:
            return TranslatableText("out of memory.")
        return words or (f"{fatal[-1]}." if fatal else "")

    @property
    def had_window(self) -> bool:
        return WINDOW in self._notes

    @property
    def loading(self) -> str:
        """The target that was being loaded."""
        of_loading = (note for note in reversed(self._notes) if note == AT_REST or note.startswith(f"{LOADING} "))
        doing, _, name = next(of_loading, "").partition(" ")
        return name if doing == LOADING else ""

    @property
    def was_importing(self) -> bool:
        """Chats, of which none is kept then."""
        return next((note for note in reversed(self._notes) if note in (IMPORTING, IMPORTED)), "") == IMPORTING

    @property
    def used_gpu(self) -> bool:
        if words := abort_message(self._end):
            return _OF_A_GPU.search(words) is not None
        is_suspect = "using device" in self.record or _LOOKS_FOR_GPUS.search(self._trace) is not None
        return is_suspect and self._was_engine and not self.reason.startswith(_OF_THE_PROCESSOR)

    @property
    def may_recur(self) -> bool:
        """Where the same models were loaded again."""
        return bool(self.loading) or (bool(self.reason) and self.used_gpu)

    @property
    def crashed_loading(self) -> str:
        """The target, where that may be why."""
        return self.loading if self._was_engine else ""

    @property
    def error(self) -> UserError:
        """Of a crash."""
        loading = self.crashed_loading
        facts = {"name": loading, "reason": self.reason}
        if not self.had_window:
            return UserError(_BEFORE_WINDOW, _REPORT, **facts)
        if self.used_gpu:
            return UserError(_LOADING_ON_GPU if loading else _ON_GPU, _DRIVER, **facts)
        if loading:
            return UserError("specchat crashed last time while loading {name}: {reason}", BROKEN, **facts)
        return UserError("specchat crashed last time: {reason}", _REPORT, **facts)

    def startup_error(self, logs: Path) -> UserError:
        """Before there is a window that could save a report."""
        return UserError(_BEFORE_WINDOW, _TRIES_AGAIN, reason=self.reason, logs=logs)

    @cached_property
    def _notes(self) -> list[str]:
        return _NOTES.findall(self.record)

    @cached_property
    def _end(self) -> str:
        """What came before the last note was survived: Windows traces what is mended too."""
        notes = list(_NOTES.finditer(self.record))
        return self.record[notes[-1].end() :] if notes else self.record

    @cached_property
    def _trace(self) -> str:
        """Of the thread that crashed; of all where it was none of Python's."""
        crashed = _CRASHED_THREAD.search(self._end)
        return crashed[0] if crashed else self._end

    @property
    def _was_engine(self) -> bool:
        return _ENGINE.search(self._trace) is not None
