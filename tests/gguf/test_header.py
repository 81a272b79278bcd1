from itertools import pairwise

import numpy as np
import pytest
from support.gguf_bytes import (
    F64,
    I8,
    I64,
    STRING,
    U8,
    U64,
    BytesSource,
    Raw,
    Tensor,
    Value,
    array,
    gguf,
    model_metadata,
    model_tensors,
    number,
    string,
    strings,
)

from specchat.gguf.header import MAX_HEADER, read_header
from specchat.gguf.string_array import StringArray
from specchat.gguf.tensor_types import TENSOR_TYPES


@pytest.mark.parametrize("version", [2, 3])
def test_a_whole_header(version: int) -> None:
    source = BytesSource(gguf(model_metadata(), model_tensors(), version=version))
    header = read_header(source)
    assert header.version == version
    assert header.architecture == "llama"
    assert header.metadata["llama.embedding_length"] == 32
    assert [tensor.name for tensor in header.tensors] == [tensor.name for tensor in model_tensors()]
    embedding, norm, query = header.tensors
    assert (embedding.shape, embedding.type, embedding.offset, embedding.size) == ((32, 10), "F16", 0, 640)
    assert (norm.offset, norm.size, norm.n_values) == (640, 128, 32)
    assert (query.offset, query.size, query.n_values) == (768, 1088, 1024)
    assert header.data_offset + query.offset + query.size == source.size
    assert header.bytes_read == source.bytes_read


def test_every_kind_of_value() -> None:
    metadata: dict[str, Value] = {
        "u8": number(U8, 255),
        "i8": number(I8, -1),
        "u64": number(U64, 2**63),
        "i64": number(I64, -(2**62)),
        "f64": number(F64, 0.1),
        "f32": 0.5,
        "yes": True,
        "no": False,
        "text": "Grüße",
        "numbers": array(U64, [1, 2**63]),
        "flags": [True, False],
        "texts": ["a", "", "ü"],
        "none": strings([]),
    }
    header = read_header(BytesSource(gguf(metadata)))
    plain = {key: header.metadata[key] for key in list(metadata)[:9]}
    assert plain == {
        "u8": 255,
        "i8": -1,
        "u64": 2**63,
        "i64": -(2**62),
        "f64": 0.1,
        "f32": 0.5,
        "yes": True,
        "no": False,
        "text": "Grüße",
    }
    numbers, flags = header.metadata["numbers"], header.metadata["flags"]
    assert isinstance(numbers, np.ndarray)
    assert numbers.tolist() == [1, 2**63]
    assert isinstance(flags, np.ndarray)
    assert flags.tolist() == [True, False]
    texts, none = header.metadata["texts"], header.metadata["none"]
    assert isinstance(texts, StringArray)
    assert list(texts) == [b"a", b"", "ü".encode()]
    assert isinstance(none, StringArray)
    assert len(none) == 0


def test_a_text_that_is_not_utf8_is_still_shown() -> None:
    header = read_header(BytesSource(gguf({"general.name": Raw(STRING, string(b"na\xffme"))})))
    assert header.metadata["general.name"] == "na\ufffdme"


def test_tensors_of_every_type() -> None:
    tensors = [Tensor(packing.name, (packing.block_values * 2, 3), packing.name) for packing in TENSOR_TYPES.values()]
    header = read_header(BytesSource(gguf({}, tensors)))
    assert [tensor.size for tensor in header.tensors] == [6 * p.block_bytes for p in TENSOR_TYPES.values()]
    assert all(b.offset >= a.offset + a.size for a, b in pairwise(header.tensors))


@pytest.mark.parametrize("alignment", [1, 8, 64, 65536])
def test_alignment(alignment: int) -> None:
    metadata = {"general.alignment": alignment}
    header = read_header(BytesSource(gguf(metadata, [Tensor("a", (3,)), Tensor("b", (3,))], alignment=alignment)))
    assert header.data_offset % alignment == 0
    assert header.tensors[1].offset == {1: 12, 8: 16}.get(alignment, alignment)


def test_scalars_and_empty_tensors_have_a_size() -> None:
    header = read_header(BytesSource(gguf({}, [Tensor("scalar", ()), Tensor("empty", (0,)), Tensor("x", (2,))])))
    assert [tensor.size for tensor in header.tensors] == [4, 0, 8]


def test_weights_without_padding_at_the_end_are_complete() -> None:
    data = gguf({}, [Tensor("a", (3,))])
    assert len(read_header(BytesSource(data[:-20])).tensors) == 1


def test_a_part_of_a_split_model_needs_no_architecture() -> None:
    assert read_header(BytesSource(gguf({"split.no": 1, "split.count": 3}))).architecture is None


def test_a_large_vocabulary_takes_few_reads_and_stays_compact() -> None:
    n_tokens = 131_072
    metadata = model_metadata(
        {
            "tokenizer.ggml.model": "gpt2",
            "tokenizer.ggml.tokens": [b"token%d" % i for i in range(n_tokens)],
            "tokenizer.ggml.token_type": array(5, [1] * n_tokens),
            "tokenizer.ggml.scores": None,
            "tokenizer.ggml.merges": [b"t%d o%d" % (i, i) for i in range(200_000)],
        }
    )
    source = BytesSource(gguf(metadata) + bytes(50_000_000))
    header = read_header(source)
    tokens = header.metadata["tokenizer.ggml.tokens"]
    assert isinstance(tokens, StringArray)
    assert len(tokens) == n_tokens
    assert tokens[n_tokens - 1] == b"token131071"
    assert len(source.requests) <= 8
    assert header.bytes_read < 2 * header.data_offset
    assert header.bytes_read < MAX_HEADER
