"""Where drafts of a target's first layers are kept, and when they go."""

import os
from pathlib import Path

import pytest
from support.early_exits import keep_early_exit

from specchat.domain.errors import StorageBusyError
from specchat.services.models.early_exit_store import EarlyExitStore


@pytest.fixture
def store(tmp_path: Path) -> EarlyExitStore:
    return EarlyExitStore(tmp_path / "made", tmp_path)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "Llama 3.gguf"
    path.write_bytes(b"weights")
    return path


def test_a_draft_is_found_by_its_target(store: EarlyExitStore, target: Path) -> None:
    path = keep_early_exit(store, target)
    found = store.find(target)
    assert found is not None
    assert (found.path, found.n_layers, found.path.stem) == (path, 2, "Llama 3-first-2-layers")
    owner = store.draft_at(path)
    assert owner is not None
    assert owner.target == target
    assert store.find(path) is None


def test_a_target_has_one(store: EarlyExitStore, target: Path) -> None:
    first = keep_early_exit(store, target)
    second = keep_early_exit(store, target, 3)
    assert [each.path for each in store.all()] == [second]
    assert not first.exists()


@pytest.mark.parametrize("what", ["deleted", "changed", "touched"])
def test_it_goes_when_its_target_is_another(store: EarlyExitStore, target: Path, what: str) -> None:
    path = keep_early_exit(store, target)
    match what:
        case "deleted":
            target.unlink()
        case "changed":
            target.write_bytes(b"other weights")
        case "touched":
            os.utime(target, ns=(1, 1))
    assert list(store.all()) == []
    assert path.exists()
    store.delete_stale()
    assert not path.parent.exists()


@pytest.mark.parametrize("leaves_folder", [False, True], ids=["disk gone", "mount point left"])
def test_it_stays_while_its_target_is_out_of_reach(store: EarlyExitStore, tmp_path: Path, leaves_folder: bool) -> None:
    disk, elsewhere = tmp_path / "disk", tmp_path / "elsewhere"
    disk.mkdir()
    target = disk / "t.gguf"
    target.write_bytes(b"weights")
    path = keep_early_exit(store, target)
    disk.rename(elsewhere)
    if leaves_folder:
        disk.mkdir()
    assert list(store.all()) == []
    store.delete_stale()
    if leaves_folder:
        disk.rmdir()
    elsewhere.rename(disk)
    assert [each.path for each in store.all()] == [path]


def test_a_note_that_cannot_be_read_now_costs_nothing(
    store: EarlyExitStore, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = keep_early_exit(store, target)

    def refuse(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_text", refuse)
        assert list(store.all()) == []
        store.delete_stale()
    assert [each.path for each in store.all()] == [path]


def test_a_search_that_keeps_nothing_leaves_what_was_kept(store: EarlyExitStore, target: Path) -> None:
    path = keep_early_exit(store, target)
    with store.attempt(target) as attempt:
        attempt.path_for(3).write_bytes(b"worse")
        assert [each.path for each in store.all()] == [path]
    assert [each.path for each in store.all()] == [path]
    assert not attempt.folder.exists()


def test_there_is_one_search_at_a_time(store: EarlyExitStore, target: Path) -> None:
    with store.attempt(target) as attempt:
        attempt.path_for(2).write_bytes(b"half")
        with pytest.raises(StorageBusyError), EarlyExitStore(store.folder).attempt(target):
            pass
        EarlyExitStore(store.folder).delete_stale()
        assert attempt.path_for(2).exists()
    with store.attempt(target):
        pass


def test_what_a_search_left_that_was_killed_goes(store: EarlyExitStore, target: Path) -> None:
    trying = store.folder / "trying"
    trying.mkdir(parents=True)
    (trying / "half.gguf").write_bytes(b"half")
    store.delete_stale()
    assert not trying.exists()


def test_what_could_not_be_deleted_goes_later(store: EarlyExitStore, target: Path) -> None:
    path = keep_early_exit(store, target)
    left = path.with_name("Llama 3-first-1-layers.gguf")
    left.write_bytes(b"was open")
    store.delete_stale()
    assert (path.exists(), left.exists()) == (True, False)


def test_a_draft_in_use_is_not_replaced(store: EarlyExitStore, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""
    path = keep_early_exit(store, target)
    replace = Path.replace

    def refuse(self: Path, to: Path) -> Path:
        if to == path:
            raise PermissionError(13, "Access is denied")
        return replace(self, to)

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(StorageBusyError, match="can't be replaced while it is in use"):
        keep_early_exit(store, target, 2, b"newer")
    assert path.read_bytes() == b"some weights"


def test_names_fit_whatever_letters_they_have(store: EarlyExitStore, tmp_path: Path) -> None:
    target = tmp_path / ("\u6a21" * 80 + ".gguf")
    target.write_bytes(b"weights")
    path = keep_early_exit(store, target)
    assert path.name == "\u6a21" * 66 + "-first-2-layers.gguf"


def test_it_moves_with_a_portable_folder(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    target = old / "t.gguf"
    target.write_bytes(b"weights")
    keep_early_exit(EarlyExitStore(old / "made", old), target)
    new = old.rename(tmp_path / "new")
    store = EarlyExitStore(new / "made", new)
    found = store.find(new / "t.gguf")
    assert found is not None
    assert (found.path.is_file(), found.path.is_relative_to(new)) == (True, True)
    keep_early_exit(store, new / "t.gguf", 3)
    assert [each.n_layers for each in store.all()] == [3]


@pytest.mark.parametrize("about", ['{"target": 3}', "[]", "{", '{"target": "\\u0000", "layers": 1}'])
def test_a_damaged_note_takes_the_draft_with_it(store: EarlyExitStore, target: Path, about: str) -> None:
    path = keep_early_exit(store, target)
    (path.parent / "target.json").write_text(about)
    assert list(store.all()) == []
    store.delete_stale()
    assert not path.parent.exists()


def test_others_folders_are_not_touched(store: EarlyExitStore, target: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.gguf").write_bytes(b"mine")
    keep_early_exit(store, target)
    try:
        (store.folder / "link").symlink_to(elsewhere, target_is_directory=True)
    except OSError:
        pytest.skip("no links here")
    assert len(list(store.all())) == 1
    assert (elsewhere / "mine.gguf").exists()


def test_in_the_hubs_cache_names_are_links(store: EarlyExitStore, target: Path, tmp_path: Path) -> None:
    link = tmp_path / "Qwen.gguf"
    try:
        link.symlink_to(target.rename(tmp_path / "0123abcd"))
    except OSError:
        pytest.skip("no links here")
    path = keep_early_exit(store, link)
    assert path.stem == "Qwen-first-2-layers"
    assert [store.find(each) is not None for each in (link, link.resolve())] == [True, True]
    keep_early_exit(store, link.resolve())
    assert len(list(store.all())) == 1
