"""Which mmproj file belongs to a target."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.audio_projectors import QWEN25_OMNI, AudioRecipe, make_audio_projector
from support.ggufs import ModelRecipe, make_model
from support.projectors import ProjectorRecipe, make_projector

from specchat.domain.errors import ModelFileError
from specchat.domain.model_ref import ModelFile
from specchat.domain.types import ModelSettings, PairChoice
from specchat.gguf.projector import read_projector
from specchat.services.models.mmproj_lookup import find_mmproj, with_mmproj

FITTING, OTHER = ProjectorRecipe(), replace(ProjectorRecipe(), width=64)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    folder = tmp_path_factory.mktemp("originals")
    target = make_model(folder / "t.gguf", ModelRecipe(n_layer=1))
    return target, make_projector(folder / "a.gguf", FITTING), make_projector(folder / "b.gguf", OTHER)


@pytest.mark.parametrize(
    ("models", "mmprojs", "found"),
    [
        (["sea-Q4_K_M.gguf"], ["mmproj-F16.gguf"], "mmproj-F16.gguf"),
        (["sea-Q4_K_M.gguf", "sea-Q8_0.gguf"], ["mmproj-F32.gguf", "mmproj-F16.gguf"], "mmproj-F16.gguf"),
        (["sea-Q4_K_M.gguf", "land-Q4_K_M.gguf"], ["mmproj-F16.gguf"], None),
        (["sea-7B-Q4_K_M.gguf", "land-Q4_K_M.gguf"], ["sea-mmproj-f16.gguf"], "sea-mmproj-f16.gguf"),
        (["sea-Q4_K_M.gguf", "land-Q4_K_M.gguf"], ["land-mmproj-f16.gguf"], None),
        (["sea-Q4_K_M.gguf"], [], None),
    ],
)
def test_beside_the_target(
    tmp_path: Path, files: tuple[Path, Path, Path], models: Sequence[str], mmprojs: Sequence[str], found: str | None
) -> None:
    for names, original in ((models, files[0]), (mmprojs, files[1])):
        for name in names:
            (tmp_path / name).symlink_to(original)
    assert find_mmproj(tmp_path / models[0]) == (found and tmp_path / found)


def test_one_for_another_width_or_none_at_all(tmp_path: Path, files: tuple[Path, Path, Path]) -> None:
    target = tmp_path / "sea.gguf"
    target.symlink_to(files[0])
    (tmp_path / "mmproj-F16.gguf").symlink_to(files[2])
    (tmp_path / "mmproj-BF16.gguf").write_bytes(b"GGUF")
    assert find_mmproj(target) is None
    choice = PairChoice(ModelFile(target))
    assert with_mmproj(choice) == choice


def test_what_is_chosen_stays(tmp_path: Path, files: tuple[Path, Path, Path]) -> None:
    target = tmp_path / "sea.gguf"
    target.symlink_to(files[0])
    (tmp_path / "mmproj-F16.gguf").symlink_to(files[1])
    assert with_mmproj(PairChoice(ModelFile(target))).target_settings.mmproj == tmp_path / "mmproj-F16.gguf"
    for settings in (ModelSettings(text_only=True), ModelSettings(mmproj=files[2])):
        choice = PairChoice(ModelFile(target), target_settings=settings)
        assert with_mmproj(choice) == choice


def test_in_a_snapshot_of_the_hub(tmp_path: Path, files: tuple[Path, Path, Path]) -> None:
    snapshot = tmp_path / "models--a--sea" / "snapshots" / ("0" * 40)
    (snapshot / "Q4_K_M").mkdir(parents=True)
    target = snapshot / "Q4_K_M" / "sea-Q4_K_M.gguf"
    target.symlink_to(files[0])
    (snapshot / "mmproj-F16.gguf").symlink_to(files[1])
    assert find_mmproj(target) == snapshot / "mmproj-F16.gguf"


def test_headers(tmp_path: Path, files: tuple[Path, Path, Path]) -> None:
    found = read_projector(files[1])
    assert (found.kind, found.width) == ("mlp", 128)
    assert 0 < found.weights < files[1].stat().st_size
    for changes, reason in (
        ({"general.architecture": "llama"}, "is not an mmproj file"),
        ({"clip.has_vision_encoder": False}, "encodes neither pictures nor audio"),
        ({"clip.vision.patch_size": 0}, "outside the range"),
        ({"clip.vision.patch_size": 57}, "patches are larger"),
        ({"clip.vision.image_size": "56"}, "is not an integer"),
        ({"clip.vision.block_count": None}, "outside the range"),
        ({"clip.vision.image_size": 1 << 13, "clip.vision.patch_size": 1}, "67108864 patches; 65536 is the limit"),
        ({"clip.vision.image_grid_pinpoints": [336, 1 << 30]}, "1073741824, outside the range 1 to 16384"),
        ({"clip.vision.image_grid_pinpoints": [336] * 1000}, "has 1000 numbers; 512 is the limit"),
        ({"clip.vision.image_grid_pinpoints": [56, 112, 57, 56]}, "no multiples of 56"),
        ({"clip.vision.image_grid_pinpoints": [16352, 16352]}, "85264 tiles; 144 is the limit"),
        ({"clip.vision.spatial_merge_size": 0}, "outside the range"),
    ):
        with pytest.raises(ModelFileError, match=reason):
            read_projector(make_projector(tmp_path / "odd.gguf", FITTING, changes))


def test_headers_of_what_hears(tmp_path: Path) -> None:
    file = tmp_path / "odd.gguf"
    found = read_projector(make_audio_projector(file))
    assert (found.kind, found.width, found.sees, found.hears, found.most_seconds) == (
        "ultravox",
        128,
        False,
        True,
        1800,
    )
    both = read_projector(QWEN25_OMNI.make(tmp_path)[1])
    assert (both.kind, both.width, both.sees, both.hears) == ("qwen2vl_merger", 128, True, True)
    for recipe, changes, reason in (
        (AudioRecipe(), {"clip.has_audio_encoder": False}, "encodes neither pictures nor audio"),
        (AudioRecipe("gemma3na"), {}, "encodes neither pictures nor audio"),
        (AudioRecipe(), {"clip.audio.num_mel_bins": 257}, "outside the range 1 to 256"),
        (AudioRecipe(), {"clip.audio.block_count": None}, "outside the range"),
        (AudioRecipe(), {"clip.audio.embedding_length": "80"}, "is not an integer"),
        (AudioRecipe(), {"clip.audio.projector.stack_factor": None}, "stack_factor is missing"),
        (AudioRecipe(), {"clip.audio.projector.stack_factor": 0}, "outside the range 1 to 64"),
        (AudioRecipe(n_embd=64), {}, "makes 188 rows of half a minute, not 187"),
    ):
        kind = {"clip.audio.projector_type": recipe.kind}
        make_audio_projector(file, replace(recipe, kind="ultravox"), None, {**kind, **changes})
        with pytest.raises(ModelFileError, match=reason):
            read_projector(file)
