"""What no honest client sends. Each gets its status, and the server goes on."""

import json
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NoReturn

import pytest
from support.api_servers import Api, Response, listening, received, status_of_next

from specchat.domain.completions import ServerSettings
from specchat.server import body_limiter
from specchat.server import http_server as listening_module
from specchat.services.engines.engine_queue import EngineQueue
from specchat.services.engines.pair_session import PairSession
from specchat.services.engines.queued_completions import QueuedCompletions

MB = 1 << 20
PATHS = ("/v1/chat/completions", "/v1/completions")
OTHERS = (
    *(
        "/v1/messages",
        "/v1/messages/count_tokens",
        "/v1/responses",
        "/infill",
        "/completion",
        "/tokenize",
        "/detokenize",
    ),
    *("/apply-template", "/api/chat", "/api/generate", "/api/show"),
    *("/v1/embeddings", "/embeddings", "/v1/rerank", "/api/embed", "/api/embeddings"),
)


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    """Nothing is loaded: a request that passes all checks hears so."""
    logs: Path = tmp_path_factory.mktemp("logs")
    session = PairSession(lambda: pytest.fail("nobody was to be asked"))
    completions = QueuedCompletions(EngineQueue(), session, logs)
    with listening(completions, ServerSettings(port=0, origins=("https://chat.example",))) as api:
        yield api


@pytest.fixture(autouse=True)
def still_alive(api: Api) -> Iterator[None]:
    yield
    assert api.get("/metrics").status == 200
    assert api.complete("hello").status == 503


def head(*lines: str, method: str = "POST", path: str = PATHS[0]) -> bytes:
    return "\r\n".join([f"{method} {path} HTTP/1.1", *(lines or ("Host: localhost",)), "", ""]).encode("latin-1")


def status(answer: bytes) -> int:
    start, _, body = answer.partition(b"\r\n\r\n")
    assert set(json.loads(body)["error"]) == {"message", "type", "param", "code"}
    return int(start.split(b" ", 2)[1])


def post(api: Api, body: bytes) -> Response:
    return api.send("POST", PATHS[0], body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[1, 2]",
        b"null",
        b'"messages"',
        b'{"messages": [}',
        b'{"temperature": NaN}',
        b'{"temperature": -Infinity}',
        b'{"seed": ' + b"9" * 10_000 + b"}",
        b"[" * 100_000 + b"]" * 100_000,
        b'{"messages":' * 2_000,
        b'{"messages": "\xff\xfe"}',
        '{"messages": []}'.encode("utf-16"),
        b'{"messages": [{"role": "user", "content": "\\ud800"}]}',
        b'{"\\udc00": 1}',
    ],
)
def test_bodies_that_are_no_json(api: Api, body: bytes) -> None:
    assert post(api, body).status == 400
    assert post(api, body).error["type"] == "invalid_request_error"


def test_half_a_character_is_called_so(api: Api) -> None:
    said = post(api, b'{"messages": [{"role": "user", "content": "\\ud83d"}]}').error["message"]
    assert said == "The request body contains an unpaired surrogate, such as \\ud83d."


def test_nesting_within_a_field(api: Api) -> None:
    schema: object = {}
    for _ in range(200):
        schema = {"items": schema}
    refused = api.chat("hi", response_format={"type": "json_schema", "json_schema": {"schema": schema}})
    assert (refused.status, refused.error["param"]) == (400, "response_format.json_schema.schema")


def test_a_body_that_is_too_large(api: Api) -> None:
    large = json.dumps({"messages": "x" * 9 * MB}).encode()
    refused = post(api, large)
    assert (refused.status, refused.error["code"]) == (413, "request_too_large")
    fits = json.dumps({"messages": "x" * 7 * MB}).encode()
    assert post(api, fits).status == 400


@pytest.mark.parametrize(
    "announced",
    [("Content-Length: 99999999999",), ("Content-Length: 9000000", "Expect: 100-continue")],
)
def test_a_body_that_will_be_too_large(api: Api, announced: tuple[str, ...]) -> None:
    assert status(api.raw(head("Host: localhost", *announced))) == 413


def test_a_body_of_unknown_length_that_is_too_large(api: Api) -> None:
    chunk = b"100000\r\n" + b"x" * MB + b"\r\n"
    sent = head("Host: localhost", "Transfer-Encoding: chunked") + 9 * chunk + b"0\r\n\r\n"
    assert status(api.raw(sent)) == 413


