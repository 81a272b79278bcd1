"""What was asked, and how much of it was sent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from threading import Condition
from typing import Literal
from urllib.parse import unquote

OriginName = Literal["hub", "cdn"]


@dataclass(slots=True)
class Request:
    method: str
    origin: OriginName
    path: str
    """As it was sent, with its percent signs."""
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    """By their names in small letters."""
    body: bytes
    at: float
    sent_bytes: int = 0
    """Of what was asked for, counted just before they leave; the text of refusals does not count."""

    @property
    def range(self) -> str | None:
        return self.headers.get("range")

    def is_for(self, path_or_glob: str) -> bool:
        path = unquote(self.path)
        return path == path_or_glob or fnmatchcase(path, path_or_glob)


class Traffic:
    def __init__(self) -> None:
        self._requests: list[Request] = []
        self._changed = Condition()

    @property
    def requests(self) -> list[Request]:
        with self._changed:
            return list(self._requests)

    def add(self, request: Request) -> None:
        with self._changed:
            self._requests.append(request)
            self._changed.notify_all()

    def sent(self, request: Request, size: int) -> None:
        with self._changed:
            request.sent_bytes += size
            self._changed.notify_all()

    def wait_until(self, condition: Callable[[], bool], timeout: float) -> None:
        with self._changed:
            if not self._changed.wait_for(condition, timeout):
                raise TimeoutError("the local Hub was not asked for it")
