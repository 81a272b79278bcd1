"""What specchat downloaded it may delete, and nothing else."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from support.downloading import model
from support.early_exits import keep_early_exit
from support.gguf_bytes import Tensor, gguf
from support.model_homes import REPO, put_into_hub_cache, put_into_ollama, remote, small_model

from specchat.domain.errors import UserError
from specchat.domain.hub import RemoteFile
from specchat.services.hub.download_jobs import DownloadJob, JobState
from specchat.services.models.download_registry import DownloadRegistry
from specchat.services.models.early_exit_store import EarlyExitStore
from specchat.services.models.model_discovery import find_in_hub_cache, find_in_lm_studio, find_in_ollama
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.model_removal import remove_model
from specchat.services.models.pair_fit import LocalModel, Origin
from specchat.sources.hub_cache import HubCache
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile

SMALL, OTHER = small_model("Small"), small_model("Other", 40)
PARTS = {
    "big-00001-of-00002.gguf": small_model("Big", changes={"split.no": 0, "split.count": 2}),
    "big-00002-of-00002.gguf": gguf({"split.no": 1, "split.count": 2}, [Tensor("blk.1.attn_q.weight", (32, 32))]),
}


class Home:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = HubCache(folder / "hub")
        self.record = JsonFile(folder / "owned.json")
        self.owned = DownloadRegistry(self.record, self.cache)
        self.early_exits = EarlyExitStore(folder / "early-exits")
        finders = (
            lambda: find_in_hub_cache(self.cache),
            lambda: find_in_lm_studio(folder),
            lambda: find_in_ollama(folder),
            self.early_exits.found_files,
        )
        facts, verdicts = (JsonCache(folder / name) for name in ("facts.json", "verdicts.json"))
        added, models = JsonFile(folder / "added.json"), folder / "models"
        self.library = ModelLibrary(added, models, facts, verdicts, finders=finders, ours=self.owned.paths)

    def download(self, files: Mapping[str, bytes], commit: str = "c" * 40, was_there: bool = False) -> list[Path]:
        remotes = [remote(path, data, commit=commit) for path, data in files.items()]
        places = [put_into_hub_cache(self.cache.folder, path, data, commit=commit) for path, data in files.items()]
        self.owned.record(self.job(*remotes, was_there=was_there))
        return places

    def job(self, *files: RemoteFile, was_there: bool = False) -> DownloadJob:
        arrived = {f"{file.repo}/{self.cache.blob(file).name}": 0 if was_there else file.size for file in files}
        return DownloadJob(1, (model(*files),), "main", JobState.DONE, arrived)

    def only(self) -> LocalModel:
        (found,) = self.library.models()
        return found

    def remove(self, what: LocalModel) -> int | None:
        return remove_model(what, self.library, self.owned, self.early_exits)

    def left(self) -> list[str]:
        """Besides the locks, which the Hub's client leaves as well."""
        return sorted(path.name for path in self.cache.folder.glob("[!.]*/**/*") if not path.is_dir())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.delenv("OLLAMA_MODELS", raising=False)
    return Home(tmp_path)


def test_what_was_downloaded_is_deleted(home: Home) -> None:
    (place,) = home.download({"a.gguf": SMALL})
    assert (home.only().ours, home.owned.owns(place)) == (True, True)
    assert home.owned.published_files(place) == [remote("a.gguf", SMALL)]
    assert home.remove(home.only()) == len(SMALL)
    assert (home.library.models(), home.left(), home.owned.paths()) == ([], [], frozenset())


def test_another_run_knows_it_too(home: Home) -> None:
    (place,) = home.download({"a.gguf": SMALL})
    assert DownloadRegistry(home.record, home.cache).owns(place)
    assert not DownloadRegistry(home.record, HubCache(home.folder / "another")).paths()


def test_a_model_in_parts_goes_as_one(home: Home) -> None:
    home.download({**PARTS, "other.gguf": OTHER})
    big = next(each for each in home.library.models() if each.name == "Big")
    assert home.remove(big) == sum(map(len, PARTS.values()))
    assert home.only().name == "Other"


def test_parts_of_someone_else_are_not_deleted(home: Home) -> None:
    first, second = PARTS
    home.download({second: PARTS[second]}, was_there=True)
    home.download({first: PARTS[first]})
    assert not home.only().ours
    with pytest.raises(UserError, match="specchat didn't download Big") as refused:
        home.remove(home.only())
    assert refused.value.hint.endswith(f"hf cache rm hf://models/{REPO}/{first} hf://models/{REPO}/{second}")
    assert len(home.left()) == 5


def test_what_was_there_before_is_not_ours(home: Home) -> None:
    home.download({"a.gguf": SMALL}, was_there=True)
    assert not home.only().ours
    with pytest.raises(UserError, match="specchat didn't download Small"):
        home.remove(home.only())
    assert home.library.models()


def test_all_names_that_specchat_gave_go(home: Home) -> None:
    home.download({"a.gguf": SMALL})
    home.download({"a.gguf": SMALL}, commit="d" * 40, was_there=True)
    assert home.only().ours
    assert home.remove(home.only()) == len(SMALL)
    assert home.left() == []


def test_a_name_that_another_program_gave_stays(home: Home) -> None:
    (ours,) = home.download({"a.gguf": SMALL})
    theirs = put_into_hub_cache(home.cache.folder, "a.gguf", SMALL, commit="d" * 40)
    assert home.owned.delete(ours) == 0
    assert (home.only().path, home.only().ours) == (theirs, False)


