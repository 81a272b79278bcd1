from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import Device, ModelSettings
from specchat.services.memory.tensor_shares import spread_over_devices

HERE = [Device("CPU", "", "cpu", 9, 9), Device("CUDA0", "", "gpu", 9, 9), Device("CUDA1", "", "gpu", 9, 9)]
WITH_ANOTHER = [*HERE, Device("RPC0", "den:50052", "gpu", 9, 9)]
CPU, TOGETHER = MemoryBreakdown(weights=5), MemoryBreakdown(weights=120, kv=60)
PARTS = {"CPU": CPU, "Meta()": TOGETHER}


def test_layers_stay_where_they_are() -> None:
    parts = {"CPU": CPU, "CUDA0": TOGETHER}
    assert spread_over_devices(parts, HERE, ModelSettings()) == parts


def test_equal_parts_unless_shares_are_given() -> None:
    half = MemoryBreakdown(weights=60, kv=30)
    assert spread_over_devices(PARTS, HERE, ModelSettings()) == {"CPU": CPU, "CUDA0": half, "CUDA1": half}
    found = spread_over_devices(PARTS, HERE, ModelSettings(tensor_split=(3, 1)))
    assert (found["CUDA0"].weights, found["CUDA1"].weights) == (90, 30)


def test_only_devices_that_take_part() -> None:
    assert "RPC0" not in spread_over_devices(PARTS, WITH_ANOTHER, ModelSettings())
    assert spread_over_devices(PARTS, WITH_ANOTHER, ModelSettings(rpc=("den:50052",)))["RPC0"].weights == 40
    named = spread_over_devices(PARTS, WITH_ANOTHER, ModelSettings(device="CUDA1, RPC0", rpc=("den:50052",)))
    assert named.keys() == {"CPU", "CUDA1", "RPC0"}
