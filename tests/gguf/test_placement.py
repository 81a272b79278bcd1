import pytest

from specchat.gguf.placement import Inventory
from specchat.gguf.tensors import TensorInfo

SIZES = {
    "token_embd.weight": 1,
    "per_layer_token_embd.weight": 2,
    "output_norm.weight": 4,
    "output.weight": 8,
    "rope_freqs.weight": 16,
    "per_layer_model_proj.weight": 32,
    "blk.0.attn_q.weight": 64,
    "blk.1.attn_q.weight": 128,
    "blk.2.nextn.eh_proj.weight": 256,
}
UNUSED = ("blk.2.nextn.eh_proj.weight",)


def inventory(*without: str) -> Inventory:
    return Inventory(
        tuple(TensorInfo(name, (size,), "F32", 0, size) for name, size in SIZES.items() if name not in without)
    )


@pytest.mark.parametrize(
    ("layers", "cpu", "gpu"),
    [
        (("CPU", "CPU", "CPU", "CPU"), 255, 0),
        (("CPU", "CPU", "CPU", "GPU"), 1 + 2 + 16 + 32 + 64 + 128, 4 + 8),
        (("CPU", "GPU", "GPU", "GPU"), 1 + 2 + 16 + 32 + 64, 128 + 4 + 8 + 16),
        (("GPU", "GPU", "GPU", "GPU"), 1 + 2, 64 + 128 + 4 + 8 + 16 + 32),
    ],
)
def test_where_weights_lie(layers: tuple[str, ...], cpu: int, gpu: int) -> None:
    found = inventory().by_device(layers, UNUSED, rearranged=False)
    assert (found["CPU"], found["GPU"]) == (cpu, gpu)


def test_a_tied_output_is_a_second_copy_where_the_first_is_of_no_use() -> None:
    tied = inventory("output.weight")
    assert tied.tied is not None
    assert tied.by_device(("CPU",) * 4, UNUSED, rearranged=False)["CPU"] == 255 - 8
    assert tied.by_device(("CPU",) * 4, UNUSED, rearranged=True)["CPU"] == 255 - 8 + 1
    assert tied.by_device(("GPU",) * 4, UNUSED, rearranged=False)["GPU"] == 64 + 128 + 4 + 16 + 32 + 1
    assert inventory().by_device(("CPU",) * 4, UNUSED, rearranged=True)["CPU"] == 255


def test_what_is_loaded_counts() -> None:
    assert inventory().by_device(("CPU",) * 4, (), rearranged=False)["CPU"] == 511
