"""One file, from the Hub to its place among the blobs of the cache: whole and right, or not at all.

What arrived is kept through every failure, crash and pause, and is not fetched again. A wrong whole is mended:

- The Hub names one SHA-256, that of the whole file, and none for its parts. What the disk changed shows in our own
  digests (see `part`): such a block is fetched again, and nothing else.
- If the disk still holds what arrived, it arrived wrong, and nothing but fetching it again can tell where. Encrypted
  connections notice damage on the way, so what is left is rare: an answer that broke off with something else at its
  end, a bad copy on a server, a plain HTTP mirror. Therefore blocks in which an answer broke off come first, then the
  others in their order. Each is compared with what is there, and it ends with the block that makes the whole right:
  one block in the best case, once over the file in the worst.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import HubError, ModelFileError
from specchat.domain.hub import Pause, RemoteFile
from specchat.domain.said import Said
from specchat.sources.disk import require_room
from specchat.sources.hub_cache import HubCache
from specchat.sources.part import Part, fetched_before, kept_bytes
from specchat.sources.transfer import Locate, Manner, Transfer


@dataclass(frozen=True, slots=True)
class Progress:
    done: int
    """Bytes of the file that are there."""
    fetched: int
    """Bytes that came over the network for it, in all runs, needed or not."""
    checked: int | None = None
    """Bytes gone through so far, while what is there is checked."""
    again: Said | None = None
    """Why something is asked for once more."""
    pause: Pause | None = None
    """Before that."""


Told = Callable[[Progress], None]

_DAMAGED = Said("Some of it is damaged and is fetched again.")


class Downloader:
    def __init__(self, cache: HubCache, locate: Locate, manner: Manner | None = None) -> None:
        self.cache, self._locate = cache, locate
        self.manner = manner or Manner()

    def missing(self, file: RemoteFile) -> int:
        """Bytes that are still to come."""
        return 0 if self.cache.present(file) else file.size - kept_bytes(self.cache.blob(file), file)

    def fetched(self, file: RemoteFile) -> int:
        """Bytes that earlier runs fetched of what has no name yet."""
        return fetched_before(self.cache.blob(file), file)

    def download(self, file: RemoteFile, cancel: CancelToken, told: Told) -> int:
        """To its place, under no name yet; returns how many bytes were fetched for it in all runs."""
        blob = self.cache.blob(file)
        with self.cache.locked(file):
            if self._is_there(file, cancel, told):
                is_of_others = kept_bytes(blob, file) > 0
                return 0 if is_of_others else self.fetched(file)
            require_room(blob.parent, file.size - kept_bytes(blob, file))
            with Part(blob, file, self.manner.block) as part:
                _Download(part, self._locate, self.manner, cancel, told).run()
                return part.fetched

    def _is_there(self, file: RemoteFile, cancel: CancelToken, told: Told) -> bool:
        """Whoever put it there may not have checked it."""
        present = self.cache.present(file)
        if present is None or file.sha256 is None:
            return present is not None
        whole, checked = sha256(), 0
        try:
            with present.open("rb") as content:
                while piece := content.read(self.manner.block):
                    cancel.check()
                    whole.update(piece)
                    checked += len(piece)
                    told(Progress(file.size, 0, checked))
        except OSError:  # it is replaced by one that can be read
            return False
        return whole.hexdigest() == file.sha256


class _Download:
    def __init__(self, part: Part, locate: Locate, manner: Manner, cancel: CancelToken, told: Told) -> None:
        self._part, self._cancel, self._told = part, cancel, told
        self._transfer = Transfer(part.file, locate, manner, cancel, self)
        self._damage: Said | None = None
        self._trouble: Said | None = None
        self._pause: Pause | None = None

    def run(self) -> None:
        self._go_through()
        self._fill()
        if not self._part.is_right:
            self._mend()
        self._part.place()
        self._told(Progress(self._part.size, self._part.fetched))

    def received(self, size: int) -> None:
        self._part.fetched += size
        self._trouble = self._pause = None

    def broke(self, at: int) -> None:
        self._part.doubt(at)

    def tries_again(self, reason: HubError, pause: Pause) -> None:
        self._trouble, self._pause = reason.message, pause
        self._tell()

    def _go_through(self) -> None:
        part = self._part
        while part.size < part.kept:
            self._cancel.check()
            index = part.size // part.block
            if not part.go_through(part.read(index)):
                part.write(index, content := self._fetched_again(index))
                if not part.go_through(content):
                    part.forget_digests(index)
                    part.go_through(content)
            self._tell(part.size)

    def _fill(self) -> None:
        self._damage = None
        with closing(self._transfer.pieces(self._part.size, self._part.file.size)) as pieces:
            for piece in pieces:
                self._part.append(piece)
                self._tell()

    def _mend(self) -> None:
        part = self._part
        blocks = sorted(set(range(part.n_blocks)) - part.compared, key=lambda each: (each not in part.doubtful, each))
        part.rewind()
        self._go_through()
        if part.is_right:
            return
        for _ in self._replaced(blocks):
            part.forget_digests()
            part.rewind()
            self._go_through()
            if part.is_right:
                return
        part.discard()
        raise _stays_wrong(part.file)

    def _replaced(self, blocks: Iterable[int]) -> Iterator[None]:
        """Pauses where it is worth while to read the whole: seldom, if one block after the other is wrong."""
        part = self._part
        changed, is_new = 0, False
        for index in blocks:
            content = self._fetched_again(index)
            if content == part.read(index):
                is_worth_it = is_new
            else:
                part.write(index, content)
                changed, is_new = changed + 1, True
                is_worth_it = _is_power_of_two(changed)
            part.compared.add(index)
            part.save()
            if is_worth_it:
                is_new = False
                yield
        if is_new:
            yield

    def _fetched_again(self, index: int) -> bytes:
        content = bytearray()
        self._damage = _DAMAGED
        with closing(self._transfer.pieces(*self._part.span(index))) as pieces:
            for piece in pieces:
                content += piece
                self._tell()
        return bytes(content)

    def _tell(self, checked: int | None = None) -> None:
        done = max(self._part.kept, self._part.size)
        self._told(Progress(done, self._part.fetched, checked, self._trouble or self._damage, self._pause))


def _is_power_of_two(number: int) -> bool:
    return number.bit_count() == 1


def _stays_wrong(file: RemoteFile) -> ModelFileError:
    return ModelFileError(
        "{file} arrived damaged, and again when it was fetched once more.",
        "Download it again later, or over another network.",
        file=file.path,
    )
