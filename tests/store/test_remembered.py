import json
import os
from pathlib import Path
from threading import Thread

import pytest

from specchat.store.json_cache import MOST, JsonCache


def test_it_is_there_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "facts.json"
    assert JsonCache(path).get("a") is None
    JsonCache(path).put("a", [1, "text"])
    assert JsonCache(path).get("a") == [1, "text"]
    assert [each.name for each in path.parent.iterdir()] == ["facts.json"]


def test_many_who_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"

    def put(number: int) -> None:
        own = JsonCache(path)
        for fact in range(10):
            own.put(f"{number} {fact}", fact)

    threads = [Thread(target=put, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(json.loads(path.read_text())) == 80
    assert [each.name for each in tmp_path.iterdir()] == ["facts.json"]


def test_what_another_program_overwrote_is_put_again(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    ours = JsonCache(path)
    ours.put("ours", 1)
    path.write_text(json.dumps({"theirs": 2, "both": 3}))
    assert (ours.get("ours"), ours.get("theirs")) == (1, 2)
    ours.put("more", 4)
    assert json.loads(path.read_text()) == {"theirs": 2, "both": 3, "ours": 1, "more": 4}


def test_what_others_know_better_counts(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    ours = JsonCache(path)
    ours.put("a", "old")
    JsonCache(path).put("a", "newer")
    ours.put("b", 1)
    assert json.loads(path.read_text()) == {"a": "newer", "b": 1}


def test_what_was_put_first_is_forgotten_first(tmp_path: Path) -> None:
    path = tmp_path / "facts.json"
    path.write_text(json.dumps({str(number): number for number in range(MOST)}))
    ours = JsonCache(path)
    ours.put("0", "again")
    ours.put("new", 1)
    assert (ours.get("0"), ours.get("1"), ours.get("2")) == ("again", None, 2)
    assert len(json.loads(path.read_text())) == MOST


def test_much_that_is_remembered_costs_no_more_looks_at_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = 0
    real = Path.stat

    def stat(path: Path, *, follow_symlinks: bool = True) -> os.stat_result:
        nonlocal looks
        looks += 1
        return real(path, follow_symlinks=follow_symlinks)

    def looks_for(key: str) -> int:
        before = looks
        facts.put(key, 1)
        return looks - before

    facts = JsonCache(tmp_path / "facts.json")
    facts.put("first", 1)
    monkeypatch.setattr(Path, "stat", stat)
    assert len({looks_for(str(number)) for number in range(20)}) == 1


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    facts = JsonCache(tmp_path / "file" / "facts.json")
    facts.put("a", 1)
    assert facts.get("a") == 1
