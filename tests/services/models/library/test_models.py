import json
from pathlib import Path

import pytest
from services.models.library.shelves import Facts, write
from support.gguf_bytes import Tensor, Value, gguf
from support.model_homes import small_model

from specchat.domain.errors import ModelFileError
from specchat.gguf.header import read_header
from specchat.gguf.source import FileSource
from specchat.services.models.demo_pair import DEMO_TITLES, demo_files
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import Origin
from specchat.store.json_file import JsonFile


def test_an_empty_shelf(tmp_path: Path, facts: Facts, verdicts: Facts) -> None:
    library = ModelLibrary(
        JsonFile(tmp_path / "added.json"), tmp_path / "none", facts, verdicts, demo=[tmp_path / "no"]
    )
    assert library.models() == []


def test_what_is_said_of_a_model(library: ModelLibrary, folder: Path) -> None:
    path = write(folder / "a.gguf", changes={"general.name": "Sea 1B Instruct"})
    (model,) = library.models()
    assert (model.path, model.name, model.origin) == (path, "Sea 1B Instruct", Origin.FOLDER)
    assert (model.size, model.parameters) == (path.stat().st_size, 320 + 32 + 1024 + 1024)
    assert (model.quantization, model.n_ctx_train, model.n_layer) == ("F16", 512, 2)
    assert (model.problems, model.missing) == ((), False)


@pytest.mark.parametrize("name", [None, "", "  "])
def test_a_model_without_a_name_is_called_as_its_file(library: ModelLibrary, folder: Path, name: str | None) -> None:
    write(folder / "sea-1b.gguf", changes={"general.name": name})
    assert [model.name for model in library.models()] == ["sea-1b"]


def test_names_cannot_flood_a_window(library: ModelLibrary, folder: Path) -> None:
    write(folder / "a.gguf", changes={"general.name": "line\nline " * 50})
    (model,) = library.models()
    assert len(model.name) <= 81
    assert "\n" not in model.name


def test_models_come_by_name_and_the_demo_last(tmp_path: Path, folder: Path, facts: Facts, verdicts: Facts) -> None:
    demo = write(tmp_path / "demo" / "a-demo.gguf")
    for name in ("c", "B", "sub/a"):
        write(folder / f"{name}.gguf")
    library = ModelLibrary(JsonFile(tmp_path / "added.json"), folder, facts, verdicts, [demo])
    library.add(write(tmp_path / "elsewhere" / "bb.gguf"))
    assert [(model.name, model.origin) for model in library.models()] == [
        ("a", Origin.FOLDER),
        ("B", Origin.FOLDER),
        ("bb", Origin.ADDED),
        ("c", Origin.FOLDER),
        ("a-demo", Origin.DEMO),
    ]


def test_the_demo_is_looked_for_where_it_ships() -> None:
    assert [path.name for path in demo_files()] == ["demo-target.gguf", "demo-draft.gguf"]


def test_headers_are_read_once(library: ModelLibrary, folder: Path, facts: Facts) -> None:
    path = write(folder / "a.gguf")
    first = library.models()
    assert library.models() == first
    assert facts.written == 1
    write(path, 64)
    assert library.models() != first
    assert facts.written == 2


def test_facts_of_another_version_are_read_again(tmp_path: Path, library: ModelLibrary, folder: Path) -> None:
    write(folder / "a.gguf")
    found = library.models()
    path = tmp_path / "facts.json"
    path.write_text(json.dumps({key: {"name": 5} for key in json.loads(path.read_text())}))
    assert library.models() == found


def test_added_files_stay_on_the_list(tmp_path: Path, library: ModelLibrary) -> None:
    first, second = write(tmp_path / "a.gguf"), write(tmp_path / "b.gguf")
    assert library.add(first).origin is Origin.ADDED
    library.add(second)
    library.add(first)
    assert [model.path for model in library.models()] == [first, second]
    library.remove(first)
    assert [model.path for model in library.models()] == [second]
    assert first.exists()


def test_an_added_file_that_is_gone_is_flagged(tmp_path: Path, library: ModelLibrary) -> None:
    path = write(tmp_path / "a.gguf")
    library.add(path)
    path.unlink()
    (model,) = library.models()
    assert (model.name, model.missing, model.problems) == ("a", True, ("The file no longer exists.",))
    write(path)
    assert not library.models()[0].missing


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"GGUF\x03\x00"])
def test_what_is_no_model_is_not_added(tmp_path: Path, library: ModelLibrary, content: bytes) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelFileError):
        library.add(path)
    with pytest.raises(ModelFileError):
        library.add(tmp_path / "gone.gguf")
    assert library.models() == []


def test_a_file_that_cannot_be_read_says_why(library: ModelLibrary, folder: Path, facts: Facts) -> None:
    (folder / "a.gguf").write_bytes(b"GGUF\x03\x00")
    (model,) = library.models()
    assert "incomplete" in model.problems[0]
    assert facts.written == 0


@pytest.mark.parametrize("content", ["{", '{"models": 5}', '{"models": [1]}'])
def test_a_damaged_list_is_kept_aside(tmp_path: Path, library: ModelLibrary, content: str) -> None:
    (tmp_path / "added.json").write_text(content)
    assert library.models() == []
    assert (tmp_path / "added.damaged.json").read_text() == content


def test_a_model_in_parts_is_one(library: ModelLibrary, folder: Path) -> None:
    first = write(folder / "big-00001-of-00002.gguf", changes={"split.no": 0, "split.count": 2})
    alone = first.stat().st_size
    assert library.models()[0].problems == ("The part big-00002-of-00002.gguf is missing.",)
    second = folder / "big-00002-of-00002.gguf"
    second.write_bytes(gguf({"split.no": 1, "split.count": 2}, [Tensor("blk.1.attn_q.weight", (32, 32))]))
    (model,) = library.models()
    assert (model.size, model.problems) == (alone + second.stat().st_size, ())


def test_missing_parts_cannot_flood_a_window(library: ModelLibrary, folder: Path) -> None:
    first = small_model("Big", changes={"split.no": 0, "split.count": 99999})
    (folder / "big-00001-of-99999.gguf").write_bytes(first)
    (model,) = library.models()
    assert [str(problem) for problem in model.problems] == [
        f"The part big-0000{part}-of-99999.gguf is missing." for part in (2, 3, 4)
    ]


def test_a_head_is_no_target(library: ModelLibrary, folder: Path) -> None:
    changes: dict[str, Value | None] = {"general.architecture": "eagle3", "eagle3.block_count": 1}
    changes |= {"eagle3.embedding_length": 32, "eagle3.context_length": 512}
    write(folder / "eagle.gguf", changes=changes)
    (head,) = library.models()
    assert (head.head, head.problems) == ("eagle3", ())
    assert "can't answer by itself" in head.target_problems[0]


def test_the_demo_is_called_the_same_before_and_after_its_headers_are_read() -> None:
    names = {file.name: read_header(FileSource(file)).metadata["general.name"] for file in demo_files()}
    assert names == DEMO_TITLES
