from collections.abc import Iterator
from pathlib import Path

import pytest
from huggingface_hub import close_session
from support.hub import LocalHub

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubNotFoundError, ModelFileError
from specchat.domain.hub import HubQuery, HubReference
from specchat.services.hub.hub import Hub
from specchat.sources.hugging_face import HuggingFace

REPO = "someone/small-GGUF"


@pytest.fixture
def local(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with LocalHub() as hub:
        yield hub
    close_session()


@pytest.fixture
def hub(local: LocalHub, tmp_path: Path) -> Hub:
    return Hub(HuggingFace(lambda: None, local.endpoint, tmp_path / "headers"))


def test_from_a_search_to_a_header(local: LocalHub, hub: Hub, tiny_llama: Path) -> None:
    local.add(REPO, {"tiny-Q8_0.gguf": tiny_llama}, licence="mit")
    cancel = CancelToken()
    (found,) = hub.source.search(HubQuery("small"), None, cancel).models
    (model,) = hub.fetch_listing(found.repo, None, cancel).models
    asked = len(local.requests)
    assert hub.find_file(model.reference, cancel) == model.first
    assert len(local.requests) == asked
    first = hub.inspect(model.first, cancel)
    assert (first.architecture, first.file_size) == ("llama", tiny_llama.stat().st_size)
    asked = len(local.requests)
    assert hub.inspect(model.first, cancel) == first
    assert len(local.requests) == asked


def test_looking_asks_anew(local: LocalHub, hub: Hub) -> None:
    local.add(REPO, {"old.gguf": b"GGUF"})
    hub.fetch_listing(REPO, None, CancelToken())
    local.add(REPO, {"new.gguf": b"GGUF"})
    reference = HubReference(REPO, "new.gguf")
    with pytest.raises(HubNotFoundError, match="new.gguf"):
        hub.find_file(reference, CancelToken())
    hub.fetch_listing(REPO, None, CancelToken())
    assert hub.find_file(reference, CancelToken()).path == "new.gguf"


def test_a_file_that_is_no_model_is_read_again(local: LocalHub, hub: Hub, tiny_llama: Path) -> None:
    local.add(REPO, {"wrong.gguf": b"<html>Please log in</html>"})
    file = hub.find_file(HubReference(REPO, "wrong.gguf"), CancelToken())
    for requests in (1, 2):
        with pytest.raises(ModelFileError, match="web page"):
            hub.inspect(file, CancelToken())
        assert [request.origin for request in local.requests].count("cdn") == requests


def test_a_later_part_of_a_model_names_the_first(local: LocalHub, hub: Hub) -> None:
    local.add(REPO, {f"large-0000{part}-of-00002.gguf": b"GGUF" for part in (1, 2)})
    assert hub.find_file(HubReference(REPO, "large-00002-of-00002.gguf"), CancelToken()).size == 4
    with pytest.raises(HubNotFoundError) as caught:
        hub.find_file(HubReference(REPO, "large.gguf"), CancelToken())
    assert caught.value.hint == "Choose one of these: large-00001-of-00002.gguf"
