"""Names the free memory: the graphics cards' and the computer's own."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from specchat.domain.types import Device
from specchat.ui.words.number_format import format_size

translate = QCoreApplication.translate


def free_memory_text(devices: Iterable[Device]) -> str:
    """A graphics card without memory of its own adds none."""
    free = {"cpu": 0, "gpu": 0}
    for device in devices:
        if device.kind in free:
            free[device.kind] += device.free
    ram, gpu = format_size(free["cpu"]), format_size(free["gpu"])
    if not free["gpu"]:
        return translate("FreeMemory", "{size} of RAM").format(size=ram)
    return translate("FreeMemory", "{gpu} of GPU memory and {ram} of RAM").format(gpu=gpu, ram=ram)