def test_slow_senders(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body_limiter, "BODY_S", 0.1)
    assert status(api.raw(head("Host: localhost", "Content-Length: 10") + b"{")) == 408
    monkeypatch.setattr(listening_module, "HEADERS_S", 0.1)
    assert status(api.raw(b"POST /v1/completions HTTP/1.1\r\nHost: local")) == 408
    assert api.raw(b"") == b""


def test_slow_senders_of_a_second_request(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening_module, "HEADERS_S", 0.1)
    with api.connection() as connection:
        connection.sendall(head(method="GET", path="/metrics"))
        assert status_of_next(connection) == 200
        connection.sendall(b"GET /metr")
        assert b"HTTP/1.1 408" in received(connection)


def test_readers_that_do_not_read(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listening_module, "UNREAD_S", 0.1)
    with api.connection() as connection, pytest.raises(ConnectionError):
        _ask_forever(connection)


def _ask_forever(connection: socket.socket) -> NoReturn:
    while True:
        connection.sendall(100 * head(method="GET", path="/metrics"))


@pytest.mark.parametrize(("path", "without_a_body"), [("/health", 503), ("/nothing", 404)])
def test_a_body_that_never_comes(api: Api, monkeypatch: pytest.MonkeyPatch, path: str, without_a_body: int) -> None:
    """Answered already: a byte now and then does not keep the connection."""
    monkeypatch.setattr(listening_module, "HEADERS_S", 1.0)
    with api.connection() as connection:
        connection.sendall(head("Host: localhost", "Content-Length: 1000000", method="GET", path=path))
        assert status_of_next(connection) == without_a_body
        connection.sendall(b"x")
        assert received(connection) == b""


