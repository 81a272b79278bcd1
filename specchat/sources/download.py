"""Downloads a file from the Hub into the blobs of the cache: complete and verified, or not at all.

What arrived is kept through every failure, crash and pause, and is not fetched again. A wrong whole is mended:

- The Hub names one SHA-256, that of the whole file, and none for its parts. What the disk changed shows in our own
  digests (see `partial_file`): such a block is fetched again, and nothing else.
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

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubError, ModelFileError
from specchat.domain.hub import RemoteFile, RetryPause
from specchat.domain.translatable_text import TranslatableText
from specchat.sources.disk import require_free_space
from specchat.sources.hub_cache import HubCache
from specchat.sources.partial_file import PartialFile, fetched_bytes, partial_size
from specchat.sources.transfer import Locate, Transfer, TransferSettings


@dataclass(frozen=True, slots=True)
class DownloadProgress:
    done: int
    """Bytes of the file that are there."""
    fetched: int
    """Bytes that came over the network for it, in all runs, needed or not."""
    checked: int | None = None
    """Bytes gone through so far, while what is there is checked."""
    again: TranslatableText | None = None
    """Why something is asked for once more."""
    pause: RetryPause | None = None
    """Before that."""


OnDownloadProgress = Callable[[DownloadProgress], None]

_DAMAGED = TranslatableText("Part of the file is damaged and will be downloaded again.")


class Downloader:
    def __init__(self, cache: HubCache, locate: Locate, settings: TransferSettings | None = None) -> None:
        self.cache, self._locate = cache, locate
        self.settings = settings or TransferSettings()

    def missing_bytes(self, file: RemoteFile) -> int:
        """Bytes that are still to come."""
        n_present = partial_size(self.cache.blob(file), file)  # first: it may get its name meanwhile
        return 0 if self.cache.find_blob(file) else file.size - n_present

    def fetched_bytes(self, file: RemoteFile) -> int:
        """Bytes that earlier runs fetched of what has no name yet."""
        return fetched_bytes(self.cache.blob(file), file)

    def download(self, file: RemoteFile, cancel: CancelToken, on_progress: OnDownloadProgress) -> int:
        """To its place, under no name yet; returns how many bytes were fetched for it in all runs."""
        blob = self.cache.blob(file)
        with self.cache.locked(file):
            if self._is_there(file, cancel, on_progress):
                is_of_others = partial_size(blob, file) > 0
                return 0 if is_of_others else self.fetched_bytes(file)
            require_free_space(blob.parent, file.size - partial_size(blob, file))
            with PartialFile(blob, file, self.settings.block) as part:
                _Download(part, self._locate, self.settings, cancel, on_progress).run()
                return part.fetched

    def _is_there(self, file: RemoteFile, cancel: CancelToken, on_progress: OnDownloadProgress) -> bool:
        """Whoever put it there may not have checked it."""
        present = self.cache.find_blob(file)
        if present is None or file.sha256 is None:
            return present is not None
        whole, checked = sha256(), 0
        try:
            with present.open("rb") as content:
                while piece := content.read(self.settings.block):
                    cancel.check()
                    whole.update(piece)
                    checked += len(piece)
                    on_progress(DownloadProgress(file.size, 0, checked))
        except OSError:  # it is replaced by one that can be read
            return False
        return whole.hexdigest() == file.sha256


class _Download:
    def __init__(
        self,
        part: PartialFile,
        locate: Locate,
        settings: TransferSettings,
        cancel: CancelToken,
        on_progress: OnDownloadProgress,
    ) -> None:
        self._part, self._cancel, self._on_progress = part, cancel, on_progress
        self._transfer = Transfer(part.file, locate, settings, cancel, self)
        self._damage: TranslatableText | None = None
        self._trouble: TranslatableText | None = None
        self._pause: RetryPause | None = None

    def run(self) -> None:
        self._verify()
        self._fill()
        if not self._part.is_valid:
            self._repair()
        self._part.move_into_place()
        self._on_progress(DownloadProgress(self._part.size, self._part.fetched))

    def bytes_received(self, size: int) -> None:
        self._part.fetched += size
        self._trouble = self._pause = None

    def response_truncated(self, at: int) -> None:
        self._part.mark_doubtful(at)

    def retry_scheduled(self, reason: HubError, pause: RetryPause) -> None:
        self._trouble, self._pause = reason.message, pause
        self._report()

    def _verify(self) -> None:
        part = self._part
        while part.size < part.kept:
            self._cancel.check()
            index = part.size // part.block
            if not part.verify_block(part.read(index)):
                part.write(index, content := self._fetched_again(index))
                if not part.verify_block(content):
                    part.discard_digests(index)
                    part.verify_block(content)
            self._report(part.size)

    def _fill(self) -> None:
        self._damage = None
        with closing(self._transfer.pieces(self._part.size, self._part.file.size)) as pieces:
            for piece in pieces:
                self._part.append(piece)
                self._report()

    def _repair(self) -> None:
        part = self._part
        blocks = sorted(set(range(part.n_blocks)) - part.compared, key=lambda each: (each not in part.doubtful, each))
        part.rewind()
        self._verify()
        if part.is_valid:
            return
        for _ in self._replaced(blocks):
            part.discard_digests()
            part.rewind()
            self._verify()
            if part.is_valid:
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
        with closing(self._transfer.pieces(*self._part.block_range(index))) as pieces:
            for piece in pieces:
                content += piece
                self._report()
        return bytes(content)

    def _report(self, checked: int | None = None) -> None:
        done = max(self._part.kept, self._part.size)
        self._on_progress(
            DownloadProgress(done, self._part.fetched, checked, self._trouble or self._damage, self._pause)
        )


def _is_power_of_two(number: int) -> bool:
    return number.bit_count() == 1


def _stays_wrong(file: RemoteFile) -> ModelFileError:
    return ModelFileError(
        "{file} arrived damaged twice.",
        "Download it again later or over another network.",
        file=file.path,
    )
