"""What the first command from a checkout prints."""

import os
import sys
from pathlib import Path

import dev
import gpu_backends
import pytest
from shell import SetupError, run_in_stages

STAGES = {"Collecting": "Collecting them ...", "Building wheel for llama": "Building llama.cpp ..."}
PROGRAM = """
import sys
print("Collecting h11", "WARNING: nothing", "Collecting idna", sep="\\n")
print("  Building wheel for llama_cpp_python: started")
print("a reason", file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""


def install(folder: Path, code: int) -> None:
    run_in_stages([sys.executable, "-c", PROGRAM, str(code)], STAGES, "It failed.", folder, dict(os.environ))


def test_only_the_stages_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    install(tmp_path, 0)
    assert capsys.readouterr() == ("", "Collecting them ...\nBuilding llama.cpp ...\n")


def test_all_is_told_when_it_fails(tmp_path: Path) -> None:
    with pytest.raises(SetupError) as told:
        install(tmp_path, 3)
    words = str(told.value)
    assert "WARNING: nothing" in words
    assert "a reason" in words
    assert words.endswith("\nIt failed.")


def test_gpu_comes_before_the_arguments_of_the_program() -> None:
    assert dev._gpu_option(["--gpu", "cuda", "chat", "-m", "demo"]) == (["cuda"], ["chat", "-m", "demo"])
    assert dev._gpu_option(["--gpu=auto"]) == (["auto"], [])
    assert dev._gpu_option(["chat", "--gpu"]) == ([], ["chat", "--gpu"])
    with pytest.raises(SetupError, match="--gpu needs a name"):
        dev._gpu_option(["--gpu"])


def make_tools(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).touch(mode=0o755)


@pytest.mark.skipif(sys.platform != "linux", reason="a Mac has Metal anyway")
def test_which_back_ends_are_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SetupError, match="No tools to compile llama.cpp for a GPU were found"):
        gpu_backends.chosen_backends("auto")
    with pytest.raises(SetupError, match=r"rocm needs AMD's ROCm \(hipcc\)"):
        gpu_backends.chosen_backends("rocm")
    with pytest.raises(SetupError, match="no backend 'metal' for this system"):
        gpu_backends.chosen_backends("metal")
    make_tools(tmp_path, "glslc")
    assert gpu_backends.chosen_backends("auto") == ["vulkan"]
    make_tools(tmp_path, "nvcc")
    assert gpu_backends.chosen_backends("auto") == ["cuda"]
    assert gpu_backends.chosen_backends("vulkan,rpc") == ["vulkan", "rpc"]
