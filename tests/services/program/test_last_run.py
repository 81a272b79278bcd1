from pathlib import Path

import pytest

from specchat.services.program.crash_report import build_crash_report, read_log_tail
from specchat.services.program.run_ending import RunEnding

HEAD = "specchat 0.1.0, process 4711, 2026-03-12 10:24:00 +0000\n- loading Big\n- window\n"
DEVICE = "llama_prepare_model_devices: using device Vulkan0 (AMD Radeon) - 7900 MiB free\n"
IN_ENGINE = 'Current thread 0x1 (most recent call first):\n  File "specchat/backends/weights.py", line 9 in _load\n'
IN_WINDOW = (
    'Thread 0x2 (most recent call first):\n  File "specchat/backends/llama_model.py", line 9 in evaluate\n\n'
    'Current thread 0x1 (most recent call first):\n  File "specchat/ui/start/run.py", line 9 in _until_closed\n'
)
IN_A_THREAD_OF_LLAMA = (
    'Thread 0x2 (most recent call first):\n  File "specchat/backends/llama_model.py", line 9 in evaluate\n'
)
ON_WINDOWS = 'Current thread 0x1 (most recent call first):\n  File "specchat\\backends\\library.py", line 9 in start\n'
SEGFAULT = "Fatal Python error: Segmentation fault\n\n"
DRIVER, DAMAGED, REPORT = "Update the graphics driver", "The file may be damaged", "To report it"


@pytest.mark.parametrize(
    ("record", "message", "hint"),
    [
        (SEGFAULT + IN_ENGINE, " while loading Big: Segmentation fault.", DAMAGED),
        (DEVICE + SEGFAULT + IN_ENGINE, " while loading Big on the GPU: Segmentation fault.", DRIVER),
        (
            DEVICE + "- at rest\n" + SEGFAULT + IN_A_THREAD_OF_LLAMA,
            " while using the GPU: Segmentation fault.",
            DRIVER,
        ),
        (DEVICE + "- at rest\n" + SEGFAULT + IN_WINDOW, ": Segmentation fault.", REPORT),
        (
            DEVICE + "Fatal Python error: Illegal instruction\n" + IN_ENGINE,
            " while loading Big: Illegal instr",
            DAMAGED,
        ),
        (
            "- at rest\nllama.cpp gave up: /build/ggml/src/ggml-vulkan/ggml-vulkan.cpp:7: GGML_ASSERT(a) failed\n"
            "Fatal Python error: Aborted\n",
            " while using the GPU: ggml-vulkan.cpp:7: GGML_ASSERT(a) failed",
            DRIVER,
        ),
        (
            DEVICE + "- at rest\nllama.cpp gave up: C:\\build\\ggml-backend.cpp:7: GGML_ASSERT(a) failed\n",
            ": ggml-backend.cpp:7: GGML_ASSERT(a) failed",
            REPORT,
        ),
        ("- at rest\nterminate called\n  what():  std::bad_alloc\n", ": out of memory.", REPORT),
        (
            "Windows fatal exception: access violation\n\n" + ON_WINDOWS,
            " while loading Big on the GPU: access violation.",
            DRIVER,
        ),
    ],
)
def test_the_reason_in_words(record: str, message: str, hint: str) -> None:
    error = RunEnding(HEAD + record).error
    assert error.message.startswith(f"specchat crashed last time{message}")
    assert error.hint.startswith(hint)


@pytest.mark.parametrize("record", ["", "- at rest\n", "Windows fatal exception: code 0x8001010d\n"])
def test_an_end_from_outside_has_no_reason(record: str) -> None:
    assert RunEnding(HEAD + record).reason == ""


def test_what_was_survived_is_no_reason() -> None:
    survived = "Windows fatal exception: access violation\n\n" + ON_WINDOWS
    assert RunEnding(f"{HEAD}{survived}- at rest\n").reason == ""
    run = RunEnding(f"{HEAD}{DEVICE}{survived}- at rest\n{SEGFAULT}{IN_WINDOW}")
    assert (run.reason, run.used_gpu) == ("Segmentation fault.", False)


def test_what_was_being_loaded() -> None:
    assert RunEnding(HEAD).loading == "Big"
    assert RunEnding(HEAD + "- at rest\n").loading == ""
    assert RunEnding("specchat 0.1.0\n").loading == ""


def test_a_report_ends_with_the_log_also_where_that_is_new(tmp_path: Path) -> None:
    (tmp_path / "specchat.log.1").write_text("".join(f"old {n}\n" for n in range(500)))
    (tmp_path / "specchat.log").write_text("".join(f"new {n}\n" for n in range(50)))
    lines = read_log_tail(tmp_path).splitlines()
    assert (len(lines), lines[0], lines[-1]) == (200, "old 350", "new 49")
    assert read_log_tail(tmp_path / "missing") == ""


def test_a_report_does_not_name_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "zoë"
    home.mkdir()
    (tmp_path / "link").symlink_to(home)
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "link")
    run = RunEnding(f'{HEAD}{SEGFAULT}File "{home}/specchat/ui/start/run.py"', f"Loading {tmp_path}/link/models/a.gguf")
    report = build_crash_report("specchat 0.1.0", run)
    assert "zoë" not in report
    assert 'File "~/specchat/ui/start/run.py"' in report
    assert "Loading a.gguf" in report


def test_an_import_of_chats_hides_nothing_else() -> None:
    assert not RunEnding(HEAD).was_importing
    amid = RunEnding(f"{HEAD}- importing chats\n")
    assert (amid.was_importing, amid.loading) == (True, "Big")
    later = RunEnding(f"{HEAD}- importing chats\n- at rest\n")
    assert (later.was_importing, later.loading) == (True, "")
    assert not RunEnding(f"{HEAD}- importing chats\n- imported chats\n").was_importing
