import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from services.models.library.shelves import Facts, drafts, models_among, write
from support.gguf_bytes import Tensor, gguf
from support.ggufs import make_model
from support.model_homes import COMMIT, REPO, put_into_hub_cache, put_into_ollama, small_model
from support.projectors import LLAVA

from specchat.domain.errors import ModelFileError
from specchat.domain.model_ref import ModelFile
from specchat.services.models.model_discovery import find_in_hub_cache, find_in_lm_studio, find_in_ollama
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import Origin
from specchat.sources.hub_cache import HubCache
from specchat.store.json_file import JsonFile


def shelf_of(tmp_path: Path, facts: Facts, verdicts: Facts, ours: Sequence[Path] = ()) -> ModelLibrary:
    finders = (
        lambda: find_in_hub_cache(HubCache(tmp_path / "hub")),
        lambda: find_in_lm_studio(tmp_path / "home"),
        lambda: find_in_ollama(tmp_path / "home"),
    )
    added, folder = JsonFile(tmp_path / "added.json"), tmp_path / "models"
    return ModelLibrary(added, folder, facts, verdicts, finders=finders, ours=lambda: ours)


@pytest.fixture
def wide_shelf(tmp_path: Path, facts: Facts, verdicts: Facts, monkeypatch: pytest.MonkeyPatch) -> ModelLibrary:
    monkeypatch.delenv("OLLAMA_MODELS", raising=False)
    return shelf_of(tmp_path, facts, verdicts)


def lm_studio(tmp_path: Path, name: str) -> Path:
    path = tmp_path / "home" / ".lmstudio" / "models" / "someone" / "small" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def test_models_of_other_programs_stay_where_they_are(tmp_path: Path, wide_shelf: ModelLibrary) -> None:
    in_cache = put_into_hub_cache(tmp_path / "hub", "Q8_0/a.gguf", small_model("Hub"))
    of_studio = write(lm_studio(tmp_path, "b.gguf"))
    of_ollama = put_into_ollama(
        tmp_path / "home" / ".ollama" / "models", "registry.ollama.ai/library/llama3.2/1b", small_model("L", 40)
    )
    assert [(model.path, model.name, model.origin, model.reference) for model in wide_shelf.models()] == [
        (of_studio, "b", Origin.LM_STUDIO, ""),
        (in_cache, "Hub", Origin.HUB, f"{REPO}:Q8_0/a.gguf"),
        (of_ollama, "llama3.2:1b", Origin.OLLAMA, "ollama:llama3.2:1b"),
    ]
    assert not any(model.problems or model.ours for model in wide_shelf.models())
    assert [drafts for drafts in wide_shelf.draft_options(of_ollama) if drafts.selectable][1].model is not None


def test_no_model_is_there_twice(tmp_path: Path, wide_shelf: ModelLibrary, folder: Path) -> None:
    place = put_into_hub_cache(tmp_path / "hub", "a.gguf", small_model())
    put_into_hub_cache(tmp_path / "hub", "a.gguf", small_model(), commit="d" * 40)
    lm_studio(tmp_path, "b.gguf").symlink_to(place)
    (folder / "c.gguf").hardlink_to(place.resolve())
    (link := tmp_path / "d.gguf").symlink_to(place)
    (model,) = wide_shelf.models()
    assert (model.origin, model.reference) == (Origin.HUB, f"{REPO}:a.gguf")
    assert wide_shelf.find_model(link) == wide_shelf.add(link) == model
    assert not (tmp_path / "added.json").exists()
    assert models_among(wide_shelf.draft_options(link)) == []


def test_what_a_link_leads_to_is_as_large_as_it_is(tmp_path: Path, wide_shelf: ModelLibrary, folder: Path) -> None:
    target = write(folder / "target.gguf", 20_000)
    (link := tmp_path / "link.gguf").symlink_to(target)
    write(folder / "draft.gguf", 2_000)
    assert drafts(wide_shelf, link) == [("draft", "identical")]


def test_revisions_that_differ_are_two(tmp_path: Path, wide_shelf: ModelLibrary) -> None:
    put_into_hub_cache(tmp_path / "hub", "a.gguf", small_model("Old"))
    put_into_hub_cache(tmp_path / "hub", "a.gguf", small_model("New"), commit="d" * 40)
    assert [(model.name, model.reference) for model in wide_shelf.models()] == [
        ("New", f"{REPO}:a.gguf"),
        ("Old", f"{REPO}@{COMMIT}:a.gguf"),
    ]


