from dataclasses import replace

import pytest

from specchat.domain.medusa import place_of_heads
from specchat.domain.types import Device, ModelSettings

CPU = Device("CPU", "", "cpu", 8, 8)
GPU = replace(CPU, name="CUDA0", kind="gpu")
SECOND = replace(GPU, name="CUDA1")
ALL_GPUS = replace(GPU, name="")


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        (ModelSettings(), GPU),
        (ModelSettings(device="cuda1"), SECOND),
        (ModelSettings(device="CPU"), CPU),
        (ModelSettings(gpu_layers=0), CPU),
        (ModelSettings(device="CUDA1", gpu_layers=0), CPU),
        (ModelSettings(device="CUDA1", gpu_layers=1), SECOND),
    ],
)
def test_where_heads_are(settings: ModelSettings, place: Device) -> None:
    assert place_of_heads(settings, [CPU, GPU, SECOND]) == place


def test_all_gpus_as_one_are_named_by_none() -> None:
    assert place_of_heads(ModelSettings(), [ALL_GPUS, CPU, GPU]) == ALL_GPUS
    assert place_of_heads(ModelSettings(gpu_layers=0), [ALL_GPUS, CPU, GPU]) == CPU
