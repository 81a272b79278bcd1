"""A client's request: its body and its sender, as every endpoint reads them."""

from starlette.requests import Request

from specchat.domain.printable_text import printable_text
from specchat.server.request_fields import RequestFields, parse_body

_LONGEST_NAME = 60


async def read_body(request: Request) -> RequestFields:
    """Unlike its own method, the request does not keep it while the answer is written."""
    return parse_body(b"".join([part async for part in request.stream()]))


def client_name(request: Request) -> str:
    name = request.headers.get("user-agent", "")[:_LONGEST_NAME]
    return printable_text(name, "")
