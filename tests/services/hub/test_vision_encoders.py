import pytest

from specchat.domain.hub import RemoteFile, RemoteModel
from specchat.services.hub.vision_encoders import find_vision_encoder
from specchat.sources.file_names import kind_of, quantization_of


def remote(path: str, size: int = 1) -> RemoteModel:
    file = RemoteFile("sea/tide-GGUF", "0" * 40, path, size, None)
    return RemoteModel((file,), kind_of(path), quantization_of(path))


@pytest.mark.parametrize(
    ("model", "others", "chosen"),
    [
        ("tide-Q4_K_M.gguf", ["mmproj-F32.gguf", "mmproj-BF16.gguf", "mmproj-F16.gguf"], "mmproj-F16.gguf"),
        ("tide-Q4_K_M.gguf", ["mmproj-F32.gguf", "mmproj-BF16.gguf"], "mmproj-BF16.gguf"),
        ("tide-Q4_K_M.gguf", ["mmproj-tide-f16.gguf", "mmproj-tide-Q8_0.gguf"], "mmproj-tide-f16.gguf"),
        ("tide-7b-Q4_0.gguf", ["mmproj-tide-3b-f16.gguf", "mmproj-tide-7b-f32.gguf"], "mmproj-tide-7b-f32.gguf"),
        ("small/tide-Q4_0.gguf", ["large/mmproj-F16.gguf", "mmproj-F32.gguf"], "mmproj-F32.gguf"),
        ("small/tide-Q4_0.gguf", ["small/mmproj-F32.gguf", "mmproj-F16.gguf"], "small/mmproj-F32.gguf"),
        ("tide-Q4_0.gguf", ["other-Q4_0.gguf", "imatrix.gguf"], None),
        ("mtp-tide-Q8_0.gguf", ["mmproj-F16.gguf"], None),
        ("mmproj-F16.gguf", ["mmproj-F32.gguf"], None),
    ],
)
def test_the_smallest_that_loses_nothing_and_fits(model: str, others: list[str], chosen: str | None) -> None:
    listing = [remote(path) for path in (model, *others)]
    found = find_vision_encoder(listing[0], listing)
    assert (found and found.first.path) == chosen