def test_too_many_connections(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some are told why; more are not, as each that is told takes a place for a moment."""
    monkeypatch.setattr(listening_module, "MOST_CONNECTIONS", 3)
    monkeypatch.setattr(listening_module, "TOLD_WHY", 1)
    with ExitStack() as stack:
        others = [stack.enter_context(api.connection()) for _ in range(3)]
        for connection in others:
            connection.sendall(head(method="GET", path="/metrics"))
            assert connection.recv(1 << 20).startswith(b"HTTP/1.1 200")
        assert status_of_next(stack.enter_context(api.connection())) == 503
        closed = stack.enter_context(api.connection())
        with suppress(ConnectionError):
            assert closed.recv(1) == b""


@pytest.mark.parametrize(
    "asked",
    [
        {"chat_template_kwargs": {"a": [[]] * 50_000}},
        {"tools": [{"type": "function", "function": {"name": "f", "parameters": {"a": [[]] * 500_000}}}]},
    ],
)
def test_fields_that_would_take_much_memory(api: Api, asked: dict[str, object]) -> None:
    refused = api.chat("hi", **asked)
    assert refused.status == 400
    assert str(refused.error["param"]).startswith(next(iter(asked)))


def test_a_text_that_would_take_long_to_tokenize(api: Api) -> None:
    """8 MB of spaces took 15 seconds, in which no answer went on."""
    refused = api.send("POST", "/tokenize", json.dumps({"content": " " * (MB + 1)}).encode())
    assert (refused.status, refused.error["param"]) == (400, "content")


def test_a_prompt_of_too_many_tokens(api: Api) -> None:
    assert api.complete([0] * (MB + 1)).error["param"] == "prompt"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("Host: localhost", *(f"X-{n}: y" for n in range(200))), 431),
        (("Host: localhost", "X-Long: " + "y" * 60_000), 431),
        (("Host: localhost", "X-Endless: " + "y" * MB), 431),
        (("Content-Length: 0",), 400),
        (("Host: localhost", "Host: localhost"), 400),
        (("Host: localhost", "Content-Length: -1"), 400),
        (("Host: localhost", "Content-Length: 1", "Content-Length: 2"), 400),
        (("Host: localhost", "Transfer-Encoding: gzip"), 400),
        (("Host: localhost", "No colon"), 400),
        (("Host: evil.example",), 403),
        (("Host: localhost.evil.example",), 403),
        (("Host: localhost..",), 403),
        (("Host: .localhost",), 403),
        (("Host: notlocalhost.",), 403),
        (("Host: 127.0.0.1.evil.example",), 403),
        (("Host: [::ffff:192.168.1.1]",), 403),
        (("Host: [::127.0.0.1]",), 403),
        (("Host: [64:ff9b::127.0.0.1]",), 403),
        (("Host: localhost.", "Origin: http://localhost..evil.example"), 403),
        (("Host: 192.168.1.1",), 403),
        (("Host: localhost", "Origin: null"), 403),
        (("Host: localhost", "Origin: http://evil.example"), 403),
        (("Host: localhost", "Origin: http://localhost:3000"), 403),
        (("Host: localhost", "Origin: https://localhost"), 403),
        (("Host: localhost", "Origin: https://chat.example.evil"), 403),
    ],
)
def test_headers(api: Api, lines: tuple[str, ...], expected: int) -> None:
    answer = api.raw(head(*lines, "Connection: close"))
    assert status(answer) == expected


def test_headers_without_end(api: Api) -> None:
    with api.connection() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nX: ")
        for _ in range(20):
            connection.sendall(b"y" * 1000)
        assert status(received(connection)) == 431


@pytest.mark.parametrize("sent", [b"\x16\x03\x01\x02\x00\x01\x00", b"GARBAGE\r\n\r\n"])
def test_what_is_no_http(api: Api, sent: bytes) -> None:
    assert status(api.raw(sent + b"\r\n\r\n")) == 400


def test_an_old_client_without_a_host(api: Api) -> None:
    assert status(api.raw(b"GET /metrics HTTP/1.0\r\n\r\n")) == 403


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost.",
        "LocalHost.:80",
        "LOCALHOST:1",
        "127.0.0.1",
        "127.0.0.1.",
        "127.0.0.1:9999",
        "[::1]",
        "[::1]:80",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]:80",
    ],
)
def test_names_of_this_computer(api: Api, host: str) -> None:
    assert api.get("/metrics", Host=host).status == 200
    assert api.get("/metrics", Host=host, Origin=f"http://{host}").status == 200


def test_a_page_that_is_allowed(api: Api) -> None:
    asked = {"Origin": "https://chat.example", "Access-Control-Request-Method": "POST"}
    allowed = api.send("OPTIONS", PATHS[0], headers=asked)
    assert allowed.status == 204
    assert allowed.headers["access-control-allow-origin"] == "https://chat.example"
    assert "Authorization" in allowed.headers["access-control-allow-headers"]
    assert api.chat("hi", stream=True).status == 503
    answer = api.get("/metrics", Origin="https://chat.example")
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, "https://chat.example")
    assert "access-control-allow-origin" not in api.get("/metrics").headers


def test_a_page_is_told_which_server_allows_it(api: Api, tmp_path: Path) -> None:
    """The window has no such option."""
    page = {"Origin": "https://other.example"}
    assert "Allow them with `specchat serve --allow-origin`." in api.get("/metrics", **page).error["message"]
    completions = QueuedCompletions(EngineQueue(), PairSession(pytest.fail), tmp_path)
    with listening(completions, ServerSettings(port=0, in_window=True)) as window:
        refused = window.get("/metrics", **page)
    assert (refused.status, refused.error["code"]) == (403, "origin_not_allowed")
    assert refused.error["message"].startswith("The window's server doesn't accept requests from web pages.")


def test_addresses_that_are_not_there(api: Api) -> None:
    nothing = api.get("/v1/audio/speech")
    assert (nothing.status, nothing.error["code"]) == (404, "unknown_url")
    message = nothing.error["message"]
    assert message.startswith("Not Found: GET /v1/audio/speech. Available: /health, /v1/health, /metrics, ")
    assert {"/v1/models", "/v1/chat/completions", "/infill", "/api/chat"} < set(message.rstrip(".").split(", "))
    for refused in (api.send("DELETE", PATHS[0]), api.get(PATHS[0])):
        assert (refused.status, refused.error["code"]) == (405, "method_not_allowed")
        assert "Use POST." in refused.error["message"]
    assert api.get("/v1/models/..%2f..%2fetc").status == 503


def test_before_a_model_is_loaded(api: Api) -> None:
    for answer in (api.get("/health"), api.get("/v1/models"), api.chat("hi"), api.chat("hi", stream=True)):
        assert (answer.status, answer.error["code"]) == (503, "not_ready")
        assert answer.headers["retry-after"] == "1"


@pytest.mark.parametrize("path", OTHERS)
def test_all_paths_are_guarded(api: Api, path: str) -> None:
    """By host, origin and size before they are read; what is no JSON object is refused in the form of the path."""
    for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
        assert api.send("POST", path, b"{}", headers).status == 403
    assert api.send("POST", path, b"x" * (9 * MB)).status == 413
    for body in (b"[1]", b"{", b'{"a": 1e999', b"\xff"):
        refused = api.send("POST", path, body)
        assert refused.status == 400
        assert refused.json["error"]
    assert api.get(path).status == 405
