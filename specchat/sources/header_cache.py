"""Caches the headers of remote files by the hashes of the files."""

import logging
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

from specchat.domain.hub import RemoteFile

log = logging.getLogger(__name__)

_MOST = 256 * 1024 * 1024
_DIGEST = sha256().digest_size


class HeaderCache:
    """Each file here starts with a digest of the rest: the disk may be wrong, and two programs may write."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, file: RemoteFile) -> bytes:
        """Empty where nothing is known."""
        if file.sha256 is None:
            return b""
        try:
            content = (self._folder / file.sha256).read_bytes()
        except OSError:
            return b""
        beginning = content[_DIGEST:]
        return beginning if sha256(beginning).digest() == content[:_DIGEST] else b""

    def put(self, file: RemoteFile, beginning: bytes | bytearray) -> None:
        if file.sha256 is None:
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=self._folder, suffix=".new", delete=False) as new:
                new.write(sha256(beginning).digest())
                new.write(beginning)
            Path(new.name).replace(self._folder / file.sha256)
            self._evict_oldest()
        except OSError as error:
            log.warning("Couldn't save %s: %s", file.path, error)

    def _evict_oldest(self) -> None:
        room = _MOST
        newest_first = sorted(
            ((path, path.stat()) for path in self._folder.iterdir()), key=lambda each: -each[1].st_mtime
        )
        for path, status in newest_first:
            room -= status.st_size
            if room < 0:
                path.unlink(missing_ok=True)
