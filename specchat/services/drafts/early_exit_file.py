"""Writes the first layers of a target into a file of their own: all of it or nothing."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import mkstemp

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import StorageFullError
from specchat.gguf.early_exit import EarlyExitPlan, EarlyExitPlanner
from specchat.gguf.files import require_consistent
from specchat.services.models.early_exit_store import explain_disk_errors
from specchat.sources.disk import free_space

_RESERVE = 256 * 1024 * 1024
"""The disk space that is left for other programs."""


def write_early_exit(
    target: Path, n_layers: int, path: Path, cancel: CancelToken, progress: Callable[[float], None] = lambda _: None
) -> None:
    """Into a folder that is there. Nobody else may read it: it holds what the target holds."""
    require_consistent(target)
    plan = EarlyExitPlanner(target).plan(n_layers)
    require_space(path.parent, plan.size)
    with explain_disk_errors(path):
        handle, name = mkstemp(".part", path.stem[:40], path.parent)
        temporary = Path(name)
        try:
            with open(handle, "wb") as file:
                for chunk in _chunks(plan, cancel, progress):
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            require_consistent(temporary)
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def _chunks(plan: EarlyExitPlan, cancel: CancelToken, progress: Callable[[float], None]) -> Iterator[bytes]:
    done = 0
    for chunk in plan.chunks():
        cancel.check()
        yield chunk
        done += len(chunk)
        progress(done / plan.size)


def require_space(folder: Path, needed: int) -> None:
    free = free_space(folder)
    if free is not None and needed + _RESERVE > free:
        raise StorageFullError(
            "An early exit draft needs {needed} MB, but the disk with {folder} has only {free} MB free.",
            "Free up some space, or choose fewer layers.",
            needed=-(-(needed + _RESERVE) // 10**6),
            folder=folder,
            free=free // 10**6,
        )
