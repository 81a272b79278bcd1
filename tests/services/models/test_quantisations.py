import pytest

from specchat.gguf.tensor_types import FILE_TYPES
from specchat.services.models.quantization_labels import describe_quantization


@pytest.mark.parametrize("label", [*FILE_TYPES.values(), "MXFP4", "UD-Q4_K_XL", "Q6_K_L", "Q4_0_4_4", "IQ1_M", "q8_0"])
def test_every_label_has_a_meaning(label: str) -> None:
    said = describe_quantization(label)
    assert said is not None
    assert said.endswith(".")


def test_the_usual_choice() -> None:
    assert describe_quantization("Q4_K_M") == "Small, little quality loss. The usual choice."
    assert describe_quantization("UD-Q4_K_M") == (
        "Small, little quality loss. The usual choice. The most important layers keep more precision."
    )
    assert describe_quantization("Q4_0") != describe_quantization("Q4_K_S")
    assert describe_quantization("") is None
    assert describe_quantization("Q4_K_M and more") is None
