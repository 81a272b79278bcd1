"""Whatever goes wrong is told in words that say what to do."""

import socket
import ssl
import threading
import traceback
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx2
import huggingface_hub.constants
import pytest
from support.hub import Fault, LocalHub

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import (
    HubAccessError,
    HubError,
    HubNotFoundError,
    HubOfflineError,
    HubTemporaryError,
    HubUnknownTokenError,
    UserError,
)
from specchat.domain.hub import HubQuery, RemoteFile
from specchat.sources.http_requests import RetryPolicy
from specchat.sources.hub_errors import HubRequest, explain_hub_errors, to_hub_error
from specchat.sources.hugging_face import HuggingFace

REPO = "someone/small-GGUF"
FILE = RemoteFile(REPO, "main", "small.gguf", 4, None)
ONCE = RetryPolicy(tries=1, silence=5)


def asking(hub: LocalHub, token: str | None = None) -> HuggingFace:
    return HuggingFace(lambda: token, hub.endpoint, patience=ONCE)


def told(hub: LocalHub, token: str | None = None, file: RemoteFile = FILE) -> HubError:
    with pytest.raises(HubError) as caught:
        asking(hub, token).location(file, CancelToken())
    return caught.value


def listing_told(hub: LocalHub, token: str | None = None, repo: str = REPO, revision: str | None = None) -> HubError:
    with pytest.raises(HubError) as caught:
        asking(hub, token).listing(repo, revision, CancelToken())
    return caught.value


def test_gated_models_are_refused_for_different_reasons(hub: LocalHub) -> None:
    hub.add(REPO, {"small.gguf": b"GGUF"}, gating="manual")
    hub.token("hf_stranger")
    hub.token("hf_denied", denied={REPO})
    no_token, licence, denied = (told(hub, token) for token in (None, "hf_stranger", "hf_denied"))
    assert {type(error) for error in (no_token, licence, denied)} == {HubAccessError}
    assert no_token.message == f"{REPO} is not public, and no Hugging Face access token is set."
    assert f"{hub.endpoint}/settings/tokens" in no_token.hint
    assert licence.message == f"You haven't accepted the license for {REPO} yet."
    assert licence.hint == f"Accept it at {hub.endpoint}/{REPO}, then try again."
    assert denied.message.startswith(f"You don't have access to {REPO}")


def test_a_request_that_nobody_answered_yet() -> None:
    words = {"X-Error-Code": "GatedRepo", "X-Error-Message": "Your request is awaiting a review from the repo authors."}
    answer = httpx2.Response(403, headers=words, request=httpx2.Request("HEAD", "http://localhost"))
    error = huggingface_hub.errors.GatedRepoError("", response=answer)
    said = to_hub_error(error, HubRequest("http://localhost", REPO, has_token=True))
    assert said.message == f"The authors of {REPO} haven't approved your request yet."


def test_what_a_server_says_is_not_repeated() -> None:
    """It may be the token."""
    answer = httpx2.Response(403, request=httpx2.Request("HEAD", "http://localhost"))
    with (
        pytest.raises(HubAccessError) as caught,
        explain_hub_errors(HubRequest("http://localhost", REPO, has_token=True)),
    ):
        raise huggingface_hub.errors.HfHubHTTPError("hf_canary may not do this", response=answer)
    assert "canary" not in "".join(traceback.format_exception(caught.value))


def test_refusals_without_a_reason(hub: LocalHub) -> None:
    hub.add(REPO, {"small.gguf": b"GGUF"})
    hub.token("hf_known")
    for status, token, words in (
        (401, None, "access token is set"),
        (403, None, "access token is set"),
        (401, "hf_known", "rejected your token"),
        (403, "hf_known", f"You don't have access to {REPO}"),
    ):
        hub.fault("*", Fault(status=status), times=None)
        error = told(hub, token)
        hub.clear_faults()
        assert isinstance(error, HubAccessError)
        assert words in error.message