def test_parts_and_sidecars_in_the_cache(tmp_path: Path, facts: Facts, verdicts: Facts) -> None:
    parts = [
        put_into_hub_cache(tmp_path / "hub", f"big-0000{number}-of-00002.gguf", data)
        for number, data in enumerate(
            (
                small_model(changes={"split.no": 0, "split.count": 2}),
                gguf({"split.no": 1, "split.count": 2}, [Tensor("blk.1.attn_q.weight", (32, 32))]),
            ),
            1,
        )
    ]
    put_into_hub_cache(tmp_path / "hub", "mmproj-big.gguf", b"GGUF")
    for ours, expected in ((parts, True), (parts[:1], False), (parts[1:], False)):
        (model,) = shelf_of(tmp_path, facts, verdicts, ours).models()
        assert (model.path, model.problems, model.ours) == (parts[0], (), expected)


def test_a_repository_without_an_owner_has_no_reference(tmp_path: Path, wide_shelf: ModelLibrary) -> None:
    place = put_into_hub_cache(tmp_path / "hub", "a.gguf", small_model(), repo="small")
    assert [(model.path, model.reference) for model in wide_shelf.models()] == [(place, "")]


def test_a_cache_at_odds_with_itself(tmp_path: Path, wide_shelf: ModelLibrary) -> None:
    place = put_into_hub_cache(tmp_path / "hub", "a.gguf", small_model())
    place.with_name("lost.gguf").symlink_to("../../blobs/nothing")
    place.with_name("self.gguf").symlink_to("self.gguf")
    place.with_name("loop").symlink_to(".")
    (tmp_path / "hub" / "models--a--file").write_bytes(b"")
    refs = tmp_path / "hub" / "models--someone--small-GGUF" / "refs" / "main"
    for content in (b"../../../..", b"\xff", b"\0", b""):
        refs.write_bytes(content)
        assert [model.path for model in wide_shelf.models()] == [place]


def test_folders(tmp_path: Path, library: ModelLibrary) -> None:
    path = write(tmp_path / "disk" / "a.gguf")
    library.add_folder(path.parent)
    library.add_folder(path.parent)
    added = library.add(write(tmp_path / "b.gguf"))
    assert library.folders() == [path.parent]
    assert [(model.path, model.origin) for model in library.models()] == [
        (path, Origin.FOLDER),
        (added.path, added.origin),
    ]
    path.unlink()
    path.parent.rmdir()
    assert (library.folders(), library.models()) == ([path.parent], [added])
    library.remove_folder(path.parent)
    assert library.folders() == []


def test_what_is_in_use_stays_when_its_folder_goes(tmp_path: Path, library: ModelLibrary) -> None:
    target, draft, other = (write(tmp_path / "disk" / name) for name in ("target.gguf", "draft.gguf", "other.gguf"))
    library.add(lone := write(tmp_path / "lone.gguf"))
    library.add_folder(tmp_path / "disk")
    library.remove_folder(tmp_path / "disk", [*map(ModelFile, (target, draft, lone, tmp_path / "gone.gguf"))])
    assert {model.path: model.origin for model in library.models()} == dict.fromkeys(
        [target, draft, lone], Origin.ADDED
    )
    assert draft in [option.model.path for option in library.draft_options(target) if option.model]
    library.add_folder(tmp_path / "disk")
    library.remove(draft)
    assert {model.path for model in library.models()} == {target, draft, other, lone}


def test_folders_of_ollama(tmp_path: Path, library: ModelLibrary) -> None:
    put_into_ollama(tmp_path / "disk", "registry.ollama.ai/library/tiny/latest", small_model())
    library.add_folder(tmp_path / "disk")
    (model,) = library.models()
    assert (model.name, model.origin) == ("tiny:latest", Origin.OLLAMA)


@pytest.mark.parametrize("name", ["gone", "empty", "file.gguf"])
def test_folders_of_no_use(tmp_path: Path, library: ModelLibrary, name: str) -> None:
    (tmp_path / "empty").mkdir()
    write(tmp_path / "file.gguf")
    with pytest.raises(ModelFileError, match="Folder not found|There are no models") as refused:
        library.add_folder(tmp_path / name)
    assert refused.value.hint
    assert library.folders() == []


def test_a_list_of_what_cannot_be(tmp_path: Path, library: ModelLibrary) -> None:
    names = ["/a\0b.gguf", "/\ud800.gguf", f"/{'a' * 5000}.gguf"]
    (tmp_path / "added.json").write_text(json.dumps({"models": names, "folders": names}))
    assert [model.missing for model in library.models()] == [True] * 3
    for path in library.folders():
        library.remove_folder(path)
    assert library.folders() == []


def test_a_target_beside_its_vision_encoder_sees(tmp_path: Path, wide_shelf: ModelLibrary) -> None:
    target, mmproj = LLAVA.make(tmp_path / "sight")
    (tmp_path / "blind").mkdir()
    blind = make_model(tmp_path / "blind" / "blind.gguf")
    for path in (target, blind):
        wide_shelf.add(path)
    assert {model.path: model.mmproj for model in wide_shelf.models()} == {target: mmproj, blind: None}
    seeing = next(model for model in wide_shelf.models() if model.path == target)
    assert seeing.whole_size == target.stat().st_size + mmproj.stat().st_size
