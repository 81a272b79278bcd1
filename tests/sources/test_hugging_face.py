"""Searches, listings and locations, by the real client from the local Hub."""

import hashlib
import threading
from collections.abc import Callable

import pytest
from support.downloading import QuickClock
from support.hub import Fault, LocalHub

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, HubTemporaryError
from specchat.domain.hub import Gating, HubFileKind, HubQuery, HubReference, HubResultPage, HubSortOrder, RemoteFile
from specchat.sources.http_requests import RetryPolicy
from specchat.sources.hugging_face import HuggingFace

REPO = "someone/small-GGUF"
TOKEN = "hf_of_someone"
HASTE = RetryPolicy(first_wait=0)
MEDUSA = "medusa_lm_head.safetensors"
FILE = {"small-Q4_0.gguf": b"GGUF"}


@pytest.fixture
def source(hub: LocalHub) -> HuggingFace:
    return HuggingFace(lambda: None, hub.endpoint, patience=HASTE)


def names(page: HubResultPage) -> list[str]:
    return [model.repo for model in page.models]


def test_a_search_goes_from_page_to_page(hub: LocalHub, source: HuggingFace) -> None:
    for number in range(5):
        hub.add(f"someone/model-{number}", FILE, downloads=number)
    hub.add("someone/other", {"config.json": b"{}"})
    found: list[list[str]] = []
    following = None
    for pages in range(1, 4):
        page = source.search(HubQuery(sorting=HubSortOrder.DOWNLOADS), following, CancelToken())
        found, following = [*found, names(page)], page.following
        assert len(hub.requests) == pages
    assert found == [[f"someone/model-{a}" for a in each] for each in ((4, 3), (2, 1), (0,))]
    assert following is None
    assert all("filter" in request.query for request in hub.requests)


def test_the_next_page_is_asked_for_where_the_first_was(hub: LocalHub, source: HuggingFace) -> None:
    for number in range(3):
        hub.add(f"someone/model-{number}", FILE)
    following = source.search(HubQuery(), None, CancelToken()).following
    assert following is not None
    assert "cursor=" in following
    assert "//" not in following


def test_searches_by_words_author_and_order(hub: LocalHub, source: HuggingFace) -> None:
    hub.add("alice/Qwen-GGUF", FILE, downloads=3, likes=1, trending=2)
    hub.add("bob/Qwen-GGUF", FILE, downloads=1, likes=3, trending=1)
    searches = {
        HubQuery("qwen", sorting=HubSortOrder.DOWNLOADS): "alice/Qwen-GGUF",
        HubQuery("qwen", sorting=HubSortOrder.LIKES): "bob/Qwen-GGUF",
        HubQuery("qwen", sorting=HubSortOrder.UPDATED): "bob/Qwen-GGUF",
        HubQuery("qwen", sorting=HubSortOrder.TRENDING): "alice/Qwen-GGUF",
        HubQuery(author="bob"): "bob/Qwen-GGUF",
        HubQuery("  alice "): "alice/Qwen-GGUF",
    }
    for search, first in searches.items():
        assert names(source.search(search, None, CancelToken()))[0] == first
    assert names(source.search(HubQuery("llama"), None, CancelToken())) == []


def test_what_a_search_tells(hub: LocalHub, source: HuggingFace) -> None:
    gguf = {"architecture": "llama", "total": 1_235_814_432, "context_length": 131072}
    hub.add(REPO, FILE, gating="manual", licence="llama3.2", downloads=7, likes=2, gguf=gguf)
    hub.add("someone/unknown", FILE)
    known, unknown = source.search(HubQuery(), None, CancelToken()).models
    assert (known.gating, known.private, known.licence) == (Gating.MANUAL, False, "llama3.2")
    assert (known.downloads, known.likes, known.updated is None) == (7, 2, False)
    assert (known.architecture, known.parameters, known.n_ctx_train) == ("llama", 1_235_814_432, 131072)
    assert (unknown.architecture, unknown.parameters, unknown.n_ctx_train) == ("", 0, None)


