"""A Hub that says anything at all: nothing of it ends in a mistake of our own, or takes the token elsewhere."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import pytest
from huggingface_hub import close_session
from support.hub import Fault, LocalHub, Request
from support.hub.answers import Answer
from support.hub.blobs import Blob
from support.hub.faults import NOTHING_WRONG
from support.hub.serving import Origin
from support.hub.traffic import Traffic

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, HubError, HubTemporaryError
from specchat.domain.hub import HubModel, HubQuery, HubResultPage, RemoteFile
from specchat.sources.download import Downloader
from specchat.sources.http_requests import RetryPolicy
from specchat.sources.hub_cache import HubCache
from specchat.sources.hugging_face import HuggingFace
from specchat.sources.transfer import TransferSettings

REPO = "someone/small-GGUF"
TOKEN = "hf_canary"
HASTE = RetryPolicy(tries=2, first_wait=0)
FILE = RemoteFile(REPO, "0" * 40, "small.gguf", 10, "a" * 64)
MODEL: Mapping[str, object] = {
    "id": REPO,
    "downloads": 7,
    "likes": 3,
    "tags": ["gguf", "license:mit"],
    "gguf": {"architecture": "llama", "total": 10**9, "context_length": 4096},
}
SIBLING: Mapping[str, object] = {"rfilename": "small.gguf", "size": 5, "lfs": {"sha256": "a" * 64, "size": 5}}
WEIRD = [None, True, -1, 10**30, 1e308, "x", "\ud800", "\u202eflug", "a\nb", [], [1], {}, {"a": 1}]
HUGE = "9" * 5000
"""More digits than Python makes a number of."""


Ask = Callable[[HuggingFace, CancelToken], object]
ASKED: dict[str, Ask] = {
    "search": lambda source, cancel: source.search(HubQuery(), None, cancel),
    "listing": lambda source, cancel: source.listing(REPO, None, cancel),
    "header": lambda source, cancel: source.open_file(FILE, cancel).read(0, 4),
}


class Stranger(Origin):
    """Answers everything with the same."""

    def __init__(self) -> None:
        self.seen = Traffic()
        super().__init__("hub", self._answered, self.seen)
        self.answer = Answer(200, Blob(b""))

    def says(self, what: object, **headers: str) -> None:
        text = what if isinstance(what, bytes) else json.dumps(what).encode()
        self.answer = Answer(200, Blob(text), {name.replace("_", "-"): value for name, value in headers.items()})

    def sends_to(self, address: str) -> None:
        self.answer = Answer(302, Blob(b""), {"Location": address})

    def _answered(self, _: Request) -> tuple[Answer, Fault]:
        return self.answer, NOTHING_WRONG


@pytest.fixture
def other() -> Iterator[Stranger]:
    stranger = Stranger()
    stranger.start()
    yield stranger
    stranger.stop()


@pytest.fixture
def stranger() -> Iterator[Stranger]:
    stranger = Stranger()
    stranger.start()
    yield stranger
    stranger.stop()
    close_session()


def asking(stranger: Stranger, patience: RetryPolicy = HASTE) -> HuggingFace:
    return HuggingFace(lambda: TOKEN, stranger.address, patience=patience)


def found(stranger: Stranger) -> HubResultPage:
    return asking(stranger).search(HubQuery(), None, CancelToken())


@pytest.mark.parametrize("key", [*MODEL, "lastModified", "gated", "private", "siblings"])
def test_a_bad_description_does_not_hide_the_others(stranger: Stranger, key: str) -> None:
    stranger.says([*({**MODEL, key: value} for value in WEIRD), {**MODEL, "id": "someone/good"}])
    *bad, good = found(stranger).models
    assert good == HubModel(
        "someone/good", licence="mit", downloads=7, likes=3, architecture="llama", parameters=10**9, n_ctx_train=4096
    )
    for model in bad:
        require_sane(model)


@pytest.mark.parametrize("key", ["architecture", "total", "context_length"])
def test_cards_of_models_are_not_believed(stranger: Stranger, key: str) -> None:
    values = [*WEIRD, float("inf"), float("nan")]
    stranger.says([{**MODEL, "gguf": {key: value}} for value in values])
    models = found(stranger).models
    assert len(models) == len(values)
    for model in models:
        require_sane(model)


def require_sane(model: HubModel) -> None:
    assert all(type(text) is str and text.isprintable() for text in (model.repo, model.licence, model.architecture))
    numbers = (model.downloads, model.likes, model.parameters, model.n_ctx_train or 0)
    assert all(type(number) is int and 0 <= number < 1 << 53 for number in numbers)


NO_ANSWERS = [b"", b"[", b"null", b"{}", b"[null]", b"[[]]", b'["a"]', b"\xff\xfe", b"[" * 100_000, b"<html>"]


@pytest.mark.parametrize("text", NO_ANSWERS, ids=lambda text: str(text[:8]))
def test_what_is_no_answer(stranger: Stranger, text: bytes) -> None:
    stranger.says(text)
    with pytest.raises(HubError, match="doesn't respond like the Hugging Face Hub"):
        found(stranger)
    with pytest.raises(HubError, match="doesn't respond like the Hugging Face Hub"):
        asking(stranger).listing(REPO, None, CancelToken())


@pytest.mark.parametrize("key", [*SIBLING, "sha256", "id", "sha", "siblings", "tags"])
def test_listings_hold_only_what_can_be_had(stranger: Stranger, key: str) -> None:
    for value in [*WEIRD, "../up.gguf", "/etc/a.gguf", "a" * 300 + ".gguf", "nul\0.gguf"]:
        for file in listed(stranger, key, value):
            assert (file.path, file.size) == ("small.gguf", 5)
            assert file.sha256 in ("a" * 64, None)


def listed(stranger: Stranger, key: str, value: object) -> list[RemoteFile]:
    lfs = {"sha256": value, "size": 5} if key == "sha256" else SIBLING["lfs"]
    sibling = {**SIBLING, "lfs": lfs, **({key: value} if key in SIBLING else {})}
    listing = {"id": REPO, "sha": "0" * 40, "siblings": [sibling], "tags": ["license:mit"]}
    stranger.says({**listing, **({key: value} if key in listing else {})})
    try:
        models = asking(stranger).listing(REPO, None, CancelToken()).models
    except HubError:
        return []
    return [file for model in models for file in model.files]


def test_an_answer_without_end(stranger: Stranger) -> None:
    stranger.says(b"[" + b" " * (17 << 20) + b"]")
    with pytest.raises(HubError, match="doesn't respond like the Hugging Face Hub"):
        found(stranger)


def test_an_answer_that_takes_for_ever(stranger: Stranger) -> None:
    stranger.says([MODEL])
    with pytest.raises(HubTemporaryError, match="isn't responding"):
        asking(stranger, RetryPolicy(tries=2, first_wait=0, telling=0)).search(HubQuery(), None, CancelToken())


@pytest.mark.parametrize("what", ["search", "listing"])
def test_an_answer_that_has_begun_can_be_cancelled(hub: LocalHub, what: str) -> None:
    hub.add(REPO, {"small.gguf": b"GGUF"})
    hub.fault("*", Fault(stalled=3600, after_bytes=5))
    source = HuggingFace(lambda: None, hub.endpoint, patience=RetryPolicy(silence=3600))
    cancel = CancelToken()

    def cancel_in_the_middle() -> None:
        hub.wait_until(lambda: any(request.sent_bytes for request in hub.requests))
        cancel.cancel()

    canceller = threading.Thread(target=cancel_in_the_middle)
    canceller.start()
    with pytest.raises(Cancelled):
        source.search(HubQuery(), None, cancel) if what == "search" else source.listing(REPO, None, cancel)
    canceller.join()


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_silence_can_be_cancelled(ask: Ask) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        source = HuggingFace(lambda: None, address, patience=RetryPolicy(silence=3600))
        cancel = CancelToken()
        connections: list[socket.socket] = []

        def cancel_once_asked() -> None:
            connections.append(silent.accept()[0])
            cancel.cancel()

        canceller = threading.Thread(target=cancel_once_asked)
        canceller.start()
        with pytest.raises(Cancelled):
            ask(source, cancel)
        canceller.join()
    for connection in connections:
        connection.close()
    for thread in threading.enumerate():
        if thread.name == "Hub":
            thread.join()
    close_session()


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize("header", [{"Retry-After": HUGE}, {"RateLimit": f'"api";r=0;t={HUGE}'}], ids=list)
def test_waits_beyond_all_numbers(stranger: Stranger, status: int, header: dict[str, str]) -> None:
    stranger.answer = Answer(status, Blob(b"{}"), header)
    with pytest.raises(HubTemporaryError):
        found(stranger)
    with pytest.raises(HubError):
        asking(stranger).location(FILE, CancelToken())


@pytest.mark.parametrize("extent", [f"bytes 0-9/{HUGE}", f"bytes {HUGE}-9/10", "bytes 5-9/10", "bytes -"], ids=len)
def test_extents_that_cannot_be(stranger: Stranger, other: Stranger, extent: str, tmp_path: Path) -> None:
    stranger.sends_to(f"{other.address}/small.gguf")
    other.answer = Answer(206, Blob(b"x" * 10), {"Content-Range": extent})
    with pytest.raises(HubError):
        asking(stranger).open_file(FILE, CancelToken()).read(0, 4)
    downloader = Downloader(HubCache(tmp_path), asking(stranger).location, TransferSettings(patience=HASTE))
    with pytest.raises(HubError):
        downloader.download(FILE, CancelToken(), lambda _: None)


@pytest.mark.parametrize(
    "address", ["", "//{host}/x", "file:///etc/passwd", "http://[::1/", "http://a:99999999/x", "ftp://{host}/x"]
)
def test_files_that_lie_nowhere(stranger: Stranger, other: Stranger, address: str) -> None:
    stranger.sends_to(address.format(host=other.address.removeprefix("http://")))
    with pytest.raises(HubError):
        asking(stranger).open_file(FILE, CancelToken()).read(0, 4)


@pytest.mark.parametrize("link", ["<http://[::1/>", "<>", "<//elsewhere/?a\x7fb>"])
def test_next_pages_that_are_nowhere(stranger: Stranger, link: str) -> None:
    stranger.says([MODEL], Link=f'{link}; rel="next"')
    with suppress(HubError):
        if following := found(stranger).following:
            asking(stranger).search(HubQuery(), following, CancelToken())


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_the_token_goes_nowhere_else(stranger: Stranger, other: Stranger, ask: Ask) -> None:
    stranger.sends_to(f"{other.address}/api/models")
    other.says([MODEL], Link=f'<{stranger.address}/x?cursor=1>; rel="next"')
    with suppress(HubError):
        ask(asking(stranger), CancelToken())
    assert other.seen.requests
    assert TOKEN in str([request.headers for request in stranger.seen.requests])
    assert TOKEN not in str([request.headers for request in other.seen.requests])


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_redirects_in_a_circle(stranger: Stranger, ask: Ask) -> None:
    stranger.sends_to(f"{stranger.address}/round")
    with pytest.raises(HubError):
        ask(asking(stranger), CancelToken())


def test_nothing_at_this_address(stranger: Stranger) -> None:
    stranger.answer = Answer(404, Blob(b"{}"))
    with pytest.raises(HubError, match=r"rejected the request \(error 404\)"):
        found(stranger)
