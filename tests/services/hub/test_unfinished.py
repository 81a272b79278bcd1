"""What an interrupted download left behind."""

import json
from pathlib import Path

import pytest
from support.model_homes import REPO, remote

from specchat.domain.errors import ModelFileError
from specchat.domain.hub import HubReference, RemoteFile
from specchat.services.hub.unfinished_downloads import discard_unfinished, find_unfinished, list_unfinished
from specchat.sources.hub_cache import HubCache
from specchat.sources.partial_file import PartialFile


def begin(cache: HubCache, name: str, size: int, arrived: int) -> RemoteFile:
    file = remote(name, bytes([len(name)]) * size)
    with PartialFile(cache.blob(file), file, 16) as part:
        part.append(bytes(arrived))
    return file


def test_each_model_once(tmp_path: Path) -> None:
    cache = HubCache(tmp_path)
    assert list_unfinished(cache) == []
    begin(cache, "small-Q8_0.gguf", 100, 40)
    for part in (1, 2):
        begin(cache, f"Q4_0/big-0000{part}-of-00002.gguf", 100 + part, 20)
    found = {str(each.reference): (each.done, each.size) for each in list_unfinished(cache)}
    assert found == {f"{REPO}:Q4_0/big-00001-of-00002.gguf": (40, 203), f"{REPO}:small-Q8_0.gguf": (40, 100)}


def test_which_one_is_meant(tmp_path: Path) -> None:
    cache = HubCache(tmp_path)
    begin(cache, "small-Q8_0.gguf", 100, 40)
    for name in (REPO, f"{REPO}:q8_0", f"{REPO}:small-Q8_0.gguf"):
        found = find_unfinished(name, cache)
        assert found
        assert found.reference == HubReference(REPO, "small-Q8_0.gguf")
    for name in ("a/b", f"{REPO}:Q4_0", f"{REPO}:other.gguf", "small-Q8_0.gguf"):
        assert find_unfinished(name, cache) is None
    begin(cache, "small-Q4_0.gguf", 50, 40)
    with pytest.raises(ModelFileError):
        find_unfinished(REPO, cache)


def test_giving_it_up(tmp_path: Path) -> None:
    cache = HubCache(tmp_path)
    file = begin(cache, "small-Q8_0.gguf", 100, 40)
    (begun,) = list_unfinished(cache)
    assert discard_unfinished(begun, cache) == 40
    assert list_unfinished(cache) == []
    assert list(cache.blob(file).parent.iterdir()) == []


def test_notes_that_are_damaged_or_of_something_else(tmp_path: Path) -> None:
    cache = HubCache(tmp_path)
    blobs = cache.blob(begin(cache, "small-Q8_0.gguf", 100, 40)).parent
    (notes,) = blobs.glob("*.part.json")
    whole = json.loads(notes.read_text())
    for content in (
        "",
        "[]",
        '{"file": {}}',
        json.dumps(whole | {"file": whole["file"] | {"repo": "../../elsewhere"}}),
        json.dumps(whole | {"file": whole["file"] | {"repo": "someone/else"}}),
        json.dumps(whole | {"file": whole["file"] | {"sha256": "0" * 64}}),
    ):
        notes.write_text(content)
        assert list_unfinished(cache) == []
