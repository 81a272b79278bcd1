"""Medusa files: what they hold, which targets they fit, and that broken ones are a sentence."""

import json
import struct
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from support.ggufs import ModelRecipe, make_model
from support.medusa import write_safetensors
from support.mutants import cut_off, flip_bits, lengthen, repeat_a_piece

from specchat.domain.errors import ModelFileError
from specchat.domain.heads import HeadKind
from specchat.domain.medusa import BF16, F16, F32
from specchat.domain.types import VocabularyVerdict
from specchat.gguf.files import compare_files, read_model
from specchat.gguf.header import read_header
from specchat.gguf.heads import read_head
from specchat.gguf.medusa import read_stored_heads
from specchat.gguf.safetensors import MAX_HEADER
from specchat.gguf.source import FileSource

Tensors = dict[str, NDArray[Any]]
NAME = "medusa_lm_head.safetensors"
WIDTH, N_VOCAB = 128, 1024
FILLED = np.zeros((N_VOCAB, WIDTH), dtype=np.float16)


def heads(n: int = 2, n_blocks: int = 1, prefix: str = "", *, outputs: bool = True) -> Tensors:
    found: Tensors = {}
    for head in range(n):
        for block in range(n_blocks):
            found[f"{prefix}{head}.{block}.linear.weight"] = np.zeros((WIDTH, WIDTH), dtype=np.float16)
            found[f"{prefix}{head}.{block}.linear.bias"] = np.zeros(WIDTH, dtype=np.float16)
        if outputs:
            found[f"{prefix}{head}.{n_blocks}.weight"] = FILLED
    return found


def vllm_heads() -> Tensors:
    square, line = np.zeros((WIDTH, WIDTH), dtype=np.float16), np.zeros(WIDTH, dtype=np.float16)
    return {
        "blocks.0.layers.0.weight": square,
        "blocks.0.layers.0.bias": line,
        "lm_heads.0.weight": FILLED,
    }


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("target") / "target.gguf", ModelRecipe())


@pytest.mark.parametrize(
    ("tensors", "n_heads", "n_blocks"),
    [
        (heads(), 2, 1),
        (heads(3, 2, "medusa_head."), 3, 2),
        (heads(1, 0), 1, 0),
        (heads(outputs=False), 2, 1),
        (vllm_heads(), 1, 1),
        ({**heads(), "lm_head.weight": FILLED}, 2, 1),
    ],
    ids=["original", "prefix and two blocks", "no blocks", "borrowed output", "vLLM", "beside other weights"],
)
def test_layouts_that_are_published(
    tensors: Tensors, n_heads: int, n_blocks: int, target: Path, tmp_path: Path
) -> None:
    file = write_safetensors(tmp_path / NAME, tensors)
    stored = read_stored_heads(file, target)
    assert [len(head.blocks) for head in stored.heads] == [n_blocks] * n_heads
    assert {(head.output.n_rows, head.output.n_columns) for head in stored.heads} == {(N_VOCAB, WIDTH)}
    has_outputs = any(values.shape == FILLED.shape for name, values in tensors.items() if name != "lm_head.weight")
    assert {head.output.path for head in stored.heads} == {file if has_outputs else target}
    found = read_head(read_header(FileSource(file)))
    assert found is not None
    assert (found.kind, found.is_own_file, found.target_width) == (HeadKind.MEDUSA, True, WIDTH)
    summary = read_model(file)
    assert (summary.draft_kind, summary.architecture, summary.problems) == ("medusa", "medusa", ())
    assert compare_files(target, file).verdict is VocabularyVerdict.COMPATIBLE


def test_places_and_types(target: Path, tmp_path: Path) -> None:
    """Whatever lies where, each matrix is found."""
    tensors = heads(1)
    tensors["0.0.linear.weight"] = np.arange(WIDTH * WIDTH, dtype=np.float32).reshape(WIDTH, WIDTH)
    tensors["0.1.weight"] = np.full((N_VOCAB, WIDTH), 7, dtype=np.uint16)
    file = write_safetensors(tmp_path / NAME, dict(reversed(tensors.items())))
    (head,) = read_stored_heads(file, target).heads
    (block,) = head.blocks
    assert block.bias is not None
    assert (block.weight.type, block.bias.type, head.output.type) == (F32, F16, BF16)
    data = file.read_bytes()
    at = block.weight.offset
    assert data[at : at + block.weight.size] == tensors["0.0.linear.weight"].tobytes()
    assert data[head.output.offset :][: head.output.size] == tensors["0.1.weight"].tobytes()


