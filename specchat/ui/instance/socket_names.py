"""Lists the local sockets through which two instances of one user can reach each other."""

import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

_LONGEST_SOCKET_PATH = 90


def socket_names(data: Path) -> Sequence[str]:
    """The first is the best: sockets among the data need no other folder, but some disks cannot hold them."""
    name = "specchat-" + hashlib.sha256(os.fsencode(os.path.realpath(data))).hexdigest()[:16]
    if sys.platform != "win32":
        sockets = [str(data.absolute() / "window.socket"), *(str(folder / name) for folder in _private_folders())]
        return [socket for socket in sockets if len(os.fsencode(socket)) <= _LONGEST_SOCKET_PATH]
    return (name,)


if sys.platform != "win32":

    def _private_folders() -> Iterator[Path]:
        if runtime := os.environ.get("XDG_RUNTIME_DIR"):
            yield from _private(Path(runtime))
        yield from _private(Path(tempfile.gettempdir()) / f"specchat-{os.getuid()}")

    def _private(folder: Path) -> Iterator[Path]:
        with suppress(OSError):
            folder.mkdir(mode=stat.S_IRWXU, exist_ok=True)
            status = folder.lstat()
            is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid()
            if is_own and not stat.S_IMODE(status.st_mode) & (stat.S_IRWXG | stat.S_IRWXO):
                yield folder
