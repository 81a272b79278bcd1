from pathlib import Path

import pytest
from support.model_homes import COMMIT, REPO, put_into_hub_cache, small_model

from specchat.domain.errors import ModelFileError
from specchat.domain.hub import HubReference
from specchat.domain.model_ref import ModelFile, ServedModel
from specchat.services.models.model_discovery import find_in_hub_cache
from specchat.services.models.model_refs import is_local, is_missing, is_same_model, path_for_ref, ref_for_path
from specchat.services.models.pair_fit import LocalModel
from specchat.sources.hub_cache import HubCache

NAME = "Q8_0/small.gguf"
SMALL = HubReference(REPO, NAME)
LATER = "d" * 40


@pytest.fixture(autouse=True)
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


def test_a_file_is_itself(tmp_path: Path) -> None:
    path = tmp_path / "small.gguf"
    assert ref_for_path(path) == ModelFile(path)
    assert path_for_ref(ModelFile(path)) == path
    assert not is_local(ModelFile(path))
    path.write_bytes(small_model())
    assert is_local(ModelFile(path))


def test_a_file_in_the_cache_is_one_of_the_hub(hub: Path) -> None:
    place = put_into_hub_cache(hub, NAME, small_model())
    assert ref_for_path(place) == SMALL
    assert path_for_ref(SMALL) == place
    assert is_local(SMALL)


def test_after_an_update_the_new_snapshot_is_meant(hub: Path) -> None:
    old = put_into_hub_cache(hub, NAME, small_model("Old"))
    new = put_into_hub_cache(hub, NAME, small_model("New"), commit=LATER)
    assert (ref_for_path(new), path_for_ref(SMALL)) == (SMALL, new)
    with_commit = HubReference(REPO, NAME, COMMIT)
    assert (ref_for_path(old), path_for_ref(with_commit)) == (with_commit, old)
    assert not is_same_model(SMALL, with_commit)


def test_what_an_update_did_not_change_is_the_same_model(hub: Path) -> None:
    """Also where its old snapshot has been deleted."""
    old = put_into_hub_cache(hub, NAME, small_model())
    put_into_hub_cache(hub, NAME, small_model(), commit=LATER)
    assert ref_for_path(old) == SMALL
    assert is_same_model(SMALL, ModelFile(old))
    old.unlink()
    assert ref_for_path(old) == SMALL


def test_what_was_not_downloaded_can_be(hub: Path) -> None:
    place = hub / "models--someone--small-GGUF" / "snapshots" / COMMIT / NAME
    assert ref_for_path(place) == SMALL
    assert not is_local(SMALL)
    assert not is_same_model(SMALL, ModelFile(place))
    with pytest.raises(ModelFileError) as caught:
        path_for_ref(SMALL)
    assert caught.value.message == f"{SMALL} is not on this computer."
    assert caught.value.hint == f"Download it: specchat models pull {SMALL}"


def test_where_the_text_would_not_tell_the_repository_it_is_a_file(hub: Path) -> None:
    place = put_into_hub_cache(hub, NAME, small_model(), repo="small")
    assert ref_for_path(place) == ModelFile(place)


def test_the_shelf_means_the_same(hub: Path) -> None:
    put_into_hub_cache(hub, NAME, small_model("Old"))
    put_into_hub_cache(hub, NAME, small_model("New"), commit=LATER)
    put_into_hub_cache(hub, NAME, small_model(), repo="small")
    found = list(find_in_hub_cache(HubCache()))
    models = [LocalModel(each.path, "", each.origin, reference=each.reference) for each in found]
    assert [model.ref for model in models] == [ref_for_path(model.path) for model in models]
    assert len(models) == 3


def test_a_model_of_another_engine_has_no_file_here() -> None:
    served = ServedModel("http://localhost:8080", "small.gguf")
    assert not is_local(served)
    assert not is_missing(served)
    assert is_missing(SMALL)
    with pytest.raises(ModelFileError, match="small.gguf is on another engine"):
        path_for_ref(served)
    assert is_same_model(served, ServedModel("http://localhost:8080", "small.gguf"))
    assert not is_same_model(served, ServedModel("http://localhost:8081", "small.gguf"))
