"""Model files broken at random, the same ones each time."""

import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from support.gguf_bytes import BytesSource

from specchat.gguf.header import read_header

HUGE = [2**63, 2**64 - 1, 2**32, 2**31 - 1, 2**24, 65536, 1000, 0]
ODD = [0, 1, 2, 3, 5, 8, 16, 31, 64, 1024, 2**16, 2**20, 2**24, 2**31 - 1, 2**32 - 1]
NUMBERS = [
    "block_count",
    "context_length",
    "embedding_length",
    "feed_forward_length",
    "vocab_size",
    "attention.head_count",
    "attention.head_count_kv",
    "attention.key_length",
    "attention.value_length",
    "attention.sliding_window",
    "rope.dimension_count",
    "expert_count",
    "expert_used_count",
    "expert_feed_forward_length",
    "ssm.conv_kernel",
    "ssm.inner_size",
    "ssm.state_size",
    "ssm.time_step_rank",
    "ssm.group_count",
    "shortconv.l_cache",
    "full_attention_interval",
]
FLOATS = ["attention.layer_norm_rms_epsilon", "rope.freq_base"]
TOKEN_IDS = ["bos_token_id", "eos_token_id", "unknown_token_id", "padding_token_id"]
BAD_FLOATS = [0.0, -1.0, 1e30, float("inf"), float("-inf"), float("nan")]
TENSOR_TYPES = [*range(42), 99, 2**31]


@dataclass(frozen=True)
class Original:
    arch: str
    data: bytes
    tensors: tuple[str, ...]
    data_offset: int

    @classmethod
    def of(cls, data: bytes) -> "Original":
        header = read_header(BytesSource(data))
        assert header.architecture is not None
        return cls(header.architecture, data, tuple(tensor.name for tensor in header.tensors), header.data_offset)


Mutation = Callable[[bytearray, Original, Random], None]


def flip_bits(data: bytearray, _: Original, random: Random) -> None:
    for _bit in range(random.randint(1, 16)):
        data[random.randrange(len(data))] ^= 1 << random.randrange(8)


def flip_header_bits(data: bytearray, original: Original, random: Random) -> None:
    for _ in range(random.randint(1, 4)):
        data[random.randrange(min(len(data), original.data_offset))] ^= 1 << random.randrange(8)


def cut_off(data: bytearray, _: Original, random: Random) -> None:
    del data[random.randrange(len(data)) :]


def lengthen(data: bytearray, _: Original, random: Random) -> None:
    data += random.randbytes(random.randint(1, 4096))


def inflate_a_length(data: bytearray, original: Original, random: Random) -> None:
    """Small 64-bit numbers are lengths, counts and offsets."""
    end = min(original.data_offset, len(data) - 8)
    places = [place for place in range(8, end) if not any(data[place + 1 : place + 8])]
    if places:
        struct.pack_into("<Q", data, random.choice(places), random.choice(HUGE))


def splice(data: bytearray, original: Original, random: Random) -> None:
    length = random.randrange(1, 256)
    start, place = random.randrange(len(original.data)), random.randrange(len(data))
    piece = original.data[start : start + length]
    data[place : place + len(piece)] = piece


def repeat_a_piece(data: bytearray, _: Original, random: Random) -> None:
    start = random.randrange(len(data))
    data[start:start] = data[start : start + random.randrange(200)] * random.randint(1, 4)


def swap_tensors(data: bytearray, original: Original, random: Random) -> None:
    """Two names change places, or two offsets."""
    one, other = random.sample(original.tensors, 2)
    places = _info(data, one), _info(data, other)
    if random.random() < 0.5 and len(one) == len(other) and -1 not in places:
        for place, name in zip(places, (other, one), strict=True):
            data[place - len(name) : place] = name.encode()
        return
    offsets = [_offset_place(data, place) for place in places]
    if None not in offsets:
        first, second = (place for place in offsets if place is not None)
        data[first : first + 8], data[second : second + 8] = data[second : second + 8], data[first : first + 8]


def retype_a_tensor(data: bytearray, original: Original, random: Random) -> None:
    place = _offset_place(data, _info(data, random.choice(original.tensors)))
    if place is not None:
        struct.pack_into("<I", data, place - 4, random.choice(TENSOR_TYPES))


def change_a_number(data: bytearray, original: Original, random: Random) -> None:
    places = [place for name in NUMBERS if (place := _value(data, f"{original.arch}.{name}")) >= 0]
    if places:
        struct.pack_into("<I", data, random.choice(places) + 4, random.choice(ODD))


def change_a_float(data: bytearray, original: Original, random: Random) -> None:
    places = [place for name in FLOATS if (place := _value(data, f"{original.arch}.{name}")) >= 0]
    if places:
        struct.pack_into("<f", data, random.choice(places) + 4, random.choice(BAD_FLOATS))


