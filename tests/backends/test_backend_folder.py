"""Modules that somebody put into the folder for further backends."""

import os
import shutil
import sys
from pathlib import Path

import pytest
from support.rpc_servers import rpc_module

from specchat.backends import backend_folder
from specchat.backends.backend_folder import VARIABLE, load_backend_folder
from specchat.store.json_cache import JsonCache

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names and permissions are Linux's")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(VARIABLE, "")
    folder = tmp_path / "backends"
    folder.mkdir(mode=0o755)
    return folder


def refused(folder: Path, *, again: bool = False) -> list[str]:
    found = load_backend_folder(folder, JsonCache(folder.parent / "tried.json"), again=again)
    assert not found.trusted
    assert os.environ[VARIABLE] == ""
    return [str(each.reason) for each in found.refused]


def put(folder: Path, name: str = "libggml-vulkan.so", mode: int = 0o644) -> Path:
    file = folder / name
    file.write_bytes(b"\x7fELF")
    file.chmod(mode)
    return file


def test_nothing_is_there(tmp_path: Path) -> None:
    found = load_backend_folder(tmp_path / "none", JsonCache(tmp_path / "tried.json"))
    assert (found.trusted, found.refused) == ([], [])


def test_other_files_are_left_alone(folder: Path) -> None:
    (folder / "README").write_text("")
    assert refused(folder) == []


def test_others_could_change_the_file(folder: Path) -> None:
    file = put(folder, mode=0o666)
    assert refused(folder) == [f"{file} can be changed by other users"]


def test_others_could_change_the_folder(folder: Path) -> None:
    put(folder)
    folder.chmod(0o777)
    assert refused(folder) == [f"{folder} can be changed by other users"]


def test_a_link_leads_elsewhere(folder: Path) -> None:
    put(folder.parent, "libggml-cuda.so")
    (folder / "libggml-cuda.so").symlink_to(folder.parent / "libggml-cuda.so")
    assert refused(folder) == [f"{folder / 'libggml-cuda.so'} is a link"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give files away")
def test_it_belongs_to_another_user(folder: Path) -> None:
    file = put(folder)
    os.chown(file, 12345, -1)
    # as root, who trusts nobody else's files
    assert refused(folder) == [f"{file} belongs to another user"]


def test_what_is_no_back_end_is_tried_in_another_process(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, unless somebody wants it tried again, or another version of the program."""
    put(folder)
    said = "it is not a backend of this version of llama.cpp"
    assert refused(folder) == [said]
    facts = folder.parent / "tried.json"
    facts.write_text(facts.read_text().replace(said, "its driver is too old"))
    assert refused(folder) == ["its driver is too old"]
    assert refused(folder, again=True) == [said]
    facts.write_text(facts.read_text().replace(said, "its driver is too old"))
    monkeypatch.setattr(backend_folder, "__version__", "9.9")
    assert refused(folder) == [said]


@pytest.mark.rpc
def test_a_real_one_is_loaded_with_llama_cpp(folder: Path) -> None:
    file = Path(shutil.copy(rpc_module(), folder))
    file.chmod(0o755)
    found = load_backend_folder(folder, JsonCache(folder.parent / "tried.json"))
    assert (found.trusted, found.refused) == ([file], [])
    assert os.environ[VARIABLE] == str(file)
    again = load_backend_folder(folder, JsonCache(folder.parent / "tried.json"))
    assert again.trusted == [file]
    assert os.environ[VARIABLE] == str(file)
