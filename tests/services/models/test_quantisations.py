import pytest

from specchat.gguf.tensor_types import FILE_TYPES
from specchat.services.models.quantisations import meaning


@pytest.mark.parametrize("label", [*FILE_TYPES.values(), "MXFP4", "UD-Q4_K_XL", "Q6_K_L", "Q4_0_4_4", "IQ1_M", "q8_0"])
def test_every_label_has_a_meaning(label: str) -> None:
    said = meaning(label)
    assert said is not None
    assert said.endswith(".")


def test_the_usual_choice() -> None:
    assert meaning("Q4_K_M") == "Small, little loss; the usual choice."
    assert meaning("UD-Q4_K_M") == (
        "Small, little loss; the usual choice. The parts that matter most are kept more precisely."
    )
    assert meaning("Q4_0") != meaning("Q4_K_S")
    assert meaning("") is None
    assert meaning("Q4_K_M and more") is None
