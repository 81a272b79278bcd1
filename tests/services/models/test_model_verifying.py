"""Right, damaged, or nobody can tell."""

from functools import partial
from pathlib import Path

import pytest
from support.gguf_bytes import Tensor, gguf
from support.model_homes import put_into_hub_cache, put_into_ollama, remote, small_model

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, ModelFileError
from specchat.domain.hub import RemoteFile
from specchat.services.models.demo_pair import demo_files
from specchat.services.models.model_verification import VerificationVerdict, verify_model

MODEL = small_model("Small", 5_000)
PARTS = {
    "big-00001-of-00002.gguf": small_model(changes={"split.no": 0, "split.count": 2}),
    "big-00002-of-00002.gguf": gguf({"split.no": 1, "split.count": 2}, [Tensor("blk.1.attn_q.weight", (32, 32))]),
}


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def tell(told: list[tuple[int, ...]], *progress: int) -> None:
    told.append(progress)


def verdict(path: Path, *published: RemoteFile) -> tuple[VerificationVerdict, str, Path | None]:
    found = verify_model(path, CancelToken(), published=published)
    return found.verdict, found.reason, found.file


def test_the_name_of_the_bytes_tells(tmp_path: Path) -> None:
    for place in (
        put_into_hub_cache(tmp_path / "hub", "a.gguf", MODEL),
        put_into_ollama(tmp_path / "ollama", "registry.ollama.ai/library/tiny/latest", MODEL),
    ):
        told: list[tuple[int, ...]] = []
        found = verify_model(place, CancelToken(), partial(tell, told))
        assert (found.verdict, told[-1]) == (VerificationVerdict.RIGHT, (len(MODEL), len(MODEL)))
        damage(place)
        assert verdict(place) == (
            VerificationVerdict.DAMAGED,
            f"{place.name} is damaged: it doesn't match its checksum.",
            place,
        )


def test_the_hub_tells(tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(MODEL)
    published = remote("Q8_0/a.gguf", MODEL)
    assert verdict(path, published)[0] is VerificationVerdict.RIGHT
    damage(path)
    assert verdict(path, published)[0] is VerificationVerdict.DAMAGED
    path.write_bytes(MODEL[:-1])
    size = len(MODEL)
    assert verdict(path, published)[1] == f"a.gguf is {size - 1} bytes but should be {size}."


def test_all_parts(tmp_path: Path) -> None:
    first, second = (put_into_hub_cache(tmp_path, name, data) for name, data in PARTS.items())
    assert verdict(first)[0] is VerificationVerdict.RIGHT
    damage(second)
    assert verdict(first)[::2] == (VerificationVerdict.DAMAGED, second)
    second.unlink()
    assert verdict(first) == (VerificationVerdict.DAMAGED, "big-00002-of-00002.gguf is missing.", second)


def test_without_a_checksum_the_header_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.gguf"
    path.write_bytes(MODEL)
    assert verdict(path) == (
        VerificationVerdict.UNKNOWN,
        "The header is valid. No checksum is known for this file.",
        None,
    )
    path.write_bytes(MODEL[:-10_000])
    assert verdict(path)[::2] == (VerificationVerdict.DAMAGED, path)
    assert "incomplete" in verdict(path)[1]


def test_what_may_not_be_read_is_not_called_damaged(tmp_path: Path) -> None:
    (folder := tmp_path / "a.gguf").mkdir()
    assert verdict(folder)[0] is VerificationVerdict.DAMAGED
    (link := tmp_path / "b.gguf").symlink_to("/proc/self/mem")  # its first byte cannot be read
    with pytest.raises(ModelFileError):
        verify_model(link, CancelToken())


def test_what_ships_with_the_program() -> None:
    for path in demo_files():
        assert verdict(path)[0] is VerificationVerdict.RIGHT


def test_it_can_be_stopped(tmp_path: Path) -> None:
    place, cancel = put_into_hub_cache(tmp_path, "a.gguf", MODEL), CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        verify_model(place, cancel)


def test_a_small_file_of_the_hub_has_no_checksum(tmp_path: Path) -> None:
    """Its bytes have a name, but not one that they determine."""
    from specchat.sources.hub_cache import HubCache

    cache, file = HubCache(tmp_path), RemoteFile("someone/small", "c" * 40, "a.gguf", len(MODEL), None)
    cache.blob(file).parent.mkdir(parents=True)
    cache.blob(file).write_bytes(MODEL)
    assert verdict(cache.install(file))[0] is VerificationVerdict.UNKNOWN
