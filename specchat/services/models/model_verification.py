"""Verifies that a model's files match what was published."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from os.path import isfile
from pathlib import Path, PurePosixPath

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ModelFileError
from specchat.domain.hub import RemoteFile
from specchat.domain.translatable_text import TranslatableText
from specchat.gguf.header import read_header
from specchat.gguf.source import FileSource
from specchat.services.models.demo_pair import demo_files
from specchat.services.models.model_discovery import is_same_file
from specchat.sources.checksums import checksum_in_name
from specchat.sources.file_names import all_parts

_PIECE = 1 << 22
_SHIPPED = {
    "demo-target.gguf": "c4b7c521b63fd7c0c69bb8bce8549f5f2cf038562dabee29f3307a443150dd6f",
    "demo-draft.gguf": "49cef1657364df38ae9440da00e80060f84ebc00c528540994a2d0e4de2ef853",
}
_RIGHT = TranslatableText("The file matches its checksum.")
_UNKNOWN = TranslatableText("The header is valid. No checksum is known for this file.")

OnVerifyProgress = Callable[[int, int], None]
"""Bytes gone through, and of how many."""


class VerificationVerdict(StrEnum):
    RIGHT = "right"
    DAMAGED = "damaged"
    UNKNOWN = "no checksum known"
    """The header is in order; of the rest nobody can tell."""


@dataclass(frozen=True, slots=True)
class VerificationResult:
    verdict: VerificationVerdict
    reason: TranslatableText
    file: Path | None = None
    """The damaged one."""


def verify_model(
    path: Path,
    cancel: CancelToken,
    progress: OnVerifyProgress = lambda *_: None,
    published: Sequence[RemoteFile] = (),
) -> VerificationResult:
    """All parts of a model, from its first. `published`: what the Hub says of them, where that is known.

    Goes through all the bytes. A UserError where they may not be read.
    """
    parts = [path.with_name(name) for name in all_parts(path.name)]
    if lost := next((part for part in parts if not isfile(part)), None):
        return VerificationResult(
            VerificationVerdict.DAMAGED, TranslatableText("{name} is missing.", name=lost.name), lost
        )
    known = {PurePosixPath(file.path).name: file for file in published}
    files = [_File(part, known.get(part.name)) for part in parts]
    size = sum(file.source.size for file in files if file.checksum)
    done = 0

    def went_through(count: int) -> None:
        nonlocal done
        cancel.check()
        done += count
        progress(done, size)

    for file in files:
        if damage := file.damage(went_through):
            return VerificationResult(VerificationVerdict.DAMAGED, damage, file.path)
    if all(file.checksum for file in files):
        return VerificationResult(VerificationVerdict.RIGHT, _RIGHT)
    return VerificationResult(VerificationVerdict.UNKNOWN, _UNKNOWN)


class _File:
    def __init__(self, path: Path, published: RemoteFile | None) -> None:
        self.path, self.source = path, FileSource(path)
        self._size = published.size if published else self.source.size
        self.checksum = (published.sha256 if published else None) or checksum_in_name(path) or _shipped_checksum(path)

    def damage(self, went_through: Callable[[int], None]) -> TranslatableText | None:
        if self.source.size != self._size:
            return TranslatableText(
                "{name} is {size} bytes but should be {right}.",
                name=self.path.name,
                size=self.source.size,
                right=self._size,
            )
        if self.checksum is None:
            return self._damage_of_header()
        if self._sha256(went_through) == self.checksum:
            return None
        return TranslatableText("{name} is damaged: it doesn't match its checksum.", name=self.path.name)

    def _damage_of_header(self) -> TranslatableText | None:
        self.source.read(0, 1)  # what may not be read is not damaged for that
        try:
            read_header(self.source)
        except ModelFileError as error:
            return error.message
        return None

    def _sha256(self, went_through: Callable[[int], None]) -> str:
        whole, at = sha256(), 0
        while piece := self.source.read(at, _PIECE):
            whole.update(piece)
            at += len(piece)
            went_through(len(piece))
        return whole.hexdigest()


def _shipped_checksum(path: Path) -> str | None:
    return _SHIPPED.get(path.name) if any(is_same_file(path, demo) for demo in demo_files()) else None
