"""What arrives lies where the Hub's own client finds it, and what the client has is found."""

from dataclasses import replace
from pathlib import Path

import pytest
from huggingface_hub import hf_hub_download, scan_cache_dir
from huggingface_hub.errors import LocalEntryNotFoundError
from support.downloading import BLOCK, REPO, Watched, add, content, downloader
from support.hub import LocalHub

from specchat.domain.errors import ModelFileError
from specchat.domain.hub import HubReference, RemoteFile
from specchat.sources.hub_cache import HubCache, cache_folder
from specchat.sources.partial_file import PartialFile, partial_size

MODEL = content(3000)
NAME = "quants/model.gguf"


def arrived(hub: LocalHub, folder: Path, file: RemoteFile, revision: str = "main") -> Path:
    loader = downloader(hub.endpoint, folder)
    watched = Watched()
    loader.download(file, watched.cancel, watched)
    return loader.cache.install(file, revision)


def local(folder: Path, name: str = NAME, revision: str | None = None) -> Path:
    return Path(hf_hub_download(REPO, name, cache_dir=folder, revision=revision, local_files_only=True))


@pytest.fixture
def file(hub: LocalHub) -> RemoteFile:
    return add(hub, {NAME: MODEL})[NAME]


@pytest.fixture
def without_links(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_DISABLE_SYMLINKS", "1")


def test_the_client_finds_it(hub: LocalHub, tmp_path: Path, file: RemoteFile) -> None:
    place = arrived(hub, tmp_path, file)
    assert local(tmp_path) == local(tmp_path, revision=file.commit) == place
    assert (place.read_bytes(), place.is_symlink()) == (MODEL, True)
    assert not Path(place.readlink()).is_absolute()
    info = scan_cache_dir(tmp_path)
    assert (info.size_on_disk, info.warnings) == (len(MODEL), [])
    (repo,) = info.repos
    assert (repo.repo_id, set(repo.refs)) == (REPO, {"main"})
    assert hf_hub_download(REPO, NAME, cache_dir=tmp_path, endpoint=hub.endpoint, token=False) == str(place)
    assert hub.bytes_sent(f"/repos/*/{NAME}") == len(MODEL)


def test_what_the_client_has_is_found_and_not_fetched(hub: LocalHub, tmp_path: Path, file: RemoteFile) -> None:
    place = Path(hf_hub_download(REPO, NAME, cache_dir=tmp_path, endpoint=hub.endpoint, token=False))
    assert HubCache(tmp_path).find(HubReference(REPO, NAME)) == place
    assert arrived(hub, tmp_path, file) == place
    assert hub.bytes_sent(f"/repos/*/{NAME}") == len(MODEL)
    (model,) = HubCache(tmp_path).models()
    assert (model.place, model.size, model.reference) == (place, len(MODEL), HubReference(REPO, NAME, file.commit))


@pytest.mark.usefixtures("without_links")
def test_where_there_are_no_links_the_file_itself_is_there(hub: LocalHub, tmp_path: Path, file: RemoteFile) -> None:
    place = arrived(hub, tmp_path, file)
    assert (local(tmp_path), place.is_symlink(), place.read_bytes()) == (place, False, MODEL)
    cache = HubCache(tmp_path)
    assert not cache.blob(file).exists()
    assert arrived(hub, tmp_path, file) == place
    assert hub.bytes_sent(f"/repos/*/{NAME}") == len(MODEL)
    cache.remove(place)
    assert cache.find(HubReference(REPO, NAME)) is None


def test_nothing_is_offered_before_it_is_installed(hub: LocalHub, tmp_path: Path, file: RemoteFile) -> None:
    loader = downloader(hub.endpoint, tmp_path)
    watched = Watched()
    loader.download(file, watched.cancel, watched)
    assert (loader.cache.find(HubReference(REPO, NAME)), loader.cache.models()) == (None, [])
    with pytest.raises(LocalEntryNotFoundError):
        local(tmp_path, revision=file.commit)
    loader.cache.discard(file)
    assert not loader.cache.blob(file).exists()


def test_installing_leaves_alone_what_another_program_fetches_anew(
    hub: LocalHub, tmp_path: Path, file: RemoteFile
) -> None:
    loader, watched = downloader(hub.endpoint, tmp_path), Watched()
    loader.download(file, watched.cancel, watched)
    cache, begun = loader.cache, MODEL[:1000]
    with cache.locked(file), PartialFile(cache.blob(file), file, BLOCK) as part:
        part.append(begun)
        part.save()
        place = cache.install(file)
        assert partial_size(cache.blob(file), file) == len(begun)
        assert cache.partial_downloads() == [file]
    assert place.read_bytes() == MODEL
    cache.install(file)
    assert cache.partial_downloads() == []


def test_revisions(hub: LocalHub, tmp_path: Path, file: RemoteFile) -> None:
    cache = HubCache(tmp_path)
    old = arrived(hub, tmp_path, file)
    newer = arrived(hub, tmp_path, add(hub, {NAME: content(10, seed=1)})[NAME])
    tagged = arrived(hub, tmp_path, add(hub, {"tagged.gguf": content(20, seed=2)})["tagged.gguf"], "refs/pr/1")
    assert cache.find(HubReference(REPO, NAME)) == newer
    assert cache.find(HubReference(REPO, NAME, file.commit)) == old
    assert cache.find(HubReference(REPO, "tagged.gguf", "refs/pr/1")) == tagged
    assert cache.find(HubReference(REPO, "tagged.gguf", "main")) is None
    assert cache.find(HubReference(REPO, "tagged.gguf")) == tagged
    assert cache.find(HubReference(REPO, NAME, "v9")) is None
    assert cache.find(HubReference("someone/else", NAME)) is None
    assert {each.place for each in cache.models()} == {old, newer, tagged}


def test_a_model_in_several_files_is_found_when_all_are_there(hub: LocalHub, tmp_path: Path) -> None:
    names = [f"big-0000{number}-of-00002.gguf" for number in (1, 2)]
    first, second = add(hub, {name: content(10, seed) for seed, name in enumerate(names)}).values()
    cache = HubCache(tmp_path)
    place = arrived(hub, tmp_path, first)
    assert (cache.find(HubReference(REPO, names[0])), cache.models()) == (None, [])
    arrived(hub, tmp_path, second)
    assert cache.find(HubReference(REPO, names[0])) == place
    assert len(cache.models()) == 2


def test_bytes_go_with_the_last_name(hub: LocalHub, tmp_path: Path, file: RemoteFile) -> None:
    cache = HubCache(tmp_path)
    first = arrived(hub, tmp_path, file)
    other = add(hub, {NAME: MODEL, "README.md": b"# New"})[NAME]
    second = arrived(hub, tmp_path, other)
    cache.remove(first)
    assert not first.parent.parent.exists()
    assert second.read_bytes() == MODEL
    cache.discard(other)
    assert second.read_bytes() == MODEL
    cache.remove(second)
    assert not cache.blob(file).exists()
    assert scan_cache_dir(tmp_path).warnings == []
    assert cache.models() == []


def test_only_files_of_the_cache_are_removed(tmp_path: Path) -> None:
    other = tmp_path / "other.gguf"
    other.write_bytes(b"GGUF")
    for place in (other, tmp_path / "cache" / "models--a--b" / "blobs" / "c"):
        with pytest.raises(ModelFileError, match="not in the Hub's cache"):
            HubCache(tmp_path / "cache").remove(place)
    assert other.exists()


@pytest.mark.parametrize("folder", ["snapshots/c", "snapshots/c/sub"])
def test_what_a_link_leads_to_outside_stays_as_it_is(tmp_path: Path, folder: str) -> None:
    outside = tmp_path / "outside"
    repo = tmp_path / "cache" / "models--a--b"
    (repo / folder).parent.mkdir(parents=True)
    (repo / folder).symlink_to(outside)
    outside.mkdir()
    (outside / "x.gguf").write_bytes(b"precious")
    cache = HubCache(tmp_path / "cache")
    file = RemoteFile("a/b", "c", f"{folder}/x.gguf".removeprefix("snapshots/c/"), 4, "a" * 64)
    cache.blob(file).parent.mkdir()
    cache.blob(file).write_bytes(b"GGUF")
    for change in (lambda: cache.remove(cache.snapshot_path(file)), lambda: cache.install(file)):
        with pytest.raises(ModelFileError, match="not in the Hub's cache"):
            change()
    assert {each.name: each.read_bytes() for each in outside.iterdir()} == {"x.gguf": b"precious"}


def test_only_the_link_to_something_outside_is_removed(tmp_path: Path) -> None:
    outside = tmp_path / "x.gguf"
    outside.write_bytes(b"precious")
    place = tmp_path / "cache" / "models--a--b" / "snapshots" / "c" / "x.gguf"
    place.parent.mkdir(parents=True)
    place.symlink_to(outside)
    HubCache(tmp_path / "cache").remove(place)
    assert (place.is_symlink(), outside.read_bytes()) == (False, b"precious")


@pytest.mark.parametrize("commit", [b"\xff\xfe", b"../../../outside", b"/etc", b"", b"a\0b"])
def test_names_of_commits_that_make_no_sense(tmp_path: Path, commit: bytes) -> None:
    repo = tmp_path / "models--a--b"
    place = repo / "snapshots" / "c" / "x.gguf"
    for path, data in ((place, b"GGUF"), (repo / "refs" / "main", commit)):
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    cache = HubCache(tmp_path)
    assert cache.find(HubReference("a/b", "x.gguf")) == place
    cache.remove(place)
    assert not place.exists()


@pytest.mark.parametrize(
    "wrong",
    [{"path": "../../model.gguf"}, {"path": "/model.gguf"}, {"commit": ".."}, {"repo": "a\\b"}, {"sha256": "../../x"}],
)
def test_names_that_lead_elsewhere(tmp_path: Path, wrong: dict[str, str]) -> None:
    file = RemoteFile(REPO, "c" * 40, NAME, 1, "a" * 64)
    HubCache(tmp_path).require_valid_names(file)
    with pytest.raises(ModelFileError, match="is not a valid file name"):
        HubCache(tmp_path).require_valid_names(replace(file, **wrong))  # type: ignore[arg-type]
    assert HubCache(tmp_path).find(HubReference(REPO, "../../../model.gguf")) is None


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"HF_HUB_CACHE": "{tmp}/a"}, "a"),
        ({"HUGGINGFACE_HUB_CACHE": "{tmp}/b"}, "b"),
        ({"HF_HOME": "{tmp}/c"}, "c/hub"),
        ({"XDG_CACHE_HOME": "{tmp}/d"}, "d/huggingface/hub"),
        ({"HOME": "{tmp}/e"}, "e/.cache/huggingface/hub"),
    ],
)
def test_where_the_cache_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, environment: dict[str, str], folder: str
) -> None:
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value.format(tmp=tmp_path))
    assert cache_folder() == tmp_path / folder