def test_a_target_without_an_output(tmp_path: Path) -> None:
    file = write_safetensors(tmp_path / NAME, heads(outputs=False))
    with pytest.raises(ModelFileError, match=r"output\.weight is missing"):
        read_stored_heads(file, write_safetensors(tmp_path / f"other_{NAME}", heads()))


def test_a_target_of_another_width(tmp_path: Path) -> None:
    file = write_safetensors(tmp_path / NAME, heads())
    found = compare_files(make_model(tmp_path / "other.gguf", ModelRecipe(n_embd=256)), file)
    assert found.verdict is VocabularyVerdict.INCOMPATIBLE
    assert "a hidden size of 128, but this one has 256" in found.reasons[0].message


def test_a_vocabulary_of_another_size(target: Path, tmp_path: Path) -> None:
    tensors = {name: values[:500] if values.shape == FILLED.shape else values for name, values in heads().items()}
    found = compare_files(target, write_safetensors(tmp_path / NAME, tensors))
    assert found.verdict is VocabularyVerdict.INCOMPATIBLE
    assert "a vocabulary of 500 tokens, but the target has 1,024" in found.reasons[0].message


def refusal(file: Path) -> ModelFileError:
    with pytest.raises(ModelFileError) as caught:
        read_header(FileSource(file))
    error = caught.value
    assert error.hint
    assert error.message.startswith(file.name)
    assert error.message.isprintable()
    assert len(error.message) < 250
    return error


def without(name: str) -> Tensors:
    return {key: values for key, values in heads().items() if key != name}


@pytest.mark.parametrize(
    ("tensors", "words"),
    [
        ({"model.embed_tokens.weight": FILLED}, "safetensors weights, not a GGUF model"),
        ({}, "safetensors weights, not a GGUF model"),
        (without("0.0.linear.weight"), "layers of head 0 are incomplete"),
        (without("0.1.weight"), "only some of its heads have an output"),
        ({**heads(1), "5.0.linear.weight": np.zeros((WIDTH, WIDTH), np.float16)}, "not numbered from 0"),
        ({**heads(), "1.1.weight": FILLED[:, :64].copy()}, "1.1.weight has an unexpected shape"),
        ({**heads(), "0.0.linear.bias": np.zeros(1, np.float16)}, "0.0.linear.bias has an unexpected shape"),
        ({**heads(), "medusa_head.1.1.weight": FILLED}, "two output matrices"),
        ({**heads(), **heads(1, prefix="medusa_head.", outputs=False)}, "0.0.linear.weight appears twice"),
    ],
)
def test_what_is_no_medusa_file(tensors: Tensors, words: str, tmp_path: Path) -> None:
    assert words in refusal(write_safetensors(tmp_path / NAME, tensors)).message


def entry(**changes: object) -> Mapping[str, object]:
    of_matrix = {"dtype": "F16", "shape": [N_VOCAB, WIDTH], "data_offsets": [0, FILLED.nbytes]}
    return {"0.0.weight": {key: value for key, value in {**of_matrix, **changes}.items() if value is not None}}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (entry(dtype="F8_E9"), "unknown type: F8_E9"),
        (entry(dtype="I16"), "stored as I16"),
        (entry(dtype=3), "is invalid"),
        (entry(shape=[N_VOCAB, -WIDTH]), "is invalid"),
        (entry(shape=[N_VOCAB, 1.0]), "is invalid"),
        (entry(shape=[True, WIDTH]), "is invalid"),
        (entry(shape="big"), "is invalid"),
        (entry(shape=[2**61, 2**61]), "doesn't match its shape"),
        (entry(shape=[1] * 9), "is invalid"),
        (entry(shape=None), "is invalid"),
        (entry(data_offsets=[0, 10]), "doesn't match its shape"),
        (entry(data_offsets=[FILLED.nbytes, 0]), "doesn't match its shape"),
        (entry(data_offsets=[64, 64 + FILLED.nbytes]), "wrong offset"),
        ({"0.0.weight": []}, "is invalid"),
        ({**entry(), "1.0.weight": entry()["0.0.weight"]}, "wrong offset"),
        (
            {**entry(), "1.0.weight": entry(data_offsets=[2**40, 2**40 + FILLED.nbytes])["0.0.weight"]},
            "offset",
        ),
    ],
)
def test_headers_that_contradict_themselves(changes: Mapping[str, Any], words: str, tmp_path: Path) -> None:
    assert words in refusal(write_safetensors(tmp_path / NAME, {"0.0.weight": FILLED}, changes)).message


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (struct.pack("<Q", 2**63) + b'{"', "longer than"),
        (struct.pack("<Q", MAX_HEADER + 1) + b'{"', "longer than"),
        (struct.pack("<Q", 4000) + b'{"', "incomplete"),
        (struct.pack("<Q", 100_000) + b"{" * 100_000, "not valid JSON"),
        (struct.pack("<Q", 100_001) + b"{" + b"[" * 100_000, "not valid JSON"),
        (struct.pack("<Q", 11) + b'{"a":NaN}  ', "not valid JSON"),
        (struct.pack("<Q", 5006) + b'{"a":' + b"9" * 5000 + b"}", "not valid JSON"),
        (struct.pack("<Q", 4) + b'{"\xff"', "not valid JSON"),
        (struct.pack("<Q", 13) + b'{"a":1,"a":1}', "the tensor a appears twice"),
        (struct.pack("<Q", 2) + b"{}tail", "4 bytes at its end belong to no tensor"),
        (b"\x02\0\0", "is not a GGUF model"),
    ],
)
def test_bytes_that_are_no_header(data: bytes, words: str, tmp_path: Path) -> None:
    file = tmp_path / NAME
    file.write_bytes(data)
    assert words in refusal(file).message


