"""Describes the machine that a benchmark runs on and its peak memory use."""

import os
import platform
import sys

import psutil

from specchat import __version__
from specchat.services.memory.device_memory import list_devices


def peak_memory() -> int:
    """Bytes of this process."""
    if sys.platform == "win32":
        return int(psutil.Process().memory_info().peak_wset)
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def describe_machine() -> dict[str, object]:
    return {
        "specchat": __version__,
        "system": platform.platform(),
        "processor": platform.processor() or platform.machine(),
        "cores": psutil.cpu_count(logical=False),
        "threads": os.cpu_count(),
        "memory": psutil.virtual_memory().total,
        "devices": [
            {"name": device.name, "description": device.description, "kind": device.kind, "total": device.total}
            for device in list_devices()
        ],
    }
