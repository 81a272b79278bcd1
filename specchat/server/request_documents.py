"""Replaces the documents in a request by their text. None is ever fetched from elsewhere."""

import asyncio
import binascii
import mimetypes
import re
from base64 import b64decode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.requests import Request

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Attachment
from specchat.domain.data_uris import decode_data_uri, is_data_uri
from specchat.domain.errors import UserError
from specchat.domain.types import Role
from specchat.server.client_request import read_body
from specchat.server.errors import BadRequestError
from specchat.server.messages import unsupported_part
from specchat.server.request_fields import RequestFields, raise_invalid_value
from specchat.services.chat.attached_file import read_attached_file
from specchat.services.chat.prompt_messages import format_attachment
from specchat.services.chat.titles import one_line

_MOST_DOCUMENTS = 20
_MOST_CHARACTERS = 4_000_000
"""Of all documents together; each alone has the reader's own limits."""
_READ_AT_ONCE = 2
_LONGEST_NAME = 200
_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,8}")
_KINDS = ("file", "input_file", "document")


@dataclass(frozen=True, slots=True)
class _Place:
    parts: list[dict[str, object]]
    at: int
    path: str

    def put(self, text: str) -> None:
        """Sets it off from the text around it."""
        before = "" if not self.at or str(self.parts[self.at - 1].get("text")).endswith("\n\n") else "\n\n"
        after = "\n\n" if self.at < len(self.parts) - 1 else ""
        self.parts[self.at] = {"type": "text", "text": f"{before}{text}{after}"}


@dataclass(frozen=True, slots=True)
class _SentFile:
    name: str
    suffix: str
    content: bytes
    param: str


class RequestDocuments:
    def __init__(self) -> None:
        self._readers = asyncio.Semaphore(_READ_AT_ONCE)

    async def read_body(self, request: Request) -> RequestFields:
        """Parsers find parts of text where the documents were."""
        body = await read_body(request)
        await self._replace(list(_places(body)))
        return body

    async def _replace(self, found: Sequence[_Place]) -> None:
        if len(found) > _MOST_DOCUMENTS:
            raise BadRequestError(f"The request has more than {_MOST_DOCUMENTS} documents.", None, "invalid_value")
        room = _MOST_CHARACTERS
        for place in found:
            text = await self._text(RequestFields(place.parts[place.at], place.path))
            room -= len(text)
            if room < 0:
                message = f"The documents have more than {_MOST_CHARACTERS // 1_000_000} million characters of text."
                raise BadRequestError(message, place.path, "invalid_value")
            place.put(text)

    async def _text(self, part: RequestFields) -> str:
        sent = _sent(part)
        context = part.get_text("context") or ""
        attachment = await self._read(sent) if isinstance(sent, _SentFile) else sent
        return "\n\n".join(filter(None, (context, format_attachment(attachment))))

    async def _read(self, sent: _SentFile) -> Attachment:
        cancel = CancelToken()
        async with self._readers:
            try:
                return await asyncio.to_thread(_read, sent, cancel)
            except asyncio.CancelledError:
                cancel.cancel()
                raise
            except UserError as error:
                raise BadRequestError(f"{error.message} {error.hint}", sent.param, "invalid_value") from error


def _places(body: RequestFields) -> Iterator[_Place]:
    """What is malformed the parsers refuse."""
    for name in ("messages", "input"):
        for number, message in _objects(body.get(name)):
            if message.get("role") == Role.USER:
                path = f"{name}[{number}]"
                yield from _places_in(message, path)
                for at, part in _objects(message.get("content")):
                    if part.get("type") == "tool_result":
                        yield from _places_in(part, f"{path}.content[{at}]")


def _places_in(holder: dict[str, object], path: str) -> Iterator[_Place]:
    parts = holder.get("content")
    for at, part in _objects(parts):
        if part.get("type") in _KINDS and isinstance(parts, list):
            yield _Place(parts, at, f"{path}.content[{at}]")


def _objects(values: object) -> Iterator[tuple[int, dict[str, object]]]:
    if isinstance(values, list):
        yield from ((at, value) for at, value in enumerate(values) if isinstance(value, dict))


def _sent(part: RequestFields) -> _SentFile | Attachment:
    match part.required_text("type"):
        case "file":
            part.required("file")
            return _file(part.get_fields("file"))
        case "input_file":
            return _file(part)
        case _:
            return _document(part)


def _file(given: RequestFields) -> _SentFile:
    """As OpenAI's clients send it."""
    given.reject("file_id")
    if "file_url" in given:
        raise _address_error(given.param("file_url"))
    data = given.required_text("file_data")
    name = _name(given.get_text("filename"))
    return _base64(data, name, _media_type(data), given.param("file_data"))


def _document(block: RequestFields) -> _SentFile | Attachment:
    """As Anthropic's clients send it."""
    block.get_fields("citations").reject("enabled", False)
    block.required("source")
    source, name = block.get_fields("source"), _name(block.get_text("title"))
    match source.required_text("type"):
        case "base64":
            media_type = source.get_text("media_type") or ""
            return _base64(source.required_text("data"), name, media_type, source.param("data"))
        case "text":
            return Attachment(name, source.required_text("data"))
        case "content":
            return Attachment(name, _content(source))
        case "url":
            raise _address_error(source.param("url"))
    return raise_invalid_value(source.param("type"), "must be base64, text, or content")


def _content(source: RequestFields) -> str:
    source.required("content")
    blocks = source.get_text_or_items("content", 10_000)
    if isinstance(blocks, str):
        return blocks
    if other := next((block for block in blocks if block.get_text("type") != "text"), None):
        raise unsupported_part(other, other.get_text("type"))
    return "\n\n".join(block.required_text("text") for block in blocks)


def _name(given: str | None) -> str:
    return one_line(given or "")[:_LONGEST_NAME] or "document"


def _media_type(data: str) -> str:
    return data.partition(",")[0].partition(":")[2].partition(";")[0] if is_data_uri(data) else ""


def _suffix(name: str, media_type: str) -> str:
    """Tells the kind of a table or a page, whose first bytes don't."""
    found = Path(name).suffix or mimetypes.guess_extension(media_type.casefold()) or ""
    return found if _SUFFIX.fullmatch(found) else ""


def _base64(data: str, name: str, media_type: str, param: str) -> _SentFile:
    try:
        content = decode_data_uri(data) if is_data_uri(data) else b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise_invalid_value(param, "must be Base64, or a data URI such as data:application/pdf;base64,...")
    return _SentFile(name, _suffix(name, media_type), content, param)


def _address_error(param: str) -> BadRequestError:
    message = f"{param} is an address. Documents are not fetched from elsewhere: send the document itself in Base64."
    return BadRequestError(message, param, "unsupported_value")


def _read(sent: _SentFile, cancel: CancelToken) -> Attachment:
    with TemporaryDirectory(prefix="specchat-") as folder:
        path = Path(folder, f"document{sent.suffix}")
        path.write_bytes(sent.content)
        return Attachment(sent.name, read_attached_file(path, sent.name, cancel).text)
