"""Checks for a newer specchat release, only if the user wants to know.

What is asked for is a file of the project's newest release:
{"version": "0.2.0", "page": "https://...", "notes": "..."}, the page being at the same host.
SPECCHAT_UPDATES names another address for it; empty, it says that updates come some other way.
"""

import json
import os
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from specchat import __version__
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.hosts import host_of
from specchat.domain.printable_text import printable_text
from specchat.domain.serialization import require_type

ADDRESS = "https://github.com/specchat/specchat/releases/latest/download/latest.json"
_VERSION = re.compile(r"[0-9]{1,5}(\.[0-9]{1,5}){1,3}")
_OWN_VERSION = re.compile(rf"({_VERSION.pattern})\.?(a|b|rc|dev)?.*")
_LONGEST_PAGE = 500
_LONGEST_NOTES = 1000


@dataclass(frozen=True, slots=True)
class Update:
    version: str
    page: str
    """Where it can be had."""
    notes: str = ""


class UpdateChecker:
    def __init__(self, address: str | None = None, own: str = __version__) -> None:
        self._address = os.environ.get("SPECCHAT_UPDATES", ADDRESS).strip() if address is None else address
        self._own = own

    @property
    def host(self) -> str:
        """Who would be asked; empty: nobody is to be asked."""
        return host_of(self._address)

    def find_newer(self, cancel: CancelToken) -> Update | None:
        from specchat.sources.update_check import fetch  # it takes its time to import

        try:
            newest = _read(fetch(self._address, cancel), self.host)
        except ValueError as error:
            raise UserError(
                "{host} sent an unexpected reply instead of update information.",
                "Try again later, and check whether this network requires you to log in first.",
                host=self.host,
            ) from error
        return newest if _is_newer(newest.version, self._own) else None


def _read(answer: bytes, host: str) -> Update:
    try:
        given = require_type(dict, json.loads(answer))
    except RecursionError as error:
        raise ValueError("too deep") from error
    version = require_type(str, given.get("version"))
    if not _VERSION.fullmatch(version):
        raise ValueError("no version")
    return Update(
        version, _page(require_type(str, given.get("page")), host), _notes(require_type(str, given.get("notes", "")))
    )


def _page(address: str, host: str) -> str:
    """One that looks like what it is, of whoever was asked."""
    parts = urlsplit(address)
    is_plain = len(address) <= _LONGEST_PAGE and re.fullmatch(r"[!-~]+", address) and "\\" not in address
    if not is_plain or parts.scheme != "https" or parts.hostname != host or "@" in parts.netloc:
        raise ValueError("no page")
    return address


def _notes(text: str) -> str:
    """Nothing that moves or hides the words around it."""
    plain = "\n".join(printable_text(line, "") for line in text.splitlines()).strip()
    return plain if len(plain) <= _LONGEST_NOTES else f"{plain[: _LONGEST_NOTES - 1]}…"


def _is_newer(version: str, own: str) -> bool:
    parsed = _OWN_VERSION.fullmatch(own)
    assert parsed is not None, own
    is_unfinished = parsed[3] is not None
    ours, theirs = _numbers(parsed[1]), _numbers(version)
    return theirs > ours or (theirs == ours and is_unfinished)


def _numbers(version: str) -> tuple[int, ...]:
    """Alike for 1.0 and 1.0.0."""
    numbers = [int(part) for part in version.split(".")]
    return tuple(numbers + [0] * (4 - len(numbers)))
