from pathlib import Path

import pytest

from specchat.domain.hub import HubFileKind, is_model_file, parse_hub_reference
from specchat.sources.file_names import all_parts, is_safe_path, kind_of, parse_part, quantization_of
from specchat.sources.model_folders import find_model_files


@pytest.mark.parametrize(
    ("path", "label"),
    [
        ("Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "Q4_K_M"),
        ("qwen2.5-0.5b-instruct-q4_k_m.gguf", "Q4_K_M"),
        ("gemma-4-E2B-it-UD-Q4_K_XL.gguf", "UD-Q4_K_XL"),
        ("Q8_0.gguf", "Q8_0"),
        ("model.IQ2_XXS.gguf", "IQ2_XXS"),
        ("model_iq4_nl.gguf", "IQ4_NL"),
        ("gpt-oss-20b-mxfp4.gguf", "MXFP4"),
        ("gpt-oss-120b-MXFP4_MOE.gguf", "MXFP4_MOE"),
        ("small-nvfp4.gguf", "NVFP4"),
        ("small-fp16.gguf", "F16"),
        ("small-BF16-00001-of-00002.gguf", "BF16"),
        ("bitnet-TQ1_0.gguf", "TQ1_0"),
        ("mistral-Q4_K_M-imat.gguf", "Q4_K_M"),
        ("Q5_K_S/large-00001-of-00003.gguf", "Q5_K_S"),
        ("f16-files/large-Q6_K.gguf", "Q6_K"),
        ("Qwen3-8B.gguf", ""),
    ],
)
def test_quantizations(path: str, label: str) -> None:
    assert quantization_of(path) == label


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("mmproj-BF16.gguf", HubFileKind.MMPROJ),
        ("Qwen2-VL-7B-mmproj-f16.gguf", HubFileKind.MMPROJ),
        ("imatrix.gguf", HubFileKind.IMATRIX),
        ("Small.imatrix.gguf", HubFileKind.IMATRIX),
        ("Small-imatrix-Q4_K_M.gguf", HubFileKind.MODEL),
        ("sub/mtp-small-Q8_0.gguf", HubFileKind.MTP),
        ("small-MTP-Q8_0.gguf", HubFileKind.MODEL),
        ("eagle3-small.gguf", HubFileKind.EAGLE3),
        ("Small-EAGLE3-Q8_0.gguf", HubFileKind.EAGLE3),
        ("dflash-small.gguf", HubFileKind.DFLASH),
        ("dspark-small.gguf", HubFileKind.DSPARK),
        ("medusa_lm_head.safetensors", HubFileKind.MEDUSA),
        ("mmprojects/small.gguf", HubFileKind.MODEL),
    ],
)
def test_kinds(path: str, kind: HubFileKind) -> None:
    assert kind_of(path) is kind


def test_parts() -> None:
    assert parse_part("a/large-Q4_0-00002-of-00013.gguf") == ("a/large-Q4_0", 2, 13)
    assert parse_part("large-2-of-3.gguf") is None
    assert parse_part("large-00001-of-00000.gguf") is None
    assert parse_part("large-00003-of-00002.gguf") is None
    assert list(all_parts("large-00001-of-00000.gguf")) == ["large-00001-of-00000.gguf"]


@pytest.mark.parametrize(
    "path", ["../a.gguf", "a/../b.gguf", "/a.gguf", "a//b.gguf", "a\\b.gguf", "C:a.gguf", "a\0", ""]
)
def test_paths_that_lead_elsewhere(path: str) -> None:
    assert not is_safe_path(path)
    assert is_safe_path("Q4_K_M/large model.gguf")


@pytest.mark.parametrize(
    "path",
    ["a\u202efugg.gguf", "a\u200b.gguf", "a\u2028.gguf", "a\x85.gguf", "\ud800", "a./b.gguf", ".. /b.gguf", "a" * 241]
    + ["ä" * 121, "a/" * 501],
    ids=ascii,
)
def test_paths_that_cannot_be_shown_or_kept(path: str) -> None:
    assert not is_safe_path(path)
    assert is_safe_path("Größe/模型 Q4_0.gguf")


@pytest.mark.parametrize(
    ("path", "is_model"),
    [
        ("small.gguf", True),
        ("llama3:8b.GGUF", True),
        ("C:\\m\\x.gguf", True),
        ("C:\\m\\Medusa_lm_head.safetensors", True),
        ("a/medusa_lm_head.safetensors", True),
        ("medusa/model-00001-of-00002.safetensors", False),
        ("medusa\\model.safetensors", False),
        ("medusa_lm_head.pt", False),
        ("gguf", False),
    ],
)
def test_model_files(path: str, is_model: bool) -> None:
    assert is_model_file(path) is is_model


def test_a_reference_has_one_colon() -> None:
    assert parse_hub_reference("someone/small:llama3:8b.gguf") is None
    assert parse_hub_reference("someone/small:a/medusa_lm_head.safetensors") is not None


@pytest.mark.skipif("os.name == 'nt'", reason="no colons in file names")
def test_a_colon_hides_no_file(tmp_path: Path) -> None:
    file = tmp_path / "llama3:8b.gguf"
    file.write_bytes(b"GGUF")
    assert find_model_files(tmp_path) == [file]
