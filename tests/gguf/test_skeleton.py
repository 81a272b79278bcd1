from pathlib import Path

import pytest
from support.gguf_bytes import BytesSource, gguf, model_metadata, model_tensors
from support.ggufs import make_model
from support.sparse import Shape, make_sparse_parts

from specchat.domain.errors import ModelFileError
from specchat.gguf.header import read_header
from specchat.gguf.placement import read_inventory
from specchat.gguf.skeleton import write_skeleton
from specchat.gguf.source import FileSource

SHAPE = Shape("llama", 1024, 256, 2, 4, 2, 512, n_merges=100)


def test_the_header_alone_in_a_file_of_full_size(tmp_path: Path) -> None:
    original = make_model(tmp_path / "model.gguf")
    length = read_header(FileSource(original)).data_offset
    with write_skeleton([FileSource(original)]) as path:
        copy = path.read_bytes()
        assert path.name == "model.gguf"
        assert copy[:length] == original.read_bytes()[:length]
        assert copy[length:] == bytes(original.stat().st_size - length)
        assert read_inventory(path) == read_inventory(original)
    assert not path.parent.exists()


def test_of_a_large_file_only_the_header_is_asked_for() -> None:
    data = gguf(model_metadata(), model_tensors())
    source = BytesSource(data, size=5 << 30)
    with write_skeleton([source]) as path:
        assert path.stat().st_size == 5 << 30
        assert path.stat().st_blocks * 512 < 1 << 20
    assert source.bytes_read <= 2 * len(data)


def test_parts_stand_side_by_side(tmp_path: Path) -> None:
    parts = make_sparse_parts(tmp_path, SHAPE, 3)
    with write_skeleton([FileSource(part) for part in parts]) as path:
        assert path.name == parts[0].name
        assert read_inventory(path) == read_inventory(parts[0])
        assert sorted(copy.stat().st_size for copy in path.parent.iterdir()) == sorted(
            part.stat().st_size for part in parts
        )


def test_what_has_no_sound_header_is_refused() -> None:
    with pytest.raises(ModelFileError), write_skeleton([BytesSource(b"<html>")]):
        pass
