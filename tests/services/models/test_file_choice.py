from collections.abc import Sequence

import pytest

from specchat.domain.hub import HubFileKind, RemoteFile, RemoteModel
from specchat.services.models.file_choice import choose_model, default_quantization, estimated_size

GIGA = 10**9
SIZES = {"F16": 200, "Q8_0": 100, "Q6_K": 80, "Q5_K_M": 65, "Q4_K_M": 58, "Q4_K_S": 54, "Q3_K_M": 45, "Q2_K": 40}


def models(labels: Sequence[str], name: str = "sea-8b", kind: HubFileKind = HubFileKind.MODEL) -> list[RemoteModel]:
    return [
        RemoteModel((RemoteFile("someone/sea", "0" * 40, f"{name}-{label}.gguf", SIZES[label], None),), kind, label)
        for label in labels
    ]


@pytest.mark.parametrize(
    ("labels", "target", "draft"),
    [
        (list(SIZES), "Q4_K_M", "Q8_0"),
        (["F16", "Q8_0", "Q5_K_M", "Q2_K"], "Q5_K_M", "Q8_0"),
        (["F16", "Q6_K", "Q3_K_M"], "Q6_K", "Q6_K"),
        (["F16", "Q4_K_M"], "Q4_K_M", "Q4_K_M"),
        (["F16"], "F16", "F16"),
        (["Q3_K_M", "Q2_K"], "Q3_K_M", "Q3_K_M"),
    ],
)
def test_the_usual_or_the_smallest_that_is_not_tiny(labels: list[str], target: str, draft: str) -> None:
    for is_draft, expected in ((False, target), (True, draft)):
        chosen = choose_model(models(labels), GIGA // 2, is_draft=is_draft)
        assert chosen is not None
        assert chosen.quantization == expected


def test_larger_drafts_are_read_faster_with_fewer_bits() -> None:
    assert [default_quantization(n, is_draft=True) for n in (GIGA // 2, 3 * GIGA)] == ["Q8_0", "Q4_K_M"]
    assert default_quantization(GIGA // 2, is_draft=False) == "Q4_K_M"


def test_a_file_that_is_named() -> None:
    held = models(["F16", "Q4_K_M"])
    assert choose_model(held, GIGA, is_draft=True, file="sea-8b-F16.gguf") is held[0]
    assert choose_model(held, GIGA, is_draft=True, file="lake.gguf") is None


def test_a_head_that_is_named_is_a_draft() -> None:
    held = models(["Q8_0"]) + models(["Q8_0"], "eagle3-sea-8b", kind=HubFileKind.EAGLE3)
    assert choose_model(held, GIGA, is_draft=True, file="eagle3-sea-8b-Q8_0.gguf") is held[1]
    assert choose_model(held, GIGA, is_draft=False, file="eagle3-sea-8b-Q8_0.gguf") is None


def test_a_repository_with_both() -> None:
    held = models(["Q8_0"], "sea-8b") + models(["Q2_K", "Q4_K_M"], "sea-1b")
    draft, target = (choose_model(held, 0, is_draft=is_draft) for is_draft in (True, False))
    assert draft is not None
    assert target is not None
    assert (draft.first.path, target.first.path) == ("sea-1b-Q4_K_M.gguf", "sea-8b-Q8_0.gguf")


def test_what_is_no_model_is_not_chosen() -> None:
    assert choose_model(models(["F16"], kind=HubFileKind.MMPROJ), GIGA, is_draft=False) is None
    assert choose_model([], GIGA, is_draft=False) is None


@pytest.mark.parametrize(
    ("parameters", "quantization", "size"),
    [(8.03, "Q4_K_M", 4.92), (8.03, "Q8_0", 8.54), (0.494, "F16", 0.99), (70.6, "Q2_K", 26.4), (8.03, "?", 4.92)],
)
def test_sizes_before_the_hub_was_asked(parameters: float, quantization: str, size: float) -> None:
    """As real files of these models are, but for a few percent."""
    assert estimated_size(round(parameters * GIGA), quantization) == pytest.approx(size * GIGA, rel=0.05)
