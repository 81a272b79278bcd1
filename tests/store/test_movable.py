import json
from pathlib import Path

import pytest

from specchat.store.json_file import JsonFile


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def test_paths_below_the_folder_move_with_it(home: Path, tmp_path: Path) -> None:
    file, moved = home / "config" / "pairs.json", tmp_path / "elsewhere"
    content = {"pairs": [{"target": str(home / "models" / "ä b.gguf"), "draft": None, "n": 5}], str(home / "a"): True}
    JsonFile(file, home).write(content)
    assert str(home) not in file.read_text(encoding="utf-8")
    assert JsonFile(file, home).read() == content
    home.rename(moved)
    assert JsonFile(moved / "config" / "pairs.json", moved).read() == {
        "pairs": [{"target": str(moved / "models" / "ä b.gguf"), "draft": None, "n": 5}],
        str(moved / "a"): True,
    }


@pytest.mark.parametrize(
    "text", ["/elsewhere/a.gguf", "a/b:c.gguf", "home/a.gguf", "", "words", "/", "{specchatter}/a"]
)
def test_everything_else_stays_as_it_is(home: Path, text: str) -> None:
    file = JsonFile(home / "pairs.json", home)
    file.write({"text": text})
    assert json.loads((home / "pairs.json").read_text(encoding="utf-8")) == {"text": text}
    assert file.read() == {"text": text}


def test_a_way_out_of_the_folder_stays_as_it_is(home: Path, tmp_path: Path) -> None:
    outside = f"{home}/../other.gguf"
    JsonFile(home / "pairs.json", home).write({"text": outside})
    assert JsonFile(home / "pairs.json", tmp_path).read() == {"text": outside}


def test_what_was_written_before_is_read(home: Path) -> None:
    target = str(home / "a.gguf")
    JsonFile(home / "pairs.json").write({"target": target})
    assert JsonFile(home / "pairs.json", home).read() == {"target": target}
