"""Parts per device with layers on Vulkan's software device, against real loads."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.ggufs import ModelRecipe, make_model
from support.real_loads import load_elsewhere
from support.vocabularies import BpeVocab

from specchat.domain.types import ModelSettings

MIB = 2**20
AS_PRINTED = 0.011 * MIB
N_OUTPUTS = {"target": 17, "draft": 16}
TARGET = ModelRecipe(n_embd=512, n_head=8, n_layer=4, vocab=BpeVocab(size=8192))
TARGETS = {
    "dense": TARGET,
    "experts": replace(TARGET, arch="qwen3moe", n_expert=8),
    "sliding": replace(TARGET, arch="gemma3", sliding_window=512),
    "hybrid": replace(TARGET, arch="lfm2"),
}

pytestmark = pytest.mark.vulkan


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    own = {"GGML_BACKEND_PATH": os.environ["SPECCHAT_TEST_VULKAN"], "GGML_VK_VISIBLE_DEVICES": "0"}
    return {**os.environ, **own, "SPECCHAT_HOME": str(tmp_path / "home")}


@pytest.fixture(scope="module")
def draft(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("draft") / "draft.gguf", replace(TARGET, n_layer=2))


def run(environment: Mapping[str, str], *arguments: object) -> tuple[int, dict[str, Any]]:
    command = [sys.executable, "-m", "specchat", *map(str, arguments), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode in (0, 3), done.stderr
    return done.returncode, json.loads(done.stdout)


@pytest.mark.parametrize(
    ("name", "layers", "draft_layers"),
    [("dense", 0, 0), ("dense", 2, 1), ("dense", 99, 99), ("experts", 2, 1), ("sliding", 99, 99), ("hybrid", 2, 1)],
)
def test_none_half_and_all_layers(
    environment: Mapping[str, str], tmp_path: Path, draft: Path, name: str, layers: int, draft_layers: int
) -> None:
    target = make_model(tmp_path / "target.gguf", TARGETS[name])
    options = ("-c", 2048, "-ngl", layers, "-ngld", draft_layers)
    _, found = run(environment, "fit", target, draft, *options)
    assert found["method"] == "engine"
    assert [device["name"] for device in found["devices"]] == ["CPU", "Vulkan0"]
    settings = {
        "target": (target, ModelSettings(n_ctx=2048, gpu_layers=layers, max_draft=N_OUTPUTS["target"] - 1)),
        "draft": (
            draft,
            ModelSettings(n_ctx=2048, gpu_layers=draft_layers, max_draft=N_OUTPUTS["draft"] - 1, guesses=True),
        ),
    }
    for who, (path, how) in settings.items():
        real = load_elsewhere(path, how, environment)
        for device in found["devices"]:
            for part, size in device[who].items():
                allocated = getattr(real[device["name"]], part) if device["name"] in real else 0
                printed = AS_PRINTED * (N_OUTPUTS[who] if part == "output" else 1)
                assert size == pytest.approx(allocated, rel=0.01, abs=printed), (who, device["name"], part)


def test_what_is_suggested_loads(environment: Mapping[str, str], tmp_path: Path, draft: Path) -> None:
    target = make_model(tmp_path / "target.gguf", TARGET)
    card = ("--device", f"Vulkan0={48 * MIB}")
    code, found = run(environment, "fit", target, draft, "-c", 16384, *card)
    assert (code, found["method"], found["verdict"]) == (3, "engine", "does not fit")
    better = found["suggestion"]
    chosen = {"-c": better["n_ctx"], "-ngl": better["ngl"], "-ngld": better["ngld"]}
    options = [word for option, value in chosen.items() if value is not None for word in (option, value)]
    code, again = run(environment, "fit", target, draft, *options, "--kv", better["kv"], *card)
    assert (code, again["verdict"]) == (0, "fits")
    command = ("chat", "-m", target, "-md", draft, "-p", "Hello", "--raw", "-n", 2, "-t", 1)
    _, answer = run(environment, *command, *options, "--cache-type", better["kv"])
    assert answer["stats"]["n_generated"] == 2
