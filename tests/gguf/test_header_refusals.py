import struct
import tracemalloc

import pytest
from support.gguf_bytes import (
    ARRAY,
    F32,
    STRING,
    U32,
    BytesSource,
    Raw,
    Tensor,
    Value,
    array,
    gguf,
    model_metadata,
    model_tensors,
    string,
    strings,
)

from specchat.domain.errors import ModelFileError
from specchat.gguf.foreign_formats import not_gguf_error
from specchat.gguf.header import MAX_HEADER, read_header

WEB_PAGE = b"<!DOCTYPE html><html><body>Log in</body></html>"
SAFETENSORS = struct.pack("<Q", 40) + b'{"weight":{"dtype":"F16"}}'


def refusal(data: bytes) -> ModelFileError:
    with pytest.raises(ModelFileError) as caught:
        read_header(BytesSource(data))
    assert caught.value.hint
    assert len(caught.value.message) < 250
    return caught.value


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (SAFETENSORS, "safetensors"),
        (b"PK\x03\x04archive/data.pkl", "PyTorch"),
        (b"PK\x03\x04".ljust(30) + b"[Content_Types].xml", "document"),
        (b"%PDF-1.7", "document"),
        (b"\x80\x02}q\x00", "pickle"),
        (b"\x80\x04\x95", "pickle"),
        (WEB_PAGE, "web page"),
        (b"\n\n  <html lang=en>", "web page"),
        (b"<?xml version='1.0'?><Error>AccessDenied</Error>", "XML"),
        (b'{"error": "Repository not found"}', "JSON"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00", "Git LFS"),
        (b"lmgg\x01\x00\x00\x00", "older ggml format"),
        (b"fmgg\x01\x00\x00\x00", "older ggml format"),
        (b"tjgg\x03\x00\x00\x00", "older ggml format"),
        (b"algg\x01\x00\x00\x00", "older ggml format"),
        (b"\x1f\x8b\x08\x00", "compressed"),
        (bytes(4096), "never finished"),
        (b"Hello, world", "is not a GGUF model"),
        (b"G", "is not a GGUF model"),
    ],
)
def test_other_files_are_called_what_they_are(start: bytes, message: str) -> None:
    error = refusal(start)
    assert error.message.startswith("model.gguf ")
    assert message in error.message


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("model.gguf", "Choose another file. This one is damaged. If you downloaded it, download it again."),
        ("notes.txt", "Choose a .gguf file."),
    ],
)
def test_what_to_do_about_something_unknown(name: str, hint: str) -> None:
    assert not_gguf_error(name, b"\xde\xad\xbe\xef").hint == hint


def test_an_empty_file() -> None:
    assert refusal(b"").message == "model.gguf is empty."


@pytest.mark.parametrize(
    ("version", "message"),
    [(0, "version 0"), (1, "version 1"), (4, "version 4"), (3 << 24, "big-endian"), (2 << 24, "big-endian")],
)
def test_versions(version: int, message: str) -> None:
    assert message in refusal(gguf({}, version=version)).message


def test_a_magic_the_wrong_way_round() -> None:
    assert "big-endian" in refusal(b"FUGG" + bytes(20)).message


def test_fifty_bytes_that_claim_a_list_without_end() -> None:
    data = gguf({"ke": array(STRING, [], claimed=2**63)})
    assert len(data) == 50
    assert f"claims to have {2**63} values" in refusal(data).message


@pytest.mark.parametrize("kind", [U32, STRING])
def test_claims_cost_no_memory(kind: int) -> None:
    data = gguf({"key": array(kind, [], claimed=4 * 1024 * 1024)})
    tracemalloc.start()
    try:
        assert "incomplete" in refusal(data).message
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_huge_size_promised_by_the_source_costs_no_memory() -> None:
    data = gguf({"key": array(U32, [], claimed=4 * 1024 * 1024)})
    source = BytesSource(data, size=2**50)
    with pytest.raises(ModelFileError, match="incomplete"):
        read_header(source)
    assert source.bytes_read == len(data)


def test_a_header_beyond_the_limit() -> None:
    long_text = Raw(STRING, struct.pack("<Q", 15 << 20) + bytes(15 << 20))
    data = gguf({f"key{i}": long_text for i in range(5)})
    assert f"longer than {MAX_HEADER}" in refusal(data).message


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"key": Raw(STRING, struct.pack("<Q", 2**40))}, "a string of 1099511627776 bytes"),
        ({"key": Raw(STRING, struct.pack("<Q", 500))}, "incomplete"),
        ({"k" * 1025: 1}, "a string of 1025 bytes"),
        ({"": 1}, "a key without a name"),
        ({"key": array(ARRAY, [], claimed=2)}, "list of lists"),
        ({"key": array(13, [], claimed=2)}, "unknown type: 13"),
        ({"key": Raw(13, b"")}, "unknown type: 13"),
        ({"key": Raw(2**32 - 1, b"")}, "unknown type:"),
        ({"key": array(F32, [1.0], claimed=3)}, "incomplete"),
        ({"key": strings(["a"], claimed=3)}, "incomplete"),
        ({"general.alignment": 0}, "general.alignment is 0"),
        ({"general.alignment": 48}, "general.alignment is 48"),
        ({"general.alignment": 131072}, "general.alignment is 131072"),
        ({"general.alignment": "32"}, "general.alignment is not an integer"),
        ({"general.architecture": 7}, "general.architecture is not a string"),
        ({"general.architecture": "../llama"}, "general.architecture is not a name"),
        ({"general.architecture": ""}, "general.architecture is not a name"),
    ],
)
def test_keys_and_values(metadata: dict[str, Value], message: str) -> None:
    assert message in refusal(gguf(metadata)).message


