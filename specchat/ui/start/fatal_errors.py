"""Reports errors that end the program, even when there is no terminal.

Every command imports this first: it needs little itself.
"""

import logging
import os
import sys
from contextlib import suppress
from types import TracebackType
from typing import TextIO

log = logging.getLogger(__name__)

_STREAMS = (0, 1, 2)
_UNSEEN = ("offscreen", "minimal", "minimalegl", "vnc")


def show_fatal_message(message: str, hint: str, *, with_qt: bool = True) -> bool:
    """False: there is a terminal to read it in, or no screen, or nothing that shows dialogs."""
    if has_terminal() or not _has_screen():
        return False
    from specchat.ui.start.native_dialog import show_native_dialog

    return (with_qt and _show_with_qt(message, hint)) or show_native_dialog(message, hint)


class StartupErrorReporter:
    """Whatever nobody else explains, a broken installation for instance, ends in two lines."""

    def __init__(self, *, in_window: bool, in_json: bool) -> None:
        self._in_window = in_window
        self._in_json = in_json

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        message = " ".join(f"specchat can't start: {type(error).__name__}: {error}".split())
        attachment = _attachment(error) if self._in_window else ""
        hint = f"Reinstall specchat. If that doesn't help, report the problem{attachment}."
        _say(sys.stderr, f"{message}\nhint: {hint}")
        if self._in_json:
            import json

            _say(sys.stdout, json.dumps({"error": message, "hint": hint}))
        if self._in_window:
            show_fatal_message(message, hint)
        return True


def _say(stream: TextIO | None, words: str) -> None:
    with suppress(OSError):
        if stream is not None:
            stream.write(f"{words}\n")
            stream.flush()


def _attachment(error: Exception) -> str:
    """There is no log yet."""
    import tempfile
    import traceback

    try:
        from specchat.services.program.redaction import redact_names

        path = os.path.join(tempfile.gettempdir(), f"specchat-{_user()}.txt")
        with suppress(FileNotFoundError):
            os.unlink(path)
        private = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # nor is a link followed
        with open(private, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(redact_names("".join(traceback.format_exception(error))))
    except (OSError, RuntimeError, ImportError):
        return ""
    return f" and attach {path}"


def _user() -> int:
    if sys.platform == "win32":  # where each has a folder of its own for such files
        return 0
    return os.getuid()


def _show_with_qt(message: str, hint: str) -> bool:
    from specchat.domain.errors import UserError
    from specchat.ui.start.qt_check import require_qt

    try:
        require_qt()
        from specchat.ui.start.fatal_error_box import show_fatal_error

        show_fatal_error(message, hint)
    except (UserError, ImportError, OSError, RuntimeError) as error:
        log.info("Couldn't show specchat's own error dialog: %s", error)
        return False
    return True


def has_terminal() -> bool:
    if sys.platform == "win32":  # where there is no console, C takes its streams for one
        import ctypes

        return bool(ctypes.windll.kernel32.GetConsoleWindow())
    return any(map(os.isatty, _STREAMS))


def _has_screen() -> bool:
    if os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] in _UNSEEN:
        return False
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
