"""What is said of a first load that went wrong, and what is remembered of one that went well."""

import signal
import sys
from contextlib import closing
from pathlib import Path

import pytest

from specchat.backends.child import Child
from specchat.backends.preflight import preflight
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import Cancelled, ModelFileError, ModelLoadError
from specchat.domain.types import ModelSettings
from specchat.store.remembered import Remembered

SETTINGS = ModelSettings(n_ctx=256, threads=1)
SCRIPT = "import os, signal, sys\nfrom specchat.backends.child_loop import serve\nserve(lambda request: {})"


def dying(deed: str) -> Child:
    return Child([sys.executable, "-c", SCRIPT.format(deed)], memory=None)


@pytest.mark.parametrize(
    ("deed", "message", "hint"),
    [
        (f"os.kill(os.getpid(), {signal.SIGKILL.value})", "ended the first load of tiny-llama.gguf: memory", "-c"),
        (f"os.kill(os.getpid(), {signal.SIGSEGV.value})", "crashes llama.cpp: Segmentation fault.", "damaged"),
        ("os._exit(sys.stderr.write('what():  no such token\\n'))", "crashes llama.cpp: no such token", "damaged"),
        (
            "os._exit(sys.stderr.write('llama.cpp gave up: /home/a/b c/ggml.c:7: GGML_ASSERT(x) failed\\n'))",
            "crashes llama.cpp: ggml.c:7: GGML_ASSERT(x) failed",
            "damaged",
        ),
    ],
)
def test_deaths_are_explained(passed: Remembered, tiny_llama: Path, deed: str, message: str, hint: str) -> None:
    with closing(dying(deed)) as child, pytest.raises(ModelLoadError) as caught:
        preflight(tiny_llama, SETTINGS, passed, child, CancelToken())
    assert message in caught.value.message
    assert hint in caught.value.hint


def test_one_child_tries_several_files(
    passed: Remembered, child: Child, tiny_llama: Path, tiny_mamba: Path, models_dir: Path
) -> None:
    preflight(tiny_llama, SETTINGS, passed, child, CancelToken())
    first = child.pid
    broken = models_dir / "broken.gguf"
    broken.write_bytes(tiny_llama.read_bytes()[:5000])
    with pytest.raises(ModelLoadError) as caught:
        preflight(broken, SETTINGS, passed, child, CancelToken())
    assert caught.value.message.template == "{name} cannot be loaded: {reason}"
    assert caught.value.message.startswith("broken.gguf cannot be loaded: ")
    preflight(tiny_mamba, SETTINGS, passed, child, CancelToken())
    assert child.pid == first is not None


def test_what_passed_needs_no_child_again(passed: Remembered, child: Child, tiny_llama: Path) -> None:
    preflight(tiny_llama, SETTINGS, passed, child, CancelToken())
    with closing(dying("os._exit(1)")) as unused:
        preflight(tiny_llama, SETTINGS, passed, unused, CancelToken())
        assert unused.pid is None
        with pytest.raises(ModelLoadError):
            preflight(tiny_llama, ModelSettings(n_ctx=512), passed, unused, CancelToken())


def test_a_cancelled_one_ends_at_once(passed: Remembered, child: Child, tiny_llama: Path) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        preflight(tiny_llama, SETTINGS, passed, child, cancel)


def test_a_file_that_has_gone(passed: Remembered, child: Child, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError):
        preflight(tmp_path / "gone.gguf", SETTINGS, passed, child, CancelToken())
