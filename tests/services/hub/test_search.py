"""Searches that keep to what fits, and looks into repositories, by the real client from the local Hub."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import huggingface_hub.constants
import pytest
from huggingface_hub import close_session
from support.hub import LfsFile, LocalHub

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, HubAccessError, HubNotFoundError, HubOfflineError
from specchat.domain.hub import Gating, HubQuery, HubSortOrder, page_url, parse_repository_url
from specchat.domain.types import Device
from specchat.services.hub.hub import Hub
from specchat.services.hub.hub_search import HubSearch, HubSearchResults
from specchat.services.memory.device_memory import pooled_memory
from specchat.services.memory.fit_estimator import ModelSize, fit_listed
from specchat.services.models.file_choice import estimated_parameters, estimated_size
from specchat.services.models.pair_fit import EstimateMethod, Fit, LocalModel
from specchat.sources.http_requests import RetryPolicy
from specchat.sources.hub_cache import HubCache
from specchat.sources.hugging_face import HuggingFace

GB = 10**9
CPU = Device("CPU", "", "cpu", 16 * GB, 8 * GB)
FILE = {"model-Q4_K_M.gguf": b"GGUF"}
HERE = (
    LocalModel(Path("/models/sea-7b.gguf"), "Sea 7B Instruct"),
    LocalModel(Path("/models/lake.gguf"), "Lake 3B"),
    LocalModel(Path("/models/sea-lost.gguf"), "Sea", problems=("The file no longer exists.",)),
)

Searching = Callable[..., HubSearch]


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with LocalHub(page_size=2) as hub:
        yield hub
    close_session()


@pytest.fixture
def searching(local: LocalHub) -> Searching:
    def make(token: str | None = None, endpoint: str = local.endpoint) -> HubSearch:
        hub = Hub(HuggingFace(lambda: token, endpoint, patience=RetryPolicy(tries=1)))
        return HubSearch(lambda: hub, lambda: HERE, lambda model: HubCache().holds(model), lambda: (CPU,))

    return make


def add(local: LocalHub, repo: str, billions: float | None = None, downloads: int = 0) -> None:
    gguf = None if billions is None else {"total": int(billions * GB), "architecture": "llama"}
    local.add(repo, FILE, downloads=downloads, gguf=gguf)


def names(found: HubSearchResults) -> list[str]:
    return [each.model.repo for each in found.models]


def n_searches(local: LocalHub) -> int:
    return sum(request.path == "/api/models" for request in local.requests)


def test_short_pages_are_read_until_there_are_enough(local: LocalHub, searching: Searching) -> None:
    for number in range(5):
        add(local, f"someone/model-{number}", downloads=number)
    search, wanted = searching(), HubQuery("model", sorting=HubSortOrder.DOWNLOADS)
    found = search.search(wanted, CancelToken())
    assert found.looked_at == len(found.models) == 5
    assert names(found) == [f"someone/model-{number}" for number in (4, 3, 2, 1, 0)]
    assert found.following is None


def test_pages_are_read_until_enough_fits(local: LocalHub, searching: Searching) -> None:
    sizes = {"small": 1.2, "large": 70, "unknown": None, "middle": 7, "huge": 400, "tight": 11}
    for number, (name, billions) in enumerate(sizes.items()):
        add(local, f"someone/{name}", billions, downloads=100 - number)
    found = searching().search(HubQuery(sorting=HubSortOrder.DOWNLOADS, only_fitting=True), CancelToken())
    assert [(each.model.repo.partition("/")[2], each.fit) for each in found.models] == [
        ("small", Fit.FITS),
        ("middle", Fit.FITS),
        ("tight", Fit.TIGHT),
    ]
    assert (found.looked_at, pooled_memory(found.devices).free, n_searches(local)) == (6, 8 * GB, 3)


def test_at_most_so_many_parameters(local: LocalHub, searching: Searching) -> None:
    for number, billions in enumerate((0.5, 3, 8, None)):
        add(local, f"someone/model-{number}", billions)
    found = searching().search(HubQuery(most_parameters=3 * GB), CancelToken())
    assert sorted(names(found)) == ["someone/model-0", "someone/model-1"]


def test_the_requests_are_bounded_and_go_on_later(local: LocalHub, searching: Searching) -> None:
    for number in range(14):
        add(local, f"someone/model-{number}", 1 if number == 0 else 400, downloads=number)
    search, wanted = searching(), HubQuery(sorting=HubSortOrder.DOWNLOADS, only_fitting=True)
    found = search.search(wanted, CancelToken())
    assert (found.models, found.looked_at, n_searches(local)) == ((), 12, 6)
    found = search.search_more(found, CancelToken())
    assert (names(found), found.looked_at, found.following) == (["someone/model-0"], 14, None)


def test_what_moved_to_a_later_page_meanwhile_is_not_shown_twice(local: LocalHub, searching: Searching) -> None:
    for number in range(24):
        add(local, f"someone/model-{number}", downloads=100 - number)
    search = searching()
    first = search.search(HubQuery("model", sorting=HubSortOrder.DOWNLOADS), CancelToken())
    assert first.following is not None
    add(local, "someone/model-new", downloads=1000)
    everything = search.search_more(search.search_more(first, CancelToken()), CancelToken())
    assert everything.models[: len(first.models)] == first.models
    assert len(set(names(everything))) == len(everything.models) == 24


def test_all_by_one_author(local: LocalHub, searching: Searching) -> None:
    for repo in ("alice/sea-GGUF", "alice/lake-GGUF", "bob/alice-GGUF"):
        add(local, repo)
    assert sorted(names(searching().search(HubQuery("alice/"), CancelToken()))) == [
        "alice/lake-GGUF",
        "alice/sea-GGUF",
    ]
    assert names(searching().search(HubQuery("sea", author="alice"), CancelToken())) == ["alice/sea-GGUF"]


def test_a_repository_whose_whole_name_is_given_comes_first(local: LocalHub, searching: Searching) -> None:
    add(local, "alice/sea-GGUF-more", 1, downloads=9)
    add(local, "alice/sea-GGUF", 400)
    found = searching().search(
        HubQuery("alice/sea-GGUF", sorting=HubSortOrder.DOWNLOADS, only_fitting=True), CancelToken()
    )
    assert names(found) == ["alice/sea-GGUF", "alice/sea-GGUF-more"]
    found = searching().search(HubQuery("alice/sea-GG"), CancelToken())
    assert sorted(names(found)) == ["alice/sea-GGUF", "alice/sea-GGUF-more"]


def test_no_such_repository(local: LocalHub, searching: Searching) -> None:
    with pytest.raises(HubNotFoundError, match="no public repository alice/nothing"):
        searching().search(HubQuery("alice/nothing"), CancelToken())


def test_without_the_hub_there_is_what_is_on_this_computer(searching: Searching) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    found = searching(endpoint=f"http://127.0.0.1:{port}").search(HubQuery("sea"), CancelToken())
    assert found.offline is not None
    assert found.offline.message == "Can't reach 127.0.0.1."
    assert (found.models, found.here) == ((), HERE[:1])


def test_told_to_stay_offline(local: LocalHub, searching: Searching, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    found = searching().search(HubQuery(), CancelToken())
    assert found.offline is not None
    assert found.offline.message == "HF_HUB_OFFLINE is set, so specchat doesn't access the Hub."
    assert (found.here, local.requests) == (HERE[:2], [])
    with pytest.raises(HubOfflineError):
        searching().fetch_repository("someone/model", CancelToken())


def test_cancelled(searching: Searching) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        searching().search(HubQuery(), cancel)


def test_what_a_repository_holds(
    local: LocalHub, searching: Searching, tiny_llama: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    large = [LfsFile(tiny_llama, f"{number:064x}", 4 * GB) for number in range(2)]
    shards = {f"sea-BF16-0000{number}-of-00002.gguf": file for number, file in enumerate(large, start=1)}
    others = {"mmproj-sea.gguf": b"GGUF", "imatrix.gguf": b"GGUF", "mtp-sea.gguf": b"GGUF"}
    local.add("alice/sea", {**shards, **others, "sea-Q8_0.gguf": tiny_llama}, gating="auto", licence="llama3")
    search = searching()
    repository = search.fetch_repository("alice/sea", CancelToken())
    assert [(file.model.quantization, len(file.model.files), file.fit, file.here) for file in repository.files] == [
        ("Q8_0", 1, Fit.FITS, False),
        ("BF16", 2, Fit.DOES_NOT_FIT, False),
    ]
    assert sorted(str(model.kind) for model in repository.others) == ["imatrix", "mmproj"]
    assert [str(head.model.kind) for head in repository.heads] == ["mtp"]
    assert (repository.listing.gating, repository.listing.licence) == (Gating.AUTO, "llama3")
    assert pooled_memory(repository.devices).free == 8 * GB
    cache, small = HubCache(), repository.files[0].model.first
    cache.blob(small).parent.mkdir(parents=True)
    cache.blob(small).write_bytes(tiny_llama.read_bytes())
    cache.install(small)
    assert [file.here for file in search.fetch_repository("alice/sea", CancelToken()).files] == [True, False]


def test_headers_are_read_where_that_is_allowed(local: LocalHub, searching: Searching, tiny_llama: Path) -> None:
    local.add("alice/sea", {"sea-Q8_0.gguf": tiny_llama}, gating="auto")
    local.token("hf_accepted", accepted=["alice/sea"])
    cancel = CancelToken()
    model = searching().fetch_repository("alice/sea", cancel).files[0].model
    assert isinstance(searching().fetch_repository("alice/sea", cancel).refused, HubAccessError)
    with pytest.raises(HubAccessError):
        searching().inspect(model, cancel)
    assert searching("hf_accepted").fetch_repository("alice/sea", cancel).refused is None
    assert searching("hf_accepted").inspect(model, cancel).architecture == "llama"


@pytest.mark.parametrize(
    ("text", "repo"),
    [
        ("https://huggingface.co/alice/sea", "alice/sea"),
        ("https://huggingface.co/alice/sea/", "alice/sea"),
        ("https://huggingface.co/alice/sea/blob/main/sea-Q8_0.gguf", "alice/sea"),
        ("https://huggingface.co/alice/sea/tree/main?show=all#files", "alice/sea"),
        ("huggingface.co/alice/sea", "alice/sea"),
        ("https://hf.co/alice/sea", "alice/sea"),
        ("alice/sea:sea-Q8_0.gguf", "alice/sea"),
        ("alice/sea@v2:sea-Q8_0.gguf", "alice/sea"),
        ("http://mirror:8080/alice/sea", "alice/sea"),
        ("https://example.com/alice/sea", None),
        ("https://huggingface.co/datasets/alice", None),
        ("https://huggingface.co/models?search=sea", None),
        ("https://[alice/sea", None),
        ("alice/sea", None),
        ("sea 7b", None),
        ("", None),
    ],
)
def test_addresses_of_repositories(text: str, repo: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://mirror:8080/")
    assert parse_repository_url(text) == repo
    assert page_url("alice/sea") == "http://mirror:8080/alice/sea"


def test_the_first_estimate() -> None:
    gpu, shared = Device("CUDA0", "", "gpu", 24 * GB, 20 * GB), Device("Metal", "", "igpu", 16 * GB, 8 * GB)
    assert pooled_memory((CPU, gpu, shared)).free == 28 * GB
    assert estimated_size(8_030_000_000, "Q4_K_M") == pytest.approx(4.9 * GB, rel=0.05)
    assert estimated_parameters(round(4.9 * GB), "Q4_K_M") == pytest.approx(8_030_000_000, rel=0.05)
    fits = [fit_listed([ModelSize(size, 8_030_000_000)], [CPU]) for size in (4 * GB, 7 * GB, 8 * GB)]
    assert [fit.verdict for fit in fits] == [Fit.FITS, Fit.TIGHT, Fit.DOES_NOT_FIT]
    assert {fit.method for fit in fits} == {EstimateMethod.SIZE}