def change_a_special_token(data: bytearray, _: Original, random: Random) -> None:
    places = [place for name in TOKEN_IDS if (place := _value(data, f"tokenizer.ggml.{name}")) >= 0]
    if places:
        struct.pack_into("<I", data, random.choice(places) + 4, random.choice([*ODD, random.randrange(1024)]))


def shuffle_strings(data: bytearray, _: Original, random: Random) -> None:
    key = random.choice(["tokenizer.ggml.tokens", "tokenizer.ggml.merges"])
    start, strings = _strings(data, key)
    first = random.randrange(len(strings)) if strings else 0
    some = strings[first : first + random.choice([2, 10, len(strings)])]
    place = start + sum(8 + len(string) for string in strings[:first])
    random.shuffle(some)
    shuffled = b"".join(struct.pack("<Q", len(string)) + string for string in some)
    data[place : place + len(shuffled)] = shuffled


def garble_tokens(data: bytearray, _: Original, random: Random) -> None:
    place, tokens = _strings(data, "tokenizer.ggml.tokens")
    for token in tokens:
        if random.random() < 0.05:
            data[place + 8 : place + 8 + len(token)] = random.randbytes(len(token))
        place += 8 + len(token)


def change_token_types(data: bytearray, _: Original, random: Random) -> None:
    place = _value(data, "tokenizer.ggml.token_type")
    if place < 0:
        return
    (count,) = struct.unpack_from("<Q", data, place + 8)
    share = random.choice([0.02, 1.0])
    for index in range(min(count, (len(data) - place - 16) // 4)):
        if random.random() < share:
            struct.pack_into("<i", data, place + 16 + 4 * index, random.choice([-1, 0, 1, 2, 3, 4, 5, 6, 7, 99]))


def poison_weights(data: bytearray, original: Original, random: Random) -> None:
    """As 16-bit and as 32-bit floats; at many places, or at every second of them."""
    code = random.choice("ef")
    value = random.choice([item for item in BAD_FLOATS if code == "f" or abs(item) != 1e30])
    size = struct.calcsize(code)
    places = range(original.data_offset, len(data) - size, size)
    step = random.choice([2, 1000])
    for place in random.sample(places, len(places) // step):
        struct.pack_into("<" + code, data, place, value)


MUTATIONS: Sequence[Mutation] = [
    flip_bits,
    flip_header_bits,
    cut_off,
    lengthen,
    inflate_a_length,
    splice,
    repeat_a_piece,
    swap_tensors,
    retype_a_tensor,
    change_a_number,
    change_a_float,
    change_a_special_token,
    shuffle_strings,
    garble_tokens,
    change_token_types,
    poison_weights,
]


def mutants(originals: Sequence[Original], count: int, seed: int, first: int = 0) -> Iterator[tuple[str, bytes]]:
    """With the names of what was done to each: every mutation in its turn from `first` on, then perhaps others."""
    random = Random(seed)
    for index in range(first, first + count):
        original = originals[index // len(MUTATIONS) % len(originals)]
        done = [MUTATIONS[index % len(MUTATIONS)], *random.sample(MUTATIONS, random.choice([0, 0, 0, 1, 2]))]
        data = bytearray(original.data)
        for mutation in done:
            if len(data) > 200:
                mutation(data, original, random)
        yield "+".join([original.arch, *(mutation.__name__ for mutation in done)]), bytes(data)


def _value(data: bytearray, key: str) -> int:
    """Where a key's value begins, with its type; -1: it has none."""
    raw = key.encode()
    place = data.find(struct.pack("<Q", len(raw)) + raw)
    return place if place < 0 else place + 8 + len(raw)


def _strings(data: bytearray, key: str) -> tuple[int, list[bytes]]:
    """Where the strings of an array begin, and what they are, as far as they make sense."""
    start = place = _value(data, key) + 16
    if start < 16 or start > len(data):
        return 0, []
    strings: list[bytes] = []
    (count,) = struct.unpack_from("<Q", data, place - 8)
    while len(strings) < count and place + 8 <= len(data):
        (length,) = struct.unpack_from("<Q", data, place)
        if place + 8 + length > len(data):
            break
        strings.append(bytes(data[place + 8 : place + 8 + length]))
        place += 8 + length
    return start, strings


def _info(data: bytearray, tensor: str) -> int:
    """Where what follows a tensor's name begins."""
    raw = tensor.encode()
    place = data.find(struct.pack("<Q", len(raw)) + raw)
    return place if place < 0 else place + 8 + len(raw)


def _offset_place(data: bytearray, info: int) -> int | None:
    """Behind the number of dimensions, the dimensions, and the type."""
    if info < 0 or info + 4 > len(data):
        return None
    (n_dimensions,) = struct.unpack_from("<I", data, info)
    place = info + 4 + 8 * n_dimensions + 4
    return place if place + 8 <= len(data) else None
