"""Where drafts of a target's first layers are kept, and when they go."""

import os
from pathlib import Path

import pytest

from specchat.services.models.early_exit_store import EarlyExitStore


@pytest.fixture
def store(tmp_path: Path) -> EarlyExitStore:
    return EarlyExitStore(tmp_path / "made", tmp_path)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "Llama 3.gguf"
    path.write_bytes(b"weights")
    return path


def kept(store: EarlyExitStore, target: Path, n_layers: int = 2) -> Path:
    store.begin(target)
    path = store.path_for(target, n_layers)
    path.write_bytes(b"some weights")
    store.keep(target, n_layers)
    return path


def test_a_draft_is_found_by_its_target(store: EarlyExitStore, target: Path) -> None:
    path = kept(store, target)
    found = store.find(target)
    assert found is not None
    assert (found.path, found.n_layers, found.path.stem) == (path, 2, "Llama 3-first-2-layers")
    owner = store.draft_at(path)
    assert owner is not None
    assert owner.target == target
    assert store.find(path) is None


def test_a_target_has_one(store: EarlyExitStore, target: Path) -> None:
    first = kept(store, target)
    second = kept(store, target, 3)
    assert [each.path for each in store.all()] == [second]
    assert not first.exists()


@pytest.mark.parametrize("what", ["deleted", "changed", "touched"])
def test_it_goes_when_its_target_is_another(store: EarlyExitStore, target: Path, what: str) -> None:
    path = kept(store, target)
    match what:
        case "deleted":
            target.unlink()
        case "changed":
            target.write_bytes(b"other weights")
        case "touched":
            os.utime(target, ns=(1, 1))
    assert list(store.all()) == []
    assert not path.parent.exists()


def test_a_search_is_left_alone_until_it_was_surely_killed(store: EarlyExitStore, target: Path) -> None:
    store.begin(target)
    path = store.path_for(target, 2)
    path.write_bytes(b"half")
    assert list(store.all()) == []
    assert path.exists()
    os.utime(path.parent / "target.json", ns=(1, 1))
    assert list(store.all()) == []
    assert not path.parent.exists()


def test_it_moves_with_a_portable_folder(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.mkdir()
    target = old / "t.gguf"
    target.write_bytes(b"weights")
    kept(EarlyExitStore(old / "made", old), target)
    new = old.rename(tmp_path / "new")
    store = EarlyExitStore(new / "made", new)
    found = store.find(new / "t.gguf")
    assert found is not None
    assert (found.path.is_file(), found.path.is_relative_to(new)) == (True, True)
    kept(store, new / "t.gguf", 3)
    assert [each.n_layers for each in store.all()] == [3]


@pytest.mark.parametrize("about", ['{"target": 3}', "[]", "{", '{"target": "\\u0000", "layers": 1}'])
def test_a_damaged_note_takes_the_draft_with_it(store: EarlyExitStore, target: Path, about: str) -> None:
    path = kept(store, target)
    (path.parent / "target.json").write_text(about)
    assert list(store.all()) == []
    assert not path.parent.exists()


def test_others_folders_are_not_touched(store: EarlyExitStore, target: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.gguf").write_bytes(b"mine")
    kept(store, target)
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
    path = kept(store, link)
    assert path.stem == "Qwen-first-2-layers"
    assert [store.find(each) is not None for each in (link, link.resolve())] == [True, True]
    kept(store, link.resolve())
    assert len(list(store.all())) == 1
