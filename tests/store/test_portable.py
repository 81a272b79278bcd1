"""A program that keeps everything beside itself, on a stick say, which is called something else tomorrow."""

from pathlib import Path

import pytest
from support.choices import choice_of
from support.computers import own_computer
from support.downloading import model
from support.model_homes import put_into_hub_cache, remote, small_model

from specchat.container import Container
from specchat.domain.conversations import ConversationSettings
from specchat.domain.errors import SettingError
from specchat.services.drafts.known_pairs import KnownPair, make_known_model
from specchat.services.hub.download_jobs import DownloadJob, JobState
from specchat.sources.hub_cache import cache_folder
from specchat.store.chat_store import open_chat_store
from specchat.store.paths import Paths, paths
from specchat.store.portable import PortableInstall, find_portable_install, packaged_executable

NOTHING: dict[str, str] = {}


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    folder = tmp_path / "E" / "specchat"
    folder.mkdir(parents=True)
    (folder / "portable").touch()
    return folder


def places_of(folder: Path) -> Paths:
    """As a start of the program there finds them."""
    portable = find_portable_install(folder / "specchat", NOTHING)
    assert portable is not None
    portable.prepare()
    return paths(portable)


@pytest.mark.parametrize("mark", ["portable", "portable.txt"])
def test_a_file_beside_the_program_makes_it_portable(tmp_path: Path, mark: str) -> None:
    (tmp_path / mark).write_text("whatever")
    assert find_portable_install(tmp_path / "specchat.exe", NOTHING) == PortableInstall(tmp_path, mark)


def test_without_the_file_it_is_not(tmp_path: Path) -> None:
    (tmp_path / "portable").mkdir()
    (tmp_path / "portable.md").touch()
    assert find_portable_install(tmp_path / "specchat", NOTHING) is None


def test_only_a_packaged_program_can_be(stick: Path) -> None:
    assert packaged_executable() is None
    assert find_portable_install(None, NOTHING) is None


def test_on_a_mac_the_file_lies_beside_the_app(tmp_path: Path) -> None:
    inside = tmp_path / "specchat.app" / "Contents" / "MacOS"
    inside.mkdir(parents=True)
    (inside / "portable").touch()
    assert find_portable_install(inside / "specchat", NOTHING) is None
    (tmp_path / "portable").touch()
    found = find_portable_install(inside / "specchat", NOTHING)
    assert found is not None
    assert found.folder == tmp_path


def test_a_home_that_is_named_wins(stick: Path, tmp_path: Path) -> None:
    assert find_portable_install(stick / "specchat", {"SPECCHAT_HOME": str(tmp_path)}) is None
    assert find_portable_install(stick / "specchat", {"SPECCHAT_HOME": ""}) is not None


def test_everything_lies_in_one_folder(stick: Path, tmp_path: Path) -> None:
    with own_computer(tmp_path / "computer", HF_HOME=""):
        places = places_of(stick)
        home = stick / "specchat-data"
        assert places == Paths(home / "data", home / "config", home / "cache", home / "logs", stick)
        assert cache_folder() == home / "huggingface" / "hub"


@pytest.mark.parametrize("name", ["HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"])
def test_a_cache_that_the_user_named_stays(stick: Path, name: str) -> None:
    environment = {name: "/elsewhere"}
    PortableInstall(stick, "portable").prepare(environment)
    assert environment == {name: "/elsewhere"}


def test_a_folder_that_cannot_be_written_is_told_with_what_to_do(stick: Path) -> None:
    (stick / "specchat-data").write_text("in the way")
    with pytest.raises(SettingError) as refused:
        places_of(stick)
    assert str(stick / "specchat-data") in refused.value.message
    assert f"delete {stick / 'portable'} to" in refused.value.hint


def test_another_drive_letter_loses_nothing(stick: Path, tmp_path: Path) -> None:
    with own_computer(tmp_path / "computer", HF_HOME=""):
        fill(stick)
    moved = tmp_path / "F" / "carried"
    moved.parent.mkdir()
    stick.rename(moved)
    with own_computer(tmp_path / "another computer", HF_HOME=""):
        places, downloaded = places_of(moved), in_the_cache(moved)
        parts, target = Container(places), moved / "models" / "mine.gguf"
        assert parts.pair_settings().last_pair() == choice_of(target, downloaded, draft_type="auto")
        shelf = {found.path: found.ours for found in parts.library().models() if found.path.is_relative_to(moved)}
        assert shelf == {target: False, downloaded: True, moved / "more" / "other.gguf": False}
        assert parts.library().folders() == [moved / "more"]
        (own,) = (pair for pair in parts.known_pairs().pairs() if pair.own)
        assert (own.target.reference, own.draft.reference) == (str(target), "a/b:c.gguf")
        store = open_chat_store(places.data / "chats.db")
        assert len(store.conversations()) == 1
        store.close()


def fill(stick: Path) -> None:
    places = places_of(stick)
    parts, data = Container(places), small_model("Downloaded")
    for name in ("models/mine.gguf", "more/other.gguf"):
        (stick / name).parent.mkdir()
        (stick / name).write_bytes(small_model(name))
    target = stick / "models" / "mine.gguf"
    downloaded = put_into_hub_cache(cache_folder(), "downloaded.gguf", data)
    file = remote("downloaded.gguf", data)
    blob = f"{file.repo}/{file.sha256}"
    parts.download_registry().record(DownloadJob(1, (model(file),), "main", JobState.DONE, {blob: len(data)}))
    parts.library().add(target)
    parts.library().add_folder(stick / "more")
    parts.pair_settings().save(choice_of(target, downloaded, draft_type="model"))
    parts.known_pairs().add(KnownPair(make_known_model(str(target)), make_known_model("a/b:c.gguf")))
    store = open_chat_store(places.data / "chats.db")
    store.add_conversation(ConversationSettings(), now=1.0)
    store.close()


def in_the_cache(folder: Path) -> Path:
    (found,) = (folder / "specchat-data" / "huggingface").rglob("downloaded.gguf")
    return found