def test_a_key_that_is_not_text() -> None:
    assert "a key that is not text" in refusal(gguf({}, n_keys=1, extra=string(b"\xff\xfe"))).message


def test_a_key_twice() -> None:
    data = gguf({"first": 1, "other": 2}).replace(b"other", b"first")
    assert "the key first appears twice" in refusal(data).message


def test_messages_hold_nothing_that_moves_a_cursor() -> None:
    message = refusal(gguf({"\x1b[2J\n": Raw(99, b"")})).message
    assert message.isprintable()


@pytest.mark.parametrize(
    ("n_keys", "n_tensors", "message"),
    [
        (5000, 0, "claims to have 5000 keys"),
        (2**64 - 1, 0, "keys"),
        (0, 70_000, "claims to have 70000 tensors"),
        (0, 2**63, "tensors"),
        (1, 0, "incomplete"),
        (0, 1, "incomplete"),
    ],
)
def test_counts(n_keys: int, n_tensors: int, message: str) -> None:
    assert message in refusal(gguf({}, n_keys=n_keys, n_tensors=n_tensors)).message


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ([Tensor("a"), Tensor("a")], "the tensor a appears twice"),
        ([Tensor("a" * 64)], "a string of 64 bytes"),
        ([Tensor("a", (1,) * 5)], "has 5 dimensions"),
        ([Tensor("a", (-1, 4))], "negative dimension"),
        ([Tensor("a", type=4)], "unknown type: 4"),
        ([Tensor("a", type=31)], "unknown type: 31"),
        ([Tensor("a", type=43)], "unknown type: 43"),
        ([Tensor("a", (33, 2), "Q4_0")], "rows of 33 values, which Q4_0 can't store"),
        ([Tensor("a", (32, 8), "Q4_K")], "rows of 32 values, which Q4_K can't store"),
        ([Tensor("a", offset=32)], "wrong offset"),
        ([Tensor("a"), Tensor("b", offset=0)], "wrong offset"),
        ([Tensor("a", (3,)), Tensor("b", offset=12)], "wrong offset"),
        ([Tensor("a"), Tensor("b", offset=2**63)], "wrong offset"),
    ],
)
def test_tensors(tensors: list[Tensor], message: str) -> None:
    assert message in refusal(gguf({}, tensors)).message


def test_a_tensor_larger_than_any_disk() -> None:
    huge = 2**63 - 1
    data = gguf({}, [Tensor("a", (2, 2))]).replace(struct.pack("<qq", 2, 2), struct.pack("<qq", huge, huge))
    assert "incomplete" in refusal(data).message


def test_weights_that_are_cut_off() -> None:
    data = gguf(model_metadata(), model_tensors())
    error = refusal(data[:-100])
    assert error.message == f"model.gguf is incomplete: it has {len(data) - 100:,} of {len(data):,} bytes."
    assert error.hint == "Download the file again."


def test_a_header_cut_off_anywhere() -> None:
    data = gguf(model_metadata(), model_tensors())
    for length in range(4, len(data), 7):
        assert "incomplete" in refusal(data[:length]).message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"llama.block_count": 0}, "llama.block_count is 0"),
        ({"llama.block_count": 513}, "llama.block_count is 513"),
        ({"llama.block_count": 2.0}, "not an integer"),
        ({"llama.block_count": True}, "not an integer"),
        ({"llama.embedding_length": 2**21}, "llama.embedding_length"),
        ({"llama.context_length": 0}, "llama.context_length"),
        ({"llama.context_length": -1}, "llama.context_length"),
        ({"llama.vocab_size": 2**31}, "llama.vocab_size"),
        ({"llama.expert_count": 5000}, "llama.expert_count"),
        ({"llama.attention.head_count": 2**20}, "llama.attention.head_count"),
        ({"llama.attention.head_count_kv": [2, -2]}, "llama.attention.head_count_kv is -2"),
        ({"llama.attention.head_count_kv": [2, 2, 2]}, "3 values for 2 layers"),
        ({"llama.attention.head_count_kv": [0.5, 0.5]}, "not a list of integers"),
        ({"llama.feed_forward_length": "wide"}, "not a list of integers"),
        ({"llama.nextn_predict_layers": 3}, "more MTP layers"),
    ],
)
def test_hyperparameters(changes: dict[str, Value], message: str) -> None:
    assert message in refusal(gguf(model_metadata(changes))).message
