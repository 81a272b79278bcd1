"""How it looks after the last run had come to a bad end."""

from collections.abc import Callable, Mapping
from pathlib import Path

from specchat.services.memory.gpu_switch import GpuSwitch
from specchat.services.program.run_ending import RunEnding
from specchat.services.program.run_tracker import RunTracker
from specchat.store.json_file import JsonFile
from specchat.store.run_record import RunRecord
from specchat.ui.app_controller import AppController
from specchat.ui.pair.pair_button import PairButtonState
from specchat.ui.start.fatal_error_box import build_fatal_error_box
from specchat.ui.start.last_run_reporter import LastRunReporter

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


def leave_nothing_loaded(controller: AppController) -> None:
    controller.session.set_pair(None)
    controller.window.header.pair.show_state(PairButtonState())


def told(controller: AppController, record: str) -> LastRunReporter:
    logs = controller.services.logs
    runs = RunTracker(logs, RunRecord(None), GpuSwitch(JsonFile(controller.services.config / "graphics.json")))
    last = RunEnding(_HEAD + record, Path(logs / "specchat.log").name)
    if last.may_recur:
        leave_nothing_loaded(controller)
    aftermath = LastRunReporter(controller, runs, last)
    aftermath.start()
    return aftermath


def crashed(controller: AppController) -> None:
    controller.services.conversations._store.cut_off = [controller.services.conversations.list_all()[0].id]
    told(controller, _IN_WINDOW)


def fatal(controller: AppController) -> None:
    box = build_fatal_error_box(
        "The window needs system libraries that are missing: libEGL.so.1, libxcb-cursor.so.0 and 2 more.",
        "Install them: sudo apt-get install libegl1 libfontconfig1 libxcb-cursor0 libxkbcommon0",
    )
    box.setParent(controller.window, box.windowFlags())
    box.show()


SCENES: Mapping[str, Callable[[AppController], object]] = {
    "crashed": crashed,
    "crashed-on-gpu": lambda controller: told(controller, _ON_GPU),
    "ended-loading": lambda controller: told(controller, _LOADING),
}
