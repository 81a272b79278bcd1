"""What a place on this computer says of the newest version, and what it is told in return."""

import json
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import httpx2
import pytest
from support.certificates import make_certificate, needs_openssl
from support.release_server import PAGE, ReleaseServer, release_server

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, UserError
from specchat.services.program.update_checker import ADDRESS, Update, UpdateChecker
from specchat.sources.update_check import LONGEST, fetch, to_update_error

NO_NEWS = "127.0.0.1 sent an unexpected reply instead of update information."
UNSAFE = "127.0.0.1 redirects to an unsafe address."


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def server() -> Iterator[ReleaseServer]:
    with release_server() as made:
        yield made


def newer(server: ReleaseServer, own: str = "0.1.0") -> Update | None:
    return UpdateChecker(server.address, own).find_newer(CancelToken())


def told(address: str) -> UserError:
    with pytest.raises(UserError) as caught:
        UpdateChecker(address, "0.1.0").find_newer(CancelToken())
    return caught.value


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def test_a_newer_version(server: ReleaseServer) -> None:
    server.tell("0.2.0", notes="Faster.\nSmaller.", date="2026-12-01")
    assert newer(server) == Update("0.2.0", PAGE, "Faster.\nSmaller.")


@pytest.mark.parametrize(
    ("theirs", "ours", "is_newer"),
    [
        ("0.2.0", "0.1.0", True),
        ("0.1.0", "0.1.0", False),
        ("0.1", "0.1.0", False),
        ("0.0.9", "0.1.0", False),
        ("0.10.0", "0.9.0", True),
        ("1.0.0.1", "1.0.0", True),
        ("0.2.0", "0.2.0rc1", True),
        ("0.2.0", "0.2.0.dev3", True),
        ("0.1.9", "0.2.0a1", False),
        ("0.2.0", "0.2.0.post1", False),
        ("0.2.0", "0.2.0+debian2", False),
    ],
)
def test_what_counts_as_newer(server: ReleaseServer, theirs: str, ours: str, is_newer: bool) -> None:
    server.tell(theirs)
    assert (newer(server, ours) is not None) is is_newer


def test_one_plain_request_that_tells_nothing(server: ReleaseServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_canary")
    newer(server)
    ((request, headers),) = server.requests
    assert request == "GET /latest.json"
    assert {name.lower(): value for name, value in headers.items() if name.lower() != "host"} == {
        "user-agent": "specchat",
        "accept": "application/json",
        "accept-encoding": "identity",
        "connection": "keep-alive",
    }


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>Log in first</html>",
        b"\xff\xfe\x00",
        b"[]",
        b"[" * LONGEST,
        b'{"version": "0.2.0"}',
        b'{"page": "https://example.org"}',
        json.dumps({"version": "0.2.0", "page": PAGE, "notes": 7}).encode(),
        json.dumps({"version": "0.2.0", "page": PAGE, "notes": "long " * LONGEST}).encode(),
    ],
    ids=["empty", "page", "no-text", "list", "deep", "no-page", "no-version", "notes", "endless"],
)
def test_nonsense(server: ReleaseServer, body: bytes) -> None:
    server.body = body
    error = told(server.address)
    assert error.message == NO_NEWS
    assert "log in" in error.hint


@pytest.mark.parametrize(
    "version", [2, None, "", "2", "v0.2.0", "0.2.0\n", " 0.2.0", "0.2.0-evil", "0.٢.0", "1.2.3.4.5", "0.123456"]
)
def test_versions_that_are_none(server: ReleaseServer, version: object) -> None:
    server.tell(version)
    assert told(server.address).message == NO_NEWS


@pytest.mark.parametrize(
    "page",
    [
        None,
        "",
        "http://127.0.0.1",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://",
        "https://github.com@127.0.0.1/",
        "https://127.0.0.1\\@github.com",
        "https://127.0.0.1/exa mple",
        "https://127.0.0.1/exämple",
        "https://[::1",
        "https://127.0.0.1/\u202etxt.exe",
        "https://127.0.0.1/" + "a" * 500,
        "https://example.org/specchat/0.2.0",
        "https://127.0.0.1.example.org/",
    ],
)
def test_pages_that_are_not_opened(server: ReleaseServer, page: object) -> None:
    server.tell("0.2.0", page)
    assert told(server.address).message == NO_NEWS


