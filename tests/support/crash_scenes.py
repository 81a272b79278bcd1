"""How it looks after the last run had come to a bad end."""

from collections.abc import Callable, Mapping
from pathlib import Path

from specchat.services.memory.graphics import Graphics
from specchat.services.program.last_run import LastRun
from specchat.services.program.runs import Runs
from specchat.store.json_file import JsonFile
from specchat.store.run_record import RunRecord
from specchat.ui.desk import Desk
from specchat.ui.start.aftermath import Aftermath
from specchat.ui.start.fatal_box import fatal_box

_HEAD = "specchat 0.1.0, process 4711, 2026-03-12 10:24:00 +0000\n- window\n"
_ON_GPU = """- loading Qwen2.5 7B Instruct
llama_prepare_model_devices: using device Vulkan0 (AMD Radeon RX 7600) - 7900 MiB free
terminate called after throwing an instance of 'vk::DeviceLostError'
  what():  vk::Queue::submit: ErrorDeviceLost
Fatal Python error: Aborted

Current thread 0x00007f40f11e46c0 (most recent call first):
  File "specchat/backends/weights.py", line 99 in _load
"""
_IN_WINDOW = """- loading Qwen2.5 7B Instruct
- at rest
Fatal Python error: Segmentation fault

Current thread 0x00007f40f11e46c0 (most recent call first):
  File "specchat/ui/start/run.py", line 99 in _until_closed
"""
_LOADING = "- loading Qwen2.5 7B Instruct\n"


def told(desk: Desk, record: str) -> Aftermath:
    logs = desk.services.logs
    runs = Runs(logs, RunRecord(None), Graphics(JsonFile(desk.services.config / "graphics.json")))
    aftermath = Aftermath(desk, runs, LastRun(_HEAD + record, Path(logs / "specchat.log").name))
    aftermath.begin()
    return aftermath


def crashed(desk: Desk) -> None:
    desk.services.conversations._store.cut_off = [desk.services.conversations.listed()[0].id]
    told(desk, _IN_WINDOW)


def fatal(desk: Desk) -> None:
    box = fatal_box(
        "The window needs system libraries that are missing: libEGL.so.1, libxcb-cursor.so.0 and 2 more.",
        "Install them: sudo apt-get install libegl1 libfontconfig1 libxcb-cursor0 libxkbcommon0",
    )
    box.setParent(desk.window, box.windowFlags())
    box.show()


SCENES: Mapping[str, Callable[[Desk], object]] = {
    "crashed": crashed,
    "crashed-on-gpu": lambda desk: told(desk, _ON_GPU),
    "ended-loading": lambda desk: told(desk, _LOADING),
}
