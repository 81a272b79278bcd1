"""Shows a native dialog when Qt cannot be used; needs only the standard library."""

import subprocess
import sys
import textwrap
from collections.abc import Callable, Sequence

_COLUMNS = 80
_ERROR, _IN_FRONT = 0x10, 0x10000
_APPLE = (
    "on run words",
    "display alert (item 1 of words) message (item 2 of words) as critical",
    "end run",
)


def show_native_dialog(message: str, hint: str) -> bool:
    """Until it is closed. False: there is nothing that shows it."""
    if sys.platform == "win32":
        import ctypes

        return bool(ctypes.windll.user32.MessageBoxW(None, f"{message}\n\n{hint}", "specchat", _ERROR | _IN_FRONT))
    if sys.platform == "darwin":
        lines = [option for line in _APPLE for option in ("-e", line)]
        return _runs(["osascript", *lines, message, hint])
    return any(_runs(command(message, hint)) for command in _ON_DESKTOPS)


def _zenity(message: str, hint: str) -> Sequence[str]:
    text = f"{message}\n\n{hint}".replace("\\", "\\\\")
    return ["zenity", "--error", "--no-markup", "--title=specchat", "--width=480", f"--text={text}"]


def _kdialog(message: str, hint: str) -> Sequence[str]:
    return ["kdialog", "--title", "specchat", "--error", f"{message}\n\n{hint}"]


def _gxmessage(message: str, hint: str) -> Sequence[str]:
    return ["gxmessage", *_xmessage(message, hint)[1:]]


def _xmessage(message: str, hint: str) -> Sequence[str]:
    lines = [*textwrap.wrap(message, _COLUMNS), "", *textwrap.wrap(hint, _COLUMNS)]
    return ["xmessage", "-center", "-title", "specchat", "-buttons", "OK:0", "\n".join(lines)]


def _notify(message: str, hint: str) -> Sequence[str]:
    return ["notify-send", "--urgency=critical", "--app-name=specchat", message, hint]


_ON_DESKTOPS: Sequence[Callable[[str, str], Sequence[str]]] = (_zenity, _kdialog, _gxmessage, _xmessage, _notify)


def _runs(command: Sequence[str]) -> bool:
    """Closing a dialog may count as 1, as does a display that cannot be reached."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
    except OSError:
        return False
    return done.returncode in (0, 1) and b"open display" not in done.stderr.lower()
