"""GPU layers for real, on Vulkan's software device: all, half and none of both models."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.ggufs import make_model
from support.head_labs import HEAD_CASES, HeadCase

TESTS = Path(__file__).parent.parent
PROMPTS, TOKENS = 1, 24

pytestmark = pytest.mark.vulkan


def environment(home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "GGML_BACKEND_PATH": os.environ["SPECCHAT_TEST_VULKAN"],
        "GGML_VK_VISIBLE_DEVICES": "0",
        "PYTHONPATH": str(TESTS),
        "SPECCHAT_HOME": str(home),
    }


def contract(
    home: Path,
    pair: tuple[Path, Path],
    layers: int,
    kind: str = "model",
    n_prompts: int = PROMPTS,
    n_tokens: int = TOKENS,
) -> dict[str, Any]:
    program = TESTS / "support" / "offload_contract.py"
    command = [sys.executable, str(program), kind, *map(str, pair), str(layers), str(n_prompts), str(n_tokens)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(home), check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("layers", [99, 2], ids=["all layers", "half of the layers"])
def test_the_contract_with_layers_on_the_device(layers: int, tmp_path: Path, tiny_pair: tuple[Path, Path]) -> None:
    found = contract(tmp_path, tiny_pair, layers)
    assert "Vulkan0" in found["devices"]
    assert found["rollback"]
    assert found["acceptance"] > 0.2
    assert found["different"] == 0 or found["selftest"].startswith("failed: logits computed in a batch differ")


@pytest.mark.parametrize("case", HEAD_CASES[:1], ids=lambda case: case.name)
def test_a_head_with_all_layers_on_the_device(case: HeadCase, tmp_path: Path) -> None:
    """A software device is slow with these, and slower yet with other kinds."""
    assert case.make is not None
    pair = make_model(tmp_path / "target.gguf", case.recipe), case.make(tmp_path / "head.gguf", case.recipe)
    found = contract(tmp_path, pair, 99, case.kind, n_prompts=1, n_tokens=12)
    assert found["drafted"] > 0
    assert found["different"] == 0 or found["selftest"].startswith("failed: logits computed in a batch differ")


def chat(home: Path, *arguments: str) -> tuple[dict[str, Any], str]:
    command = [sys.executable, "-m", "specchat", "chat", "--raw", "-p", "Hello", "-n", "8", "--json", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(home), check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), (home / "logs" / "specchat.log").read_text()


def test_each_model_has_its_own_layers_and_device(tmp_path: Path, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = map(str, tiny_pair)
    answer, log = chat(tmp_path, "-m", target, "-md", draft, "-ngl", "3", "-ngld", "0", "-dev", "Vulkan0", "-c", "256")
    assert len(answer["tokens"]) == 8
    assert "offloaded 3/5 layers to GPU" in log
    assert "offloaded 0/3 layers to GPU" in log
    _, log = chat(tmp_path / "other", "-m", target, "-md", draft, "-dev", "CPU", "-devd", "Vulkan0", "-c", "256")
    assert "Vulkan0 model buffer size" in log
    assert "offloaded 3/3 layers to GPU" in log


def test_devices_lists_it_with_its_memory(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "specchat", "devices", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(tmp_path), check=True)
    found = {device["name"]: device for device in json.loads(done.stdout)["devices"]}
    assert 0 < found["Vulkan0"]["free"] <= found["Vulkan0"]["total"]
    assert found["CPU"]["kind"] == "cpu"


def test_a_context_too_large_for_the_device_is_an_error(tmp_path: Path, tiny_pair: tuple[Path, Path]) -> None:
    target = str(tiny_pair[0])
    command = [sys.executable, "-m", "specchat", "chat", "-m", target, "-dev", "Vulkan0", "-c", "4000000"]
    done = subprocess.run(
        [*command, "-p", "x", "-n", "2"], capture_output=True, text=True, env=environment(tmp_path), check=False
    )
    assert done.returncode == 1, done.stderr
    assert "hint: Use a smaller context (-c)" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_backend_that_is_not_there_is_left_out(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "specchat", "devices"]
    variables = {**environment(tmp_path), "GGML_BACKEND_PATH": str(tmp_path / "nowhere.so")}
    done = subprocess.run(command, capture_output=True, text=True, env=variables, check=False)
    assert done.returncode == 0
    assert "CPU" in done.stdout
    assert "nowhere.so" in done.stderr