def test_a_listing(hub: LocalHub, source: HuggingFace) -> None:
    parts = [f"Q8_0/large-Q8_0-0000{part}-of-00003.gguf" for part in (1, 2, 3)]
    sidecars = ("mmproj-F16.gguf", "imatrix.gguf", "mtp-large-Q8_0.gguf", "eagle3-large.gguf", MEDUSA)
    others = ("README.md", "model.safetensors", "medusa_lm_head.pt", "medusa/model.safetensors")
    incomplete = "broken-F16-00002-of-00002.gguf"
    files = {path: path.encode() for path in (*others, "small-Q4_K_M.gguf", *parts, *sidecars, incomplete)}
    commit = hub.add(REPO, files, gating="auto", licence="apache-2.0")
    listing = source.listing(REPO, None, CancelToken())
    assert (listing.repo, listing.commit, listing.gating, listing.licence) == (REPO, commit, Gating.AUTO, "apache-2.0")
    found = {model.first.path: (model.kind, model.quantization) for model in listing.models}
    assert found == {
        "small-Q4_K_M.gguf": (HubFileKind.MODEL, "Q4_K_M"),
        parts[0]: (HubFileKind.MODEL, "Q8_0"),
        "mmproj-F16.gguf": (HubFileKind.MMPROJ, "F16"),
        "imatrix.gguf": (HubFileKind.IMATRIX, ""),
        "mtp-large-Q8_0.gguf": (HubFileKind.MTP, "Q8_0"),
        "eagle3-large.gguf": (HubFileKind.EAGLE3, ""),
        MEDUSA: (HubFileKind.MEDUSA, ""),
    }
    (large,) = (model for model in listing.models if len(model.files) > 1)
    assert [file.path for file in large.files] == parts
    assert large.size == sum(len(part) for part in parts)
    assert large.reference == HubReference(REPO, parts[0])
    digest = hashlib.sha256(parts[1].encode()).hexdigest()
    assert large.files[1] == RemoteFile(REPO, commit, parts[1], len(parts[1]), digest)


def test_a_listing_of_a_revision(hub: LocalHub, source: HuggingFace) -> None:
    old = hub.add(REPO, {"old.gguf": b"GGUF"})
    hub.add(REPO, {"new.gguf": b"GGUF"})
    branch = hub.add(REPO, {"branch.gguf": b"GGUF"}, revision="refs/pr/1")
    for revision, commit, path in ((old, old, "old.gguf"), ("refs/pr/1", branch, "branch.gguf")):
        listing = source.listing(REPO, revision, CancelToken())
        assert (listing.commit, [model.first.path for model in listing.models]) == (commit, [path])


def test_files_that_would_lie_elsewhere_are_not_listed(hub: LocalHub, source: HuggingFace) -> None:
    hub.add(REPO, {"../outside.gguf": b"GGUF", "C:\\outside.gguf": b"GGUF", "inside.gguf": b"GGUF"})
    (model,) = source.listing(REPO, None, CancelToken()).models
    assert model.first.path == "inside.gguf"


def test_a_location_is_a_redirect_that_is_not_followed(hub: LocalHub, source: HuggingFace) -> None:
    hub.add(REPO, FILE)
    (model,) = source.listing(REPO, None, CancelToken()).models
    location = source.location(model.first, CancelToken())
    assert location.url.startswith(hub.cdn)
    assert (location.headers, location.size) == ({}, 4)
    assert {request.origin for request in hub.requests} == {"hub"}


def test_only_the_hub_itself_gets_the_token(hub: LocalHub) -> None:
    commit = hub.add(REPO, {"small.gguf": b"GGUF", "config.json": b"{}"}, gating="auto")
    hub.token(TOKEN, accepted={REPO})
    source = HuggingFace(lambda: TOKEN, hub.endpoint)
    (model,) = source.listing(REPO, None, CancelToken()).models
    assert source.location(model.first, CancelToken()).headers == {}
    at_home = source.location(RemoteFile(REPO, commit, "config.json", 2, None), CancelToken())
    assert at_home.url.startswith(hub.endpoint)
    assert at_home.headers == {"authorization": f"Bearer {TOKEN}"}
    assert TOKEN not in repr(at_home)
    with_token = {request.origin for request in hub.requests if TOKEN in str(request)}
    assert with_token == {"hub"}


