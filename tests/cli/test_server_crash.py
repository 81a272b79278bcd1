from pathlib import Path

import pytest

from specchat.cli.server_crash import crash_error, previous_end_error
from specchat.services.program.run_ending import RunEnding

LOGS = Path("logs")
LOADING = "specchat 0.1.0\n- loading big.gguf\n"
ON_GPU = "llama_prepare_model_devices: using device Vulkan0 (AMD Radeon) - 7900 MiB free\n"
CRASH = (
    "Fatal Python error: Segmentation fault\n\n"
    'Current thread 0x1 (most recent call first):\n  File "specchat/backends/weights.py", line 9 in _load\n'
)


@pytest.mark.parametrize(("device", "hint"), [("", "The file may be damaged"), (ON_GPU, "Update the graphics driver")])
def test_a_crash_while_loading(device: str, hint: str) -> None:
    run = RunEnding(LOADING + device + CRASH)
    error = crash_error(run, LOGS)
    assert error.message == "specchat serve crashed while loading big.gguf: Segmentation fault."
    assert error.hint.startswith(hint)
    before = previous_end_error(run, LOGS)
    assert before is not None
    assert before.message == "specchat serve crashed last time while loading big.gguf: Segmentation fault."


def test_ended_from_outside_while_at_rest() -> None:
    assert previous_end_error(RunEnding(LOADING + "- at rest\n"), LOGS) is None
