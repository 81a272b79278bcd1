"""What goes wrong."""

from dataclasses import dataclass
from http import HTTPStatus
from threading import Lock

from support.hub.answers import Answer, Refused
from support.hub.traffic import OriginName, Request


@dataclass(frozen=True, slots=True)
class Fault:
    """Happens to one answer; what its fields say may be combined."""

    reset: bool = False
    truncated: bool = False
    """The connection is closed, politely and too early."""
    stalled: float = 0
    """So many seconds without a byte, unless the server closes first; then it goes on."""
    bytes_per_second: int = 0
    after_bytes: int = 0
    """Of the answer; where the faults above begin."""
    length_off_by: int = 0
    """The announced length, less the true one."""
    corrupted_at: int | None = None
    """Of the file, wherever the answer begins."""
    ignores_range: bool = False
    expired: bool = False
    """The signed address is good for nothing any more; the Hub hands out a new one."""
    status: int | None = None
    error_code: str = ""
    retry_after: int | None = None

    def can_spoil(self, request: Request, answer: Answer) -> bool:
        if self.status is not None:
            return True
        if answer.status not in (200, 206):
            return False
        if self.expired:
            return request.origin == "cdn"
        if request.method == "HEAD" or (self.ignores_range and answer.status != 206):
            return False
        if self.corrupted_at is not None and not self.ignores_range:
            return answer.start <= self.corrupted_at < answer.end
        return self.after_bytes < answer.length

    def refused(self, request: Request, answer: Answer) -> Refused:
        assert self.status is not None
        headers: dict[str, str] = {}
        wait = 1 if self.status == 429 and self.retry_after is None else self.retry_after
        if wait is not None:
            headers["Retry-After"] = str(wait)
        if self.status == 429 and request.origin == "hub":
            kind, quota = ("api", 500) if request.path.startswith("/api/") else ("resolvers", 3000)
            headers["RateLimit"] = f'"{kind}";r=0;t={wait}'
            headers["RateLimit-Policy"] = f'"fixed window";"{kind}";q={quota};w=300'
        if self.status == 416:
            headers["Content-Range"] = f"bytes */{answer.content.size}"
        return Refused(self.status, self.error_code, HTTPStatus(self.status).phrase, headers)


NOTHING_WRONG = Fault()


@dataclass(slots=True)
class _Planned:
    path_or_glob: str
    fault: Fault
    times: int | None
    origin: OriginName | None

    def suits(self, request: Request, answer: Answer) -> bool:
        is_meant = self.times != 0 and self.origin in (None, request.origin) and request.is_for(self.path_or_glob)
        return is_meant and self.fault.can_spoil(request, answer)


class FaultPlan:
    """One fault for each answer: the first planned one that can spoil it; the others wait for the next."""

    def __init__(self) -> None:
        self._planned: list[_Planned] = []
        self._lock = Lock()

    def add(self, path_or_glob: str, fault: Fault, times: int | None, origin: OriginName | None) -> None:
        with self._lock:
            self._planned.append(_Planned(path_or_glob, fault, times, origin))

    def clear(self) -> None:
        with self._lock:
            self._planned.clear()

    def take(self, request: Request, answer: Answer) -> Fault:
        with self._lock:
            planned = next((each for each in self._planned if each.suits(request, answer)), None)
            if planned is None:
                return NOTHING_WRONG
            if planned.times is not None:
                planned.times -= 1
            return planned.fault