def test_a_token_that_the_hub_does_not_know(hub: LocalHub) -> None:
    hub.add(REPO, {"small.gguf": b"GGUF"}, gating="auto")
    hub.add("someone/private", {"small.gguf": b"GGUF"}, private=True)
    for error in (told(hub, "hf_old"), listing_told(hub, "hf_old", "someone/private")):
        assert isinstance(error, HubAccessError)
        assert error.message == "127.0.0.1 rejected your token. It may have expired."
        assert "hf_old" not in "".join(traceback.format_exception(error))


def test_what_is_open_to_everyone_stays_open_with_such_a_token(hub: LocalHub) -> None:
    commit = hub.add(REPO, {"small.gguf": b"GGUF"})
    doubts: list[UserError] = []
    source = HuggingFace(lambda: "hf_old", hub.endpoint, patience=ONCE, doubted=doubts.append)
    cancel = CancelToken()
    assert [model.repo for model in source.search(HubQuery(), None, cancel).models] == [REPO]
    assert source.listing(REPO, None, cancel).commit == commit
    assert source.location(FILE, cancel).size == 4
    assert [type(error) for error in doubts] == 3 * [HubUnknownTokenError]
    assert [len(request.headers.get("authorization", "")) > 0 for request in hub.requests] == 3 * [True, False]


def test_whose_token_it_is(hub: LocalHub) -> None:
    hub.token("hf_ann", name="ann.lee_1")
    source = asking(hub, "hf_other")
    assert source.whoami("hf_ann", CancelToken()) == "ann.lee_1"
    with pytest.raises(HubUnknownTokenError, match="rejected your token"):
        source.whoami("hf_old", CancelToken())
    assert {request.path for request in hub.requests} == {"/api/whoami-v2"}


ANN = "hf_ann"


@pytest.mark.parametrize("name", [ANN, f"is-{ANN}", "<b>", "a" * 101, "", "a\nb"])
def test_no_name_of_a_person(hub: LocalHub, name: str) -> None:
    """Not even the token, which a server may repeat."""
    hub.token(ANN, name=name)
    with pytest.raises(HubError, match="doesn't respond like the Hugging Face Hub") as caught:
        asking(hub).whoami(ANN, CancelToken())
    assert ANN not in "".join(traceback.format_exception(caught.value))


def test_what_is_not_there(hub: LocalHub) -> None:
    commit = hub.add(REPO, {"small.gguf": b"GGUF"})
    hub.token("hf_known")
    absent = RemoteFile(REPO, commit, "absent.gguf", 4, None)
    errors = {
        f"{REPO} has no file absent.gguf.": told(hub, file=absent),
        f"{REPO} has no revision v9.": listing_told(hub, revision="v9"),
        "The Hub has no public repository someone/else.": listing_told(hub, repo="someone/else"),
        "The Hub has no repository someone/else that your token can access.": listing_told(
            hub, "hf_known", repo="someone/else"
        ),
        "some one/else is not a valid repository name.": listing_told(hub, repo="some one/else"),
    }
    assert [str(error.message) for error in errors.values()] == list(errors)
    assert {type(error) for error in errors.values()} == {HubNotFoundError}


def test_too_many_requests(hub: LocalHub) -> None:
    hub.add(REPO, {"small.gguf": b"GGUF"})
    hub.token("hf_known")
    hub.fault("*", Fault(status=429, retry_after=55), times=2)
    without, given = told(hub), told(hub, "hf_known")
    assert isinstance(without, HubTemporaryError)
    assert without.wait == 55
    assert without.message == "Too many requests to 127.0.0.1. Try again in 55 seconds."
    assert "token" in without.hint
    assert "token" not in given.hint
    hub.fault("*", Fault(status=429, retry_after=1))
    assert told(hub).message == "Too many requests to 127.0.0.1. Try again in a second."
    hub.fault("*", Fault(status=429, retry_after=0))
    assert told(hub).message == "Too many requests to 127.0.0.1."


@pytest.mark.parametrize("status", [500, 502, 503, 504, 408])
def test_the_hubs_own_trouble(hub: LocalHub, status: int) -> None:
    hub.fault("*", Fault(status=status))
    error = told(hub)
    assert isinstance(error, HubTemporaryError)
    assert error.message == f"127.0.0.1 has a server problem (error {status})."


