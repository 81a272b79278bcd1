from pathlib import Path

import pytest
from support.gguf_bytes import Tensor, Value, gguf
from support.model_homes import small_model

from specchat.domain.errors import ModelFileError
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.opened_models import add_opened_models
from specchat.services.models.pair_fit import Origin
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile

EAGLE: dict[str, Value | None] = {
    "general.architecture": "eagle3",
    "eagle3.block_count": 1,
    "eagle3.embedding_length": 32,
    "eagle3.context_length": 512,
}
SPLIT: dict[str, Value | None] = {"split.no": 0, "split.count": 2}
SECOND_PART = gguf({"split.no": 1, "split.count": 2}, [Tensor("blk.1.attn_q.weight", (32, 32))])


@pytest.fixture
def library(tmp_path: Path) -> ModelLibrary:
    facts, verdicts = (JsonCache(tmp_path / name) for name in ("facts.json", "verdicts.json"))
    return ModelLibrary(JsonFile(tmp_path / "added.json"), tmp_path / "none", facts, verdicts)


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_what_is_opened_stays_on_the_shelf(library: ModelLibrary, tmp_path: Path) -> None:
    path = write(tmp_path / "größer.gguf", small_model("Sea"))
    model = add_opened_models([path], library)
    assert (model.path, model.name, model.origin) == (path, "Sea", Origin.ADDED)
    assert library.models() == [model]


def test_of_several_the_largest_is_to_chat(library: ModelLibrary, tmp_path: Path) -> None:
    sizes = {"draft.gguf": 32, "target.gguf": 64, "another.gguf": 40}
    paths = [write(tmp_path / name, small_model(rows=rows)) for name, rows in sizes.items()]
    assert add_opened_models(paths, library).path.name == "target.gguf"
    assert {model.path for model in library.models()} == set(paths)


@pytest.mark.parametrize(
    ("name", "data", "words", "hint"),
    [
        ("diary.gguf", b"Dear diary", "not a GGUF model", "download"),
        ("cut.gguf", small_model()[:200], "incomplete", "Download"),
        ("mmproj.gguf", small_model(changes={"general.type": "mmproj"}), "encodes images", "another"),
        ("big-00001-of-00002.gguf", small_model(changes=SPLIT), "big-00002-of-00002.gguf is missing", "all parts"),
        ("big-00002-of-00002.gguf", SECOND_PART, "part 2 of 2", "-00001-of-00002.gguf"),
    ],
)
def test_what_cannot_chat_is_refused(
    library: ModelLibrary, tmp_path: Path, name: str, data: bytes, words: str, hint: str
) -> None:
    fit = write(tmp_path / "fit.gguf", small_model())
    with pytest.raises(ModelFileError) as refused:
        add_opened_models([fit, write(tmp_path / name, data)], library)
    assert words in refused.value.message
    assert hint in refused.value.hint
    assert library.models() == []


def test_a_head_is_opened_with_its_target(library: ModelLibrary, tmp_path: Path) -> None:
    head = write(tmp_path / "eagle.gguf", small_model(changes=EAGLE, rows=100))
    with pytest.raises(ModelFileError, match="can't answer by itself"):
        add_opened_models([head], library)
    target = write(tmp_path / "target.gguf", small_model())
    assert add_opened_models([head, target], library).path == target


def test_a_folder_and_a_missing_file_are_refused(library: ModelLibrary, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="is a folder"):
        add_opened_models([tmp_path], library)
    with pytest.raises(ModelFileError, match=r"File not found: .*gone\.gguf"):
        add_opened_models([tmp_path / "gone.gguf"], library)
