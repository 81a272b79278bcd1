"""What is said of a first load that went wrong, and what is remembered of one that went well."""

import signal
import sys
from contextlib import closing
from pathlib import Path

import pytest

from specchat.backends.child import Child
from specchat.backends.preflight import run_preflight
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, MemoryShortageError, ModelFileError, ModelLoadError
from specchat.domain.serialization import to_plain
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import ModelSettings
from specchat.store.json_cache import JsonCache

SETTINGS = ModelSettings(n_ctx=256, threads=1)
SCRIPT = "import os, signal, sys\nfrom specchat.backends.child_loop import serve\nserve(lambda request: {})"


def dying(deed: str) -> Child:
    return Child([sys.executable, "-c", SCRIPT.format(deed)], memory=None)


@pytest.mark.parametrize(
    ("deed", "message", "hint"),
    [
        (f"os.kill(os.getpid(), {signal.SIGKILL.value})", "ran out of memory while checking tiny-llama.gguf", "-c"),
        (f"os.kill(os.getpid(), {signal.SIGSEGV.value})", "crashes llama.cpp: Segmentation fault.", "damaged"),
        ("os._exit(sys.stderr.write('what():  no such token\\n'))", "crashes llama.cpp: no such token", "damaged"),
        (
            "os._exit(sys.stderr.write('llama.cpp gave up: /home/a/b c/ggml.c:7: GGML_ASSERT(x) failed\\n'))",
            "crashes llama.cpp: ggml.c:7: GGML_ASSERT(x) failed",
            "damaged",
        ),
    ],
)
def test_deaths_are_explained(passed: JsonCache, tiny_llama: Path, deed: str, message: str, hint: str) -> None:
    with closing(dying(deed)) as child, pytest.raises(ModelLoadError) as caught:
        run_preflight(tiny_llama, SETTINGS, passed, child, CancelToken())
    assert message in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize("lacks_memory", [True, False])
def test_whether_it_was_for_want_of_memory_is_known(passed: JsonCache, tiny_llama: Path, lacks_memory: bool) -> None:
    said = to_plain(TranslatableText("No."))
    reply = {"error": said, "hint": said, "lacks_memory": lacks_memory}
    with closing(dying(repr(reply))) as child, pytest.raises(ModelLoadError) as caught:
        run_preflight(tiny_llama, SETTINGS, passed, child, CancelToken())
    assert isinstance(caught.value, MemoryShortageError) is lacks_memory


def test_one_child_tries_several_files(
    passed: JsonCache, child: Child, tiny_llama: Path, tiny_mamba: Path, models_dir: Path
) -> None:
    run_preflight(tiny_llama, SETTINGS, passed, child, CancelToken())
    first = child.pid
    broken = models_dir / "broken.gguf"
    broken.write_bytes(tiny_llama.read_bytes()[:5000])
    with pytest.raises(ModelLoadError) as caught:
        run_preflight(broken, SETTINGS, passed, child, CancelToken())
    assert caught.value.message.template == "Can't load {name}: {reason}"
    assert caught.value.message.startswith("Can't load broken.gguf: ")
    run_preflight(tiny_mamba, SETTINGS, passed, child, CancelToken())
    assert child.pid == first is not None


def test_what_passed_needs_no_child_again(passed: JsonCache, child: Child, tiny_llama: Path) -> None:
    run_preflight(tiny_llama, SETTINGS, passed, child, CancelToken())
    with closing(dying("os._exit(1)")) as unused:
        run_preflight(tiny_llama, SETTINGS, passed, unused, CancelToken())
        assert unused.pid is None
        with pytest.raises(ModelLoadError):
            run_preflight(tiny_llama, ModelSettings(n_ctx=512), passed, unused, CancelToken())


def test_a_cancelled_one_ends_at_once(passed: JsonCache, child: Child, tiny_llama: Path) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        run_preflight(tiny_llama, SETTINGS, passed, child, cancel)


def test_a_file_that_has_gone(passed: JsonCache, child: Child, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError):
        run_preflight(tmp_path / "gone.gguf", SETTINGS, passed, child, CancelToken())
