"""Headers broken at random are either read or refused, soon and in little memory."""

import struct
import tracemalloc
from random import Random

import pytest
from support.gguf_bytes import BytesSource, Value, gguf, model_metadata, model_tensors, strings

from specchat.domain.errors import ModelFileError
from specchat.domain.types import VocabularyVerdict
from specchat.gguf.compatibility import compare_tokenizers
from specchat.gguf.header import read_header
from specchat.gguf.summary import ModelSummary, chat_template, summarise
from specchat.gguf.tokenizer import read_tokenizer

N_MUTANTS = 500
CHANGES: list[dict[str, Value | None]] = [
    {},
    {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "llama-bpe",
        "tokenizer.ggml.merges": strings(["a b", "ab c"]),
        "tokenizer.ggml.add_bos_token": True,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.chat_template": "{{ messages }}",
        "llama.attention.head_count_kv": [1, 2],
        "general.alignment": 64,
    },
    {"split.no": 0, "split.count": 2, "llama.nextn_predict_layers": 1},
]
ORIGINALS = [
    gguf(model_metadata(changes), model_tensors(), alignment=64 if "general.alignment" in changes else 32)
    for changes in CHANGES
]
HUGE = [2**63, 2**64 - 1, 2**32, 2**31 - 1, 2**24, 65536, 1000, 0]


def flip_bits(data: bytearray, random: Random) -> None:
    for _ in range(random.randint(1, 8)):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def cut_off(data: bytearray, random: Random) -> None:
    del data[random.randrange(len(data)) :]


def inflate_a_length(data: bytearray, random: Random) -> None:
    """Small 64-bit numbers are lengths, counts and offsets."""
    places = [place for place in range(8, len(data) - 8) if not any(data[place + 1 : place + 8])]
    struct.pack_into("<Q", data, random.choice(places), random.choice(HUGE))


def splice(data: bytearray, random: Random) -> None:
    other = random.choice(ORIGINALS)
    start, place = random.randrange(len(other)), random.randrange(len(data))
    data[place : place + random.randrange(64)] = other[start : start + random.randrange(64)]


def repeat_a_piece(data: bytearray, random: Random) -> None:
    start = random.randrange(len(data))
    data[start:start] = data[start : start + random.randrange(200)] * random.randint(1, 4)


MUTATIONS = [flip_bits, cut_off, inflate_a_length, splice, repeat_a_piece]


def mutants() -> list[bytes]:
    random = Random(20240607)
    broken = []
    for index in range(N_MUTANTS):
        data = bytearray(ORIGINALS[index % len(ORIGINALS)])
        for _ in range(random.randint(1, 3)):
            if len(data) > 200:
                MUTATIONS[random.randrange(len(MUTATIONS))](data, random)
        broken.append(bytes(data))
    return broken


def use(data: bytes) -> VocabularyVerdict:
    source = BytesSource(data)
    header = read_header(source)
    assert isinstance(summarise(header, source), ModelSummary)
    chat_template(header)
    tokenizer = read_tokenizer(header)
    original = read_tokenizer(read_header(BytesSource(ORIGINALS[0])))
    assert original is not None
    return compare_tokenizers(original, tokenizer or original).verdict


@pytest.mark.timeout(30)
def test_mutants_are_read_or_refused() -> None:
    broken = mutants()
    refusals: list[ModelFileError] = []
    tracemalloc.start()
    try:
        for data in broken:
            try:
                use(data)
            except ModelFileError as error:
                refusals.append(error)
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
    assert 200 < len(refusals) < N_MUTANTS - 20
    assert all(refusal.hint and refusal.message.isprintable() for refusal in refusals)
