"""Removes user names and folders from text that others will read.

A broken installation reads it too: it needs nothing but the standard library.
"""

import getpass
import re
import sys
from collections.abc import Iterator
from pathlib import Path

_BEGINS, _ENDS = r"(?<![\w.~-])", r"""(?=[\\/\s"'<>|:;,)\]]|\.?$)"""
_SEPARATOR = r"[\\/]{1,4}"
_FOLDERS = rf'(?:[^\\/\n"]{{1,255}}{_SEPARATOR}){{0,40}}'
_OF_A_MODEL = re.compile(
    rf'(?<![\\/])(?:~|\b[A-Za-z]:)?{_SEPARATOR}{_FOLDERS}(?=[^\\/\n"]{{1,255}}\.(?:gguf|safetensors))', re.IGNORECASE
)
_CASE = re.IGNORECASE if sys.platform in ("win32", "darwin") else re.NOFLAG
_SHORT = 6


def redact_names(text: str) -> str:
    home = Path.home()
    if home != Path(home.anchor):
        for place in {str(home), str(home.resolve())}:
            text = _whole_path(place).sub("~", text)
    for name in _names(home):
        text = _component(name).sub("user", text)
    return _OF_A_MODEL.sub("", text)


def _whole_path(path: str) -> re.Pattern[str]:
    """However its separators are written."""
    parts = _SEPARATOR.join(map(re.escape, re.split(r"[\\/]+", path)))
    return re.compile(_BEGINS + parts + _ENDS, _CASE | re.MULTILINE)


def _component(name: str) -> re.Pattern[str]:
    """Of a path; Windows has a short name for it too."""
    short = re.escape(re.sub(r"[\s.]", "", name)[:_SHORT]) + r"~\d+"
    return re.compile(rf"(?<=[\\/])(?:{re.escape(name)}|(?i:{short})){_ENDS}", _CASE | re.MULTILINE)


def _names(home: Path) -> Iterator[str]:
    yield from {home.name, home.resolve().name} - {""}
    try:
        yield getpass.getuser()
    except (OSError, KeyError, ImportError):  # which of them depends on the version
        return
