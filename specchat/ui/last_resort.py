"""What ends the program is read by somebody, also where it was started without a terminal.

Every command imports this first: it needs little itself.
"""

import logging
import os
import sys
from contextlib import suppress
from types import TracebackType

log = logging.getLogger(__name__)

_STREAMS = (0, 1, 2)
_UNSEEN = ("offscreen", "minimal", "minimalegl", "vnc")


def show(message: str, hint: str, *, with_qt: bool = True) -> bool:
    """False: there is a terminal to read it in, or no screen, or nothing that shows dialogs."""
    if _has_terminal() or not _has_screen():
        return False
    from specchat.ui.system_dialog import show_with_the_system

    return (with_qt and _show_with_qt(message, hint)) or show_with_the_system(message, hint)


class EscapesTold:
    """Whatever nobody else explains, a broken installation for instance, ends in two lines."""

    def __init__(self, *, in_window: bool) -> None:
        self._in_window = in_window

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> bool:
        if not isinstance(error, Exception):
            return False
        message = " ".join(f"specchat cannot start: {type(error).__name__}: {error}".split())
        hint = f"Install specchat again. If that does not help, report it{_attachment(error)}."
        with suppress(OSError):
            if sys.stderr is not None:
                sys.stderr.write(f"{message}\nhint: {hint}\n")
        if self._in_window:
            show(message, hint)
        return True


def _attachment(error: Exception) -> str:
    """There is no log yet."""
    import tempfile
    import traceback

    try:
        with tempfile.NamedTemporaryFile(
            "w", prefix="specchat-", suffix=".txt", delete=False, encoding="utf-8", errors="backslashreplace"
        ) as file:
            file.writelines(traceback.format_exception(error))
    except OSError:
        return ""
    return f" and attach {file.name}"


def _show_with_qt(message: str, hint: str) -> bool:
    from specchat.domain.errors import UserError
    from specchat.ui.qt_ready import require_qt

    try:
        require_qt()
        from specchat.ui.fatal_box import show_box
    except (UserError, ImportError) as error:
        log.info("There is no dialog of our own: %s", error)
        return False
    show_box(message, hint)
    return True


def _has_terminal() -> bool:
    return any(map(os.isatty, _STREAMS))


def _has_screen() -> bool:
    if os.environ.get("QT_QPA_PLATFORM", "").partition(":")[0] in _UNSEEN:
        return False
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
