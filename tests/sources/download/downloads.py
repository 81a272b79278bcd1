from pathlib import Path

import pytest
from support.downloading import BLOCK, Watched, content, manner
from support.hub import Request

from specchat.domain.errors import (
    Cancelled,
)
from specchat.domain.hub import RemoteFile
from specchat.sources.download import Downloader
from specchat.sources.partial_file import partial_size

SIZE = 10 * BLOCK + 777
MODEL = content(SIZE)
STORED = "/repos/*/model.gguf"
IN_BLOCK_3 = 3 * BLOCK + 5


def fetched(loader: Downloader, file: RemoteFile) -> int:
    """How many bytes it took. It is right, and nothing else is left."""
    watched = Watched()
    size = loader.download(file, watched.cancel, watched)
    blob = loader.cache.blob(file)
    assert blob.read_bytes() == MODEL
    assert set(blob.parent.iterdir()) == {blob, blob.with_name(f"{blob.name}.part.json")}
    assert watched.told[-1].done == SIZE
    return size


def part(loader: Downloader, file: RemoteFile) -> Path:
    blob = loader.cache.blob(file)
    return blob.with_name(f"{blob.name}.part")


def stopped(loader: Downloader, file: RemoteFile, at: int) -> int:
    """How many bytes are kept."""
    watched = Watched(cancel_at=at)
    with pytest.raises(Cancelled):
        loader.download(file, watched.cancel, watched)
    assert not loader.cache.blob(file).exists()
    kept = partial_size(loader.cache.blob(file), file)
    assert kept == SIZE - loader.missing_bytes(file) == part(loader, file).stat().st_size
    assert MODEL.startswith(part(loader, file).read_bytes())
    return kept


def spoil(path: Path, at: int) -> None:
    with path.open("r+b") as content:
        content.seek(at)
        wrong = bytes([content.read(1)[0] ^ 0xFF])
        content.seek(at)
        content.write(wrong)


def ranges(requests: list[Request]) -> list[str | None]:
    return [each.range for each in requests if each.origin == "cdn"]


ONE_ANSWER = manner(most_at_once=1 << 30)