def test_what_someone_else_put_in_its_place_stays(home: Home) -> None:
    (place,) = home.download({"a.gguf": SMALL})
    place.unlink()
    place.write_bytes(OTHER)
    assert not home.only().ours
    with pytest.raises(UserError):
        home.remove(home.only())
    assert place.read_bytes() == OTHER


def test_files_that_are_gone_already(home: Home) -> None:
    (place,) = home.download({"a.gguf": SMALL})
    shown = home.only()
    place.resolve().unlink()
    assert home.remove(shown) == 0
    assert home.left() == []
    (place,) = home.download({"a.gguf": SMALL})
    place.unlink()
    place.parent.rmdir()
    assert home.remove(shown) == 0
    assert home.owned.paths() == frozenset()


def test_unfinished_jobs_own_nothing(home: Home) -> None:
    place = put_into_hub_cache(home.cache.folder, "a.gguf", SMALL)
    home.owned.record(replace(home.job(remote("a.gguf", SMALL)), state=JobState.FAILED))
    assert not home.owned.owns(place)


@pytest.mark.parametrize("content", ["{", '{"downloads": 5}', '{"downloads": {"a": {}}}'])
def test_a_damaged_record_owns_nothing(home: Home, content: str) -> None:
    (place,) = home.download({"a.gguf": SMALL})
    (home.folder / "owned.json").write_text(content)
    assert not home.owned.owns(place)
    assert (home.folder / "owned.damaged.json").read_text() == content


def test_a_record_that_leads_elsewhere(home: Home) -> None:
    home.download({"a.gguf": SMALL})
    outside = home.folder / "other.gguf"
    outside.write_bytes(SMALL)
    path = home.folder / "owned.json"
    (entry,) = json.loads(path.read_text())["downloads"].values()
    odd = f"{home.cache.folder}/models--a--b/snapshots/c/../../../../other.gguf"
    entry["changed"] = outside.stat().st_mtime_ns
    path.write_text(json.dumps({"downloads": {odd: entry, str(outside): entry}}))
    assert not home.owned.owns(outside)
    assert home.owned.delete(Path(odd)) == 0
    assert outside.exists()


@pytest.mark.parametrize("wrong", [{"sha256": "../x"}, {"repo": "../.."}, {"path": "\ud800.gguf"}, {"commit": ".."}])
def test_a_record_of_what_cannot_be(home: Home, wrong: dict[str, str]) -> None:
    home.download({"a.gguf": SMALL})
    path = home.folder / "owned.json"
    record = json.loads(path.read_text())
    for entry in record["downloads"].values():
        entry["file"] |= wrong
    path.write_text(json.dumps(record))
    assert not home.only().ours
    home.download({"b.gguf": OTHER})
    assert (len(home.owned.paths()), (home.folder / "owned.damaged.json").exists()) == (1, True)


def test_a_record_of_places_that_cannot_be(home: Home) -> None:
    (place,) = home.download({"a.gguf": SMALL})
    path = home.folder / "owned.json"
    record = json.loads(path.read_text())
    (entry,) = record["downloads"].values()
    record["downloads"] |= {f"{home.cache.folder}/{name}": entry for name in ("a\0b", "a" * 5000, "\ud800")}
    path.write_text(json.dumps(record))
    assert home.owned.paths() == {place}


def test_a_record_that_cannot_be_written_stops_no_download(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    (home.folder / "owned.json").mkdir()
    (place,) = home.download({"a.gguf": SMALL})
    assert place.exists()
    assert "Couldn't record that specchat downloaded this" in caplog.text


def test_an_added_file_leaves_the_list_and_stays(home: Home) -> None:
    path = home.folder / "a.gguf"
    path.write_bytes(SMALL)
    assert home.remove(home.library.add(path)) is None
    assert (home.library.models(), path.exists()) == ([], True)


def test_whose_it_is(home: Home) -> None:
    studio = home.folder / ".lmstudio" / "models" / "a.gguf"
    own = home.folder / "models" / "b.gguf"
    for path, data in ((studio, small_model("S", 41)), (own, small_model("F", 42))):
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    manifest = "registry.ollama.ai/library/tiny/latest"
    put_into_ollama(home.folder / ".ollama" / "models", manifest, small_model("O", 43))
    models = home.library.models()
    said = {}
    for each in [*models, LocalModel(Path("demo-target.gguf"), "Demo", Origin.DEMO)]:
        with pytest.raises(UserError) as refused:
            home.remove(each)
        said[each.name] = f"{refused.value.message} {refused.value.hint}"
    assert said == {
        "F": f"specchat didn't download F. Delete the file yourself: {own}",
        "S": "S belongs to LM Studio. Delete it in LM Studio, under My Models.",
        "tiny:latest": "tiny:latest belongs to Ollama. Delete it with: ollama rm tiny:latest",
        "Demo": "Demo is included with specchat. Uninstalling specchat removes it.",
    }
    assert home.library.models() == models


def test_what_was_made_of_a_model_goes_with_it(home: Home) -> None:
    (place,) = home.download({"a.gguf": SMALL})
    made = keep_early_exit(home.early_exits, place, 1, SMALL + b"1")
    own = {model.early_exit_of is None: model for model in home.library.models()}
    assert (own[False].path, own[False].target_problems != ()) == (made, True)
    assert home.remove(own[True]) == 2 * len(SMALL) + 1
    assert (home.library.models(), made.parent.exists()) == ([], False)


def test_only_what_was_made_of_a_model_is_deleted(home: Home) -> None:
    (place,) = home.download({"a.gguf": SMALL})
    keep_early_exit(home.early_exits, place, 1, SMALL)
    made = next(model for model in home.library.models() if model.early_exit_of)
    assert home.remove(made) == len(SMALL)
    assert home.only().path == place
