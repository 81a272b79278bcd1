import json
import os
import sys
from pathlib import Path

import pytest

from specchat.domain.errors import SettingError
from specchat.store.json_file import JsonFile


def test_what_is_written_is_read(tmp_path: Path) -> None:
    file = JsonFile(tmp_path / "folder" / "settings.json")
    assert file.read() == {}
    file.write({"name": "Grüße", "n": 1})
    assert file.read() == {"name": "Grüße", "n": 1}
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["settings.json"]


def test_editors_put_a_mark_before_the_text(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"name": "Grüße"}', encoding="utf-8-sig")
    assert JsonFile(path).read() == {"name": "Grüße"}
    assert path.exists()


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'"text"', b"\xff\xfe", b"[" * 100_000])
def test_a_damaged_file_is_kept_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    file = JsonFile(path)
    assert file.read() == {}
    assert not path.exists()
    assert (tmp_path / "settings.damaged.json").read_bytes() == content
    file.write({"n": 1})
    assert json.loads(path.read_text(encoding="utf-8")) == {"n": 1}


def test_what_was_kept_aside_before_stays(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for number in range(12):
        path.write_text("{" * (number + 1))
        file = JsonFile(path)
        file.read()
        assert (tmp_path / file.kept_as).read_text() == "{" * (number + 1)
    path.write_text('{"n": 1}')
    file.keep_copy()
    kept = {each.name: each.read_text() for each in tmp_path.iterdir() if each != path}
    names = ["settings.damaged.json", *(f"settings.damaged-{number}.json" for number in range(2, 10))]
    assert kept == {**{name: "{" * (at + 1) for at, name in enumerate(names)}, names[-1]: '{"n": 1}'}


def test_names_of_files_that_are_no_text(tmp_path: Path) -> None:
    name = os.fsdecode(b"model-\xff.gguf")
    file = JsonFile(tmp_path / "settings.json")
    file.write({"name": name})
    assert file.read() == {"name": name}


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    (path / "in-the-way").mkdir(parents=True)
    with pytest.raises(SettingError, match=r"Couldn't save settings\.json: "):
        JsonFile(path).write({})
    assert [found.name for found in tmp_path.iterdir()] == ["settings.json"]
    assert JsonFile(path).read() == {}


def test_what_could_not_be_read_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.symlink_to(path.name)
    file = JsonFile(path)
    assert file.read() == {}
    file.write({"n": 1})
    assert file.read() == {"n": 1}
    assert (tmp_path / "settings.damaged.json").is_symlink()


@pytest.mark.skipif(sys.platform == "win32", reason="a limit for files")
def test_a_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    import resource

    file = JsonFile(tmp_path / "settings.json")
    file.write({"n": 1})
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
    try:
        with pytest.raises(SettingError, match=r"Couldn't save settings\.json: "):
            file.write({"text": "long " * 10_000})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [found.name for found in tmp_path.iterdir()] == ["settings.json"]
    assert file.read() == {"n": 1}
