"""A Windows job object that ends the child processes when this process ends."""

import ctypes
import logging
import sys
from functools import cache
from typing import Any

log = logging.getLogger(__name__)

if sys.platform == "win32":
    from ctypes import wintypes

    _EXTENDED_LIMIT_INFORMATION = 9
    _KILL_ON_JOB_CLOSE = 0x2000
    _TERMINATE, _SET_QUOTA = 0x0001, 0x0100

    class _BasicLimits(ctypes.Structure):
        _fields_ = (
            ("per_process_user_time_limit", wintypes.LARGE_INTEGER),
            ("per_job_user_time_limit", wintypes.LARGE_INTEGER),
            ("limit_flags", wintypes.DWORD),
            ("minimum_working_set_size", ctypes.c_size_t),
            ("maximum_working_set_size", ctypes.c_size_t),
            ("active_process_limit", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("priority_class", wintypes.DWORD),
            ("scheduling_class", wintypes.DWORD),
        )

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = (
            ("basic", _BasicLimits),
            ("io_counters", ctypes.c_ulonglong * 6),
            ("process_memory_limit", ctypes.c_size_t),
            ("job_memory_limit", ctypes.c_size_t),
            ("peak_process_memory_used", ctypes.c_size_t),
            ("peak_job_memory_used", ctypes.c_size_t),
        )

    @cache
    def _kernel() -> Any:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.argtypes = [ctypes.c_void_p, wintypes.LPCWSTR]
        kernel.CreateJobObjectW.restype = wintypes.HANDLE
        kernel.SetInformationJobObject.argtypes = [wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD]
        kernel.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
        kernel.OpenProcess.restype = wintypes.HANDLE
        kernel.AssignProcessToJobObject.argtypes = [wintypes.HANDLE, wintypes.HANDLE]
        kernel.CloseHandle.argtypes = [wintypes.HANDLE]
        return kernel

    @cache
    def _job() -> Any:
        """Creates the job. It is never closed, and no process inherits it."""
        job = _kernel().CreateJobObjectW(None, None)
        limits = _ExtendedLimits()
        limits.basic.limit_flags = _KILL_ON_JOB_CLOSE
        size = ctypes.sizeof(limits)
        if not _kernel().SetInformationJobObject(job, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), size):
            log.info("Child processes may outlive this one: %s", ctypes.WinError(ctypes.get_last_error()))
        return job

    def put_into_job(pid: int) -> None:
        """Adds a process, including its future child processes."""
        process = _kernel().OpenProcess(_SET_QUOTA | _TERMINATE, False, pid)
        if not _kernel().AssignProcessToJobObject(_job(), process):
            log.info("Process %d may outlive this one: %s", pid, ctypes.WinError(ctypes.get_last_error()))
        _kernel().CloseHandle(process)
