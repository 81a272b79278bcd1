"""The first layers of a model as a model of its own."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.gguf_writer import Value
from support.ggufs import ModelRecipe, make_model

from specchat.domain.errors import ModelFileError
from specchat.gguf.early_exit import EarlyExitPlan, EarlyExitPlanner, early_exit_obstacle, is_trained_for_early_exit
from specchat.gguf.files import compare_files, require_consistent
from specchat.gguf.header import Header, read_header
from specchat.gguf.source import FileSource
from specchat.gguf.string_array import StringArray

RECIPE = ModelRecipe(n_layer=6)


def header_of(path: Path) -> Header:
    return read_header(FileSource(path))


def written(plan: EarlyExitPlan, path: Path) -> Path:
    path.write_bytes(b"".join(plan.chunks()))
    assert path.stat().st_size == plan.size
    return path


def weights(path: Path) -> dict[str, bytes]:
    header, data = header_of(path), path.read_bytes()
    starts = {tensor.name: header.data_offset + tensor.offset for tensor in header.tensors}
    return {tensor.name: data[starts[tensor.name] :][: tensor.size] for tensor in header.tensors}


def plain_metadata(path: Path) -> dict[str, object]:
    values = header_of(path).metadata.items()
    return {key: list(value) if isinstance(value, StringArray | np.ndarray) else value for key, value in values}


@pytest.mark.parametrize("arch", ["llama", "qwen2", "qwen3", "qwen3moe", "gemma3"])
def test_it_is_the_model_that_has_only_these_layers(tmp_path: Path, arch: str) -> None:
    recipe = replace(RECIPE, arch=arch)
    target = make_model(tmp_path / "target.gguf", recipe)
    made = written(EarlyExitPlanner(target).plan(2), tmp_path / "made.gguf")
    same = make_model(tmp_path / "same.gguf", replace(recipe, n_layer=2, name="Early exit (first 2 layers of Tiny)"))
    assert require_consistent(made).n_layer == 2
    assert weights(made) == weights(same)
    assert plain_metadata(made) == plain_metadata(same)
    assert compare_files(target, made).verdict == "identical"


def test_lists_with_a_number_for_each_layer_are_cut(tmp_path: Path) -> None:
    changes: dict[str, Value | None] = {
        "llama.attention.head_count_kv": [2, 2, 2, 2, 2, 2],
        "llama.attention.sliding_window_pattern": [True, False, True, False, True, False],
        "llama.rope.dimension_sections": [1, 2, 3, 4, 5, 6],
    }
    target = make_model(tmp_path / "target.gguf", RECIPE, changes)
    metadata = header_of(written(EarlyExitPlanner(target).plan(3), tmp_path / "made.gguf")).metadata
    kept = [metadata[f"llama.{name}"] for name in ("attention.head_count_kv", "attention.sliding_window_pattern")]
    assert [np.asarray(each).tolist() for each in kept] == [[2, 2, 2], [True, False, True]]
    assert np.asarray(metadata["llama.rope.dimension_sections"]).tolist() == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("recipe", "changes", "words"),
    [
        (RECIPE, {}, None),
        (replace(RECIPE, arch="mamba"), {}, "of mamba model can't be used alone"),
        (replace(RECIPE, arch="qwen35"), {}, "of qwen35 model can't be used alone"),
        (replace(RECIPE, arch="gemma4"), {}, "of gemma4 model can't be used alone"),
        (replace(RECIPE, arch="gemma3"), {"gemma3.block_count": 62}, "of gemma3 model can't be used alone"),
        (replace(RECIPE, mtp_layers=1), {}, "It has MTP layers"),
        (replace(RECIPE, n_layer=1), {}, "only one layer"),
    ],
)
def test_not_every_model_has_such_layers(
    tmp_path: Path, recipe: ModelRecipe, changes: dict[str, Value | None], words: str | None
) -> None:
    found = early_exit_obstacle(header_of(make_model(tmp_path / "target.gguf", recipe, changes)))
    assert (found is None) == (words is None)
    assert words is None or words in str(found)


def test_models_that_were_trained_for_it_say_so_in_a_name(tmp_path: Path) -> None:
    folder = tmp_path / "models--facebook--layerskip-llama3.2-1B"
    folder.mkdir()
    named = {"general.base_model.0.name": "Layer Skip Llama2 7B"}
    ordinary, by_name = make_model(tmp_path / "a.gguf", RECIPE), make_model(tmp_path / "b.gguf", RECIPE, named)
    by_place = make_model(folder / "c.gguf", RECIPE)
    found = [is_trained_for_early_exit(header_of(path), path) for path in (ordinary, by_name, by_place)]
    assert found == [False, True, True]


def test_a_target_that_ends_early_is_told(tmp_path: Path) -> None:
    target = make_model(tmp_path / "target.gguf", RECIPE)
    plan = EarlyExitPlanner(target).plan(5)
    with target.open("r+b") as file:
        file.truncate(target.stat().st_size // 2)
    with pytest.raises(ModelFileError):
        b"".join(plan.chunks())