def test_notes_are_plain_and_short(server: ReleaseServer) -> None:
    server.tell("0.2.0", notes="\x1b[31mFaster\u202e\0\r\n\n<b>bold</b>\n")
    found = newer(server)
    assert found is not None
    assert found.notes == "Faster\n\n<b>bold</b>"
    server.tell("0.2.0", notes="word " * 1000)
    found = newer(server)
    assert found is not None
    assert len(found.notes) == 1000
    assert found.notes.endswith("…")


def test_no_way_leads_away_from_https(server: ReleaseServer) -> None:
    """Not even to a server that could be asked at once."""
    for address in (server.address, "http://example.org", "file:///etc/passwd", "ftp://example.org/latest.json"):
        server.lead_to(address)
        assert told(server.address).message == UNSAFE
    assert {request for request, _ in server.requests} == {"GET /latest.json"}
    assert len(server.requests) == 4


def test_a_way_to_https_is_followed(server: ReleaseServer) -> None:
    server.lead_to(f"https://127.0.0.1:{free_port()}/latest.json")
    assert told(server.address).message == "Can't reach 127.0.0.1."


@needs_openssl
def test_a_way_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "public.pem"))
    with release_server(certificate) as server:
        server.lead_to(server.address)
        assert told(server.address).message == "127.0.0.1 redirects endlessly."
        assert len(server.requests) == 5


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/latest.json",
        "http://127.0.0.1.example.org/latest.json",
        "file:///etc/passwd",
        "https://me:secret@example.org/latest.json",
        "latest.json",
        "https://",
        "http://hub:port",
    ],
)
def test_addresses_that_are_not_asked(address: str) -> None:
    error = told(address)
    assert error.message == f"Can't use {address} for update checks."
    assert "SPECCHAT_UPDATES" in error.hint


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (404, "127.0.0.1 doesn't say which version is the latest."),
        (429, "127.0.0.1 has a server problem (error 429)."),
        (503, "127.0.0.1 has a server problem (error 503)."),
    ],
)
def test_refusals(server: ReleaseServer, status: int, words: str) -> None:
    server.status = status
    assert told(server.address).message == words


def test_nobody_is_there() -> None:
    error = told(f"http://127.0.0.1:{free_port()}/latest.json")
    assert error.message == "Can't reach 127.0.0.1."
    assert error.hint == "Check your connection, then try again."


@pytest.mark.parametrize(
    ("cause", "words"),
    [
        (ssl.SSLCertVerificationError("self-signed"), "The certificate for github.com is not trusted"),
        (socket.gaierror(-3, "Temporary failure"), "Can't reach github.com."),
        (OSError("unreachable"), "Can't reach github.com."),
    ],
)
def test_ways_that_do_not_exist(cause: OSError, words: str) -> None:
    broken = httpx2.ConnectError(str(cause))
    broken.__cause__ = cause
    assert to_update_error(broken, "github.com").message.startswith(words)


def test_a_proxy_that_refuses() -> None:
    error = to_update_error(httpx2.ProxyError("403 Forbidden"), "github.com")
    assert error.message == "The proxy refused the connection to github.com."


def test_one_that_does_not_come_to_an_end(server: ReleaseServer) -> None:
    server.holds = True
    with pytest.raises(UserError, match="127.0.0.1 isn't responding"):
        fetch(server.address, CancelToken(), seconds=0.2)


def test_it_can_be_cancelled(server: ReleaseServer) -> None:
    server.holds = True
    cancel = CancelToken()

    def give_up() -> None:
        server.reached.wait()
        cancel.cancel()

    thread = Thread(target=give_up)
    thread.start()
    with pytest.raises(Cancelled):
        UpdateChecker(server.address).find_newer(cancel)
    thread.join()


def test_who_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SPECCHAT_UPDATES", raising=False)
    assert UpdateChecker().host == "github.com"
    assert ADDRESS.startswith("https://github.com/specchat/")
    monkeypatch.setenv("SPECCHAT_UPDATES", "https://mirror.example.org:8443/latest.json")
    assert UpdateChecker().host == "mirror.example.org"
    monkeypatch.setenv("SPECCHAT_UPDATES", "https://me:secret@[::1]:8443/latest.json")
    assert UpdateChecker().host == "::1"
    monkeypatch.setenv("SPECCHAT_UPDATES", " ")
    assert UpdateChecker().host == ""
