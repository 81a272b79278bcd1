"""Turns off the graphics card when its driver crashes the program."""

import os

from specchat.store.json_file import JsonFile

_WITHOUT = {
    "GGML_DISABLE_VULKAN": "1",
    "VK_ICD_FILENAMES": os.devnull,  # where Vulkan is a module, llama.cpp does not ask for the former
    "VK_DRIVER_FILES": os.devnull,  # goes before it
    "CUDA_VISIBLE_DEVICES": "-1",
    "HIP_VISIBLE_DEVICES": "-1",
    "GGML_METAL_DEVICES": "0",
}


class GpuSwitch:
    def __init__(self, file: JsonFile) -> None:
        self._file = file
        self._is_wanted = bool(file.read().get("wanted", True))
        if not self._is_wanted:
            os.environ.update(_WITHOUT)

    @property
    def is_enabled(self) -> bool:
        return self._is_wanted

    def disable(self) -> None:
        """Turns the GPU off from the next load on, which uses a new process."""
        self._is_wanted = False
        os.environ.update(_WITHOUT)
        self._file.write({"wanted": False})

    def enable_on_restart(self) -> None:
        """Turns the GPU on again at the next start."""
        self._file.write({"wanted": True})
