"""Counts the physical cores, without loading llama.cpp."""

import psutil


def physical_cores() -> int:
    """Returns the number of cores that this process may use. Threads that share a core slow each other down."""
    process = psutil.Process()
    allowed = len(process.cpu_affinity()) if hasattr(process, "cpu_affinity") else psutil.cpu_count() or 1
    return max(1, min(psutil.cpu_count(logical=False) or allowed, allowed))