def change_a_number(data: bytearray, random: Random) -> None:
    digits = [place for place in range(8, _end(data)) if chr(data[place]).isdigit()]
    data[random.choice(digits)] = ord(random.choice("0123456789"))


def change_a_letter(data: bytearray, random: Random) -> None:
    data[random.randrange(8, _end(data))] = random.randrange(256)


def shift_an_offset(data: bytearray, random: Random) -> None:
    length = _end(data) - 8
    header = json.loads(data[8 : 8 + length])
    name = random.choice([name for name in header if name != "__metadata__"])
    place = random.choice([("data_offsets", 0), ("data_offsets", 1), ("shape", 0), ("shape", -1)])
    header[name][place[0]][place[1]] = random.choice([0, 1, -1, 2**31, 2**63, 2**64, 10**30, 1.5, None, "4", True, []])
    text = json.dumps(header).encode()
    data[: 8 + length] = struct.pack("<Q", len(text)) + text


def drop_a_tensor(data: bytearray, random: Random) -> None:
    length = _end(data) - 8
    header = json.loads(data[8 : 8 + length])
    del header[random.choice([name for name in header if name != "__metadata__"])]
    text = json.dumps(header).encode()
    data[: 8 + length] = struct.pack("<Q", len(text)) + text


def inflate_the_length(data: bytearray, random: Random) -> None:
    data[:8] = struct.pack("<Q", random.choice([0, 1, 9, 2**24, 2**32, 2**63, 2**64 - 1, random.randrange(10**6)]))


def _end(data: bytearray) -> int:
    return 8 + int(struct.unpack_from("<Q", data)[0])


def _of_file(mutation: Callable[..., None]) -> Callable[[bytearray, Random], None]:
    return lambda data, random: mutation(data, None, random)


MUTATIONS: list[Callable[[bytearray, Random], None]] = [
    change_a_number,
    change_a_letter,
    shift_an_offset,
    drop_a_tensor,
    inflate_the_length,
    *map(_of_file, (flip_bits, cut_off, lengthen, repeat_a_piece)),
]


@pytest.mark.timeout(60)
def test_mutants_are_read_or_refused(target: Path, tmp_path: Path) -> None:
    """The same 135 broken files each time."""
    original = write_safetensors(tmp_path / "whole.safetensors", heads(2)).read_bytes()
    random, refusals = Random(20261126), list[ModelFileError]()
    tracemalloc.start()
    try:
        for index in range(135):
            data = bytearray(original)
            MUTATIONS[index % len(MUTATIONS)](data, random)
            file = tmp_path / NAME
            file.write_bytes(data)
            try:
                read_stored_heads(file, target)
                compare_files(target, file)
            except ModelFileError as error:
                refusals.append(error)
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()
    assert len(refusals) >= 60
    assert all(refusal.hint and refusal.message.isprintable() for refusal in refusals)


@pytest.mark.parametrize("start", [b"PK\x03\x04archive/data.pkl", b"\x80\x02}q\x00"])
def test_files_that_would_run_code_are_not_read(start: bytes, tmp_path: Path) -> None:
    file = tmp_path / "medusa_lm_head.pt"
    file.write_bytes(start + bytes(600))
    assert "can run code" in refusal(file).hint