def test_any_other_refusal(hub: LocalHub) -> None:
    hub.fault("*", Fault(status=418))
    assert told(hub).message == "127.0.0.1 rejected the request (error 418)."


def test_a_broken_connection(hub: LocalHub) -> None:
    hub.add(REPO, {"small.gguf": b"GGUF"})
    for fault in (Fault(reset=True), Fault(truncated=True)):
        hub.fault("/api/*", fault)
        error = listing_told(hub)
        assert isinstance(error, HubTemporaryError)
        assert error.message == "The connection to 127.0.0.1 was lost."


def test_silence(hub: LocalHub) -> None:
    hub.add(REPO, {"small.gguf": b"GGUF"})
    hub.fault("/api/*", Fault(stalled=3600))
    impatient = HuggingFace(lambda: None, hub.endpoint, patience=RetryPolicy(tries=1, silence=0.1))
    with pytest.raises(HubTemporaryError, match="127.0.0.1 isn't responding"):
        impatient.listing(REPO, None, CancelToken())


def test_the_client_is_told_to_stay_offline(hub: LocalHub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    for error in (told(hub), listing_told(hub)):
        assert isinstance(error, HubOfflineError)
        assert error.message == "HF_HUB_OFFLINE is set, so specchat doesn't access the Hub."
    assert hub.requests == []


def search_told(endpoint: str) -> HubError:
    with pytest.raises(HubError) as caught:
        HuggingFace(lambda: None, endpoint, patience=ONCE).search(HubQuery(), None, CancelToken())
    return caught.value


def test_nobody_is_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    error = search_told(f"http://127.0.0.1:{port}")
    assert isinstance(error, HubOfflineError)
    assert error.message == "Can't reach 127.0.0.1."


def test_no_encryption(hub: LocalHub) -> None:
    error = search_told(hub.endpoint.replace("http:", "https:"))
    assert error.message == "Couldn't establish a secure connection to 127.0.0.1."


@pytest.mark.parametrize(
    ("cause", "kind", "words"),
    [
        (ssl.SSLCertVerificationError("self-signed"), HubError, "The certificate for huggingface.co is not trusted"),
        (
            socket.gaierror(-3, "Temporary failure"),
            HubOfflineError,
            "Can't reach huggingface.co.",
        ),
    ],
)
def test_ways_that_do_not_exist(cause: OSError, kind: type[HubError], words: str) -> None:
    broken = httpx2.ConnectError(str(cause))
    broken.__cause__ = cause
    error = to_hub_error(broken, HubRequest("https://huggingface.co"))
    assert type(error) is kind
    assert error.message.startswith(words)


def test_a_proxy_that_refuses() -> None:
    error = to_hub_error(httpx2.ProxyError("403 Forbidden"), HubRequest("https://huggingface.co"))
    assert error.message == "The proxy refused the connection to huggingface.co."


@pytest.mark.parametrize("endpoint", ["huggingface.co", "ftp://huggingface.co", "http://hub:port"])
def test_no_address(endpoint: str) -> None:
    error = search_told(endpoint)
    assert error.message == f"{endpoint} is not a valid Hub URL."


@pytest.fixture
def portal() -> Iterator[str]:
    """Answers everything with its own page, as networks do that want one to log in."""

    class Portal(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "13")
            self.end_headers()
            self.wfile.write(b"<html></html>")

        def log_message(self, format: str, *args: object) -> None:
            """Nobody needs to know."""

    with HTTPServer(("127.0.0.1", 0), Portal) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        huggingface_hub.close_session()
        server.shutdown()
        thread.join()


def test_a_network_that_answers_in_the_hubs_place(portal: str) -> None:
    words = "127.0.0.1 doesn't respond like the Hugging Face Hub."
    assert search_told(portal).message == words
    with pytest.raises(HubError, match=words):
        HuggingFace(lambda: None, portal, patience=ONCE).listing(REPO, None, CancelToken())
