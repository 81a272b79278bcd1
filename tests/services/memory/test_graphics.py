import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from specchat.bootstrap import build_app
from specchat.services.memory.gpu_switch import GpuSwitch
from specchat.store.json_file import JsonFile
from specchat.store.paths import Paths

SECONDS = 60
DEVICES = """
import sys
from pathlib import Path
from specchat.backends import devices
from specchat.services.memory.gpu_switch import GpuSwitch
from specchat.store.json_file import JsonFile
GpuSwitch(JsonFile(Path(sys.argv[1])))
print(*(device.kind for device in devices.available()))
"""


@pytest.fixture(autouse=True)
def own_environment() -> Iterator[None]:
    with patch.dict(os.environ):
        os.environ.pop("GGML_DISABLE_VULKAN", None)
        yield


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config" / "graphics.json"


def test_doing_without_is_remembered_until_it_is_used_again(path: Path) -> None:
    first = GpuSwitch(JsonFile(path))
    assert first.is_enabled
    assert not path.exists()
    first.disable()
    assert os.environ.pop("GGML_DISABLE_VULKAN") == "1"
    second = GpuSwitch(JsonFile(path))
    assert not second.is_enabled
    assert os.environ.pop("GGML_DISABLE_VULKAN") == "1"
    second.enable_on_restart()
    assert GpuSwitch(JsonFile(path)).is_enabled
    assert "GGML_DISABLE_VULKAN" not in os.environ


def test_commands_do_without_it_too(tmp_path: Path) -> None:
    places = Paths(*(tmp_path / name for name in ("data", "config", "cache", "logs")))
    GpuSwitch(JsonFile(places.config / "graphics.json")).disable()
    os.environ.pop("GGML_DISABLE_VULKAN")
    build_app(places)
    assert os.environ["GGML_DISABLE_VULKAN"] == "1"


@pytest.mark.vulkan
@pytest.mark.parametrize(("wanted", "kinds"), [(True, {"cpu", "gpu"}), (False, {"cpu"})])
def test_llama_cpp_does_without_it_too(path: Path, wanted: bool, kinds: set[str]) -> None:
    path.parent.mkdir()
    path.write_text(json.dumps({"wanted": wanted}))
    own = {"GGML_BACKEND_PATH": os.environ["SPECCHAT_TEST_VULKAN"], "GGML_VK_VISIBLE_DEVICES": "0"}
    done = subprocess.run(
        [sys.executable, "-c", DEVICES, str(path)],
        env={**os.environ, **own},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    assert set(done.stdout.split()) == kinds
