"""What a site says to a request, before anything goes wrong with it."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from support.hub.blobs import Blob
from support.hub.traffic import Request

_RANGE = re.compile(r"bytes=(?=\d*-\d|\d+-)(\d*)-(\d*)")


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    content: Blob
    headers: Mapping[str, str] = field(default_factory=dict)
    part: tuple[int, int] | None = None

    @property
    def start(self) -> int:
        return self.part[0] if self.part else 0

    @property
    def end(self) -> int:
        return self.part[1] if self.part else self.content.size

    @property
    def length(self) -> int:
        return self.end - self.start


class Refused(Exception):
    def __init__(self, status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.headers = status, code, message, headers or {}


def json_answer(data: object, headers: Mapping[str, str] | None = None, status: int = 200) -> Answer:
    content = Blob(json.dumps(data).encode())
    return Answer(status, content, {"Content-Type": "application/json; charset=utf-8", **(headers or {})})


def refusal(request: Request, refused: Refused) -> Answer:
    if request.origin == "cdn":
        text = f"<Error><Code>AccessDenied</Code><Message>{refused.message}</Message></Error>"
        return Answer(refused.status, Blob(text.encode()), {"Content-Type": "application/xml", **refused.headers})
    named = {"X-Error-Code": refused.code, "X-Error-Message": refused.message}
    headers = {name: value for name, value in named.items() if value} | dict(refused.headers)
    return json_answer({"error": refused.message}, headers, refused.status)


def within(answer: Answer, request: Request) -> Answer:
    """The part that is asked for; several parts at once are answered with the whole, as storage services do."""
    asked = _RANGE.fullmatch(request.range or "")
    if asked is None or answer.headers.get("Accept-Ranges") != "bytes" or answer.status != 200:
        return answer
    size = answer.content.size
    first, last = asked.groups()
    start = int(first) if first else max(size - int(last), 0)
    end = min(int(last) + 1, size) if first and last else size
    if start >= end:
        return refusal(request, Refused(416, "", "Range Not Satisfiable", {"Content-Range": f"bytes */{size}"}))
    headers = {**answer.headers, "Content-Range": f"bytes {start}-{end - 1}/{size}"}
    return replace(answer, status=206, headers=headers, part=(start, end))