Job = Callable[[HuggingFace, CancelToken], object]
JOBS: dict[str, Job] = {
    "search": lambda source, cancel: source.search(HubQuery(), None, cancel),
    "listing": lambda source, cancel: source.listing(REPO, None, cancel),
    "location": lambda source, cancel: source.location(RemoteFile(REPO, "main", "small-Q4_0.gguf", 4, None), cancel),
}
each_job = pytest.mark.parametrize("job", JOBS.values(), ids=JOBS)
patient_job = pytest.mark.parametrize("job", [JOBS["search"], JOBS["listing"]], ids=["search", "listing"])


@patient_job
@pytest.mark.parametrize(
    "fault",
    [Fault(status=429, retry_after=0), Fault(status=500), Fault(status=503, retry_after=0), Fault(truncated=True)],
    ids=["429", "500", "503", "truncated"],
)
def test_trouble_that_passes_is_not_told(hub: LocalHub, source: HuggingFace, job: Job, fault: Fault) -> None:
    hub.add(REPO, FILE)
    hub.fault("*", fault, times=2)
    job(source, CancelToken())
    assert len(hub.requests) == 3


@patient_job
def test_trouble_that_stays(hub: LocalHub, source: HuggingFace, job: Job) -> None:
    hub.add(REPO, FILE)
    hub.fault("*", Fault(status=503), times=None)
    with pytest.raises(HubTemporaryError, match=r"server problem \(error 503\)"):
        job(source, CancelToken())
    assert len(hub.requests) == HASTE.tries


@pytest.mark.parametrize(("asked", "waits"), [(None, [0.5, 1, 2, 4]), (20, [20]), (21, [])])
@patient_job
def test_trouble_is_waited_for_half_a_minute_at_most(
    hub: LocalHub, job: Job, asked: int | None, waits: list[float]
) -> None:
    clock = QuickClock()
    source = HuggingFace(lambda: None, hub.endpoint, clock=clock)
    hub.add(REPO, FILE)
    hub.fault("*", Fault(status=503, retry_after=asked), times=None)
    with pytest.raises(HubTemporaryError):
        job(source, CancelToken())
    assert clock.waits == waits


def test_a_location_is_asked_for_once(hub: LocalHub, source: HuggingFace) -> None:
    hub.add(REPO, FILE)
    hub.fault("*", Fault(status=503))
    with pytest.raises(HubTemporaryError):
        JOBS["location"](source, CancelToken())
    assert len(hub.requests) == 1


@patient_job
def test_a_wait_ends_when_it_is_cancelled(hub: LocalHub, source: HuggingFace, job: Job) -> None:
    hub.add(REPO, FILE)
    hub.fault("*", Fault(status=429, retry_after=19), times=None)
    cancel = CancelToken()

    def cancel_once_asked() -> None:
        hub.wait_until(lambda: bool(hub.requests))
        cancel.cancel()

    canceller = threading.Thread(target=cancel_once_asked)
    canceller.start()
    with pytest.raises(Cancelled):
        job(source, cancel)
    canceller.join()
    assert len(hub.requests) == 1


@each_job
def test_nothing_is_asked_after_it_is_cancelled(hub: LocalHub, source: HuggingFace, job: Job) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        job(source, cancel)
    assert hub.requests == []


@each_job
def test_nobody_waits_for_a_token_after_it_is_cancelled(hub: LocalHub, job: Job) -> None:
    """The keyring may ask its user first."""
    asked, answered, cancel = threading.Event(), threading.Event(), CancelToken()

    def token() -> str | None:
        asked.set()
        answered.wait()
        return None

    def cancel_once_asked() -> None:
        asked.wait()
        cancel.cancel()

    canceller = threading.Thread(target=cancel_once_asked)
    canceller.start()
    with pytest.raises(Cancelled):
        job(HuggingFace(token, hub.endpoint, patience=HASTE), cancel)
    canceller.join()
    answered.set()
    for left in [each for each in threading.enumerate() if each.name == "Hub"]:
        left.join()
