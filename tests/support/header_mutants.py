"""Model files whose metadata is wrong on purpose, the same ones each time: the rest of them is whole.

`mutants` breaks files byte by byte; here values, types, lengths and kinds change, and all offsets stay right.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from support.gguf_writer import Value
from support.ggufs import ModelRecipe, make_model, metadata_of
from support.mutants import BAD_FLOATS, FLOATS, NUMBERS, ODD, TOKEN_IDS
from support.tokenizer_kinds import MODEL, NAMES, tokenizers
from support.vocabularies import SpmVocab

PREFIX = "tokenizer.ggml."
LISTS = ["tokens", "scores", "token_type", "merges"]
PRES = [
    "default",
    "gpt-2",
    "llama-bpe",
    "qwen2",
    "glm4",
    "tekken",
    "kimi-k2",
    "gemma4",
    "superbpe",
    "deepseek-v3",
    "no",
]
FLAGS = ["add_bos_token", "add_eos_token", "add_sep_token", "add_space_prefix", "remove_extra_whitespaces"]
TEXTS = ["", " ", "\0", "\\", "\\x", "\\x0", "\u2581", "<0x41>", "\ud7ff", "é", "a" * 999, "\u2581" * 6000]

Metadata = dict[str, Value | None]


@dataclass(frozen=True)
class Family:
    name: str
    recipe: ModelRecipe
    tokenizer: Mapping[str, Value | None]

    def metadata(self) -> Metadata:
        return metadata_of(self.recipe) | dict(self.tokenizer)

    def write(self, path: Path, metadata: Mapping[str, Value | None]) -> Path:
        """What stands in `metadata` alone is written."""
        absent = dict.fromkeys(metadata_of(self.recipe).keys() - metadata.keys())
        return make_model(path, self.recipe, absent | dict(metadata))


def families() -> list[Family]:
    """SentencePiece's kind, GPT-2's and RWKV's."""
    return [
        Family("llama", ModelRecipe(n_layer=2, vocab=SpmVocab()), tokenizers()["llama"]),
        Family("qwen2", ModelRecipe(n_layer=2, arch="qwen2", dtype="Q4_0"), tokenizers()["gpt2"]),
        Family("gemma3", ModelRecipe(n_layer=2, arch="gemma3"), tokenizers()["rwkv"]),
    ]


Mutation = Callable[[Metadata, Random], None]


def change_the_kind(metadata: Metadata, random: Random) -> None:
    metadata[MODEL] = random.choice([*NAMES, "nonsense"])


def change_the_splitting(metadata: Metadata, random: Random) -> None:
    metadata[f"{PREFIX}pre"] = random.choice(PRES)


def swap_the_lists(metadata: Metadata, random: Random) -> None:
    """Another family's, with the kind as it was."""
    other = random.choice([*tokenizers().values()])
    for name in LISTS:
        if random.random() < 0.7:
            metadata[PREFIX + name] = other.get(PREFIX + name)


def drop_a_key(metadata: Metadata, random: Random) -> None:
    metadata[random.choice([*metadata])] = None


def change_a_number(metadata: Metadata, random: Random) -> None:
    keys = [key for key in metadata if key.partition(".")[2] in NUMBERS]
    metadata[random.choice(keys or [f"{PREFIX}bos_token_id"])] = random.choice(ODD)


def change_a_float(metadata: Metadata, random: Random) -> None:
    keys = [key for key in metadata if key.partition(".")[2] in FLOATS]
    metadata[random.choice(keys or ["llama.rope.freq_base"])] = random.choice(
        [each for each in BAD_FLOATS if each < 1e30]
    )


def change_a_special_token(metadata: Metadata, random: Random) -> None:
    metadata[PREFIX + random.choice(TOKEN_IDS)] = random.choice([*ODD, random.randrange(1024)])


def change_a_flag(metadata: Metadata, random: Random) -> None:
    metadata[PREFIX + random.choice(FLAGS)] = random.random() < 0.5


def change_a_type(metadata: Metadata, random: Random) -> None:
    values: list[Value] = [1, -1, 0.5, True, "1", [1, 2], [0.5], ["a", "b"], [True]]
    metadata[random.choice([*metadata])] = random.choice(values)


def change_a_length(metadata: Metadata, random: Random) -> None:
    key, items = _list(metadata, random)
    if items:
        length = random.choice([1, len(items) // 2, len(items) - 1, len(items) + 1, 2 * len(items), 20 * len(items)])
        metadata[key] = (items * 20)[:length]


def shuffle_a_list(metadata: Metadata, random: Random) -> None:
    key, items = _list(metadata, random)
    metadata[key] = random.sample(items, len(items)) or None


def change_tokens(metadata: Metadata, random: Random) -> None:
    """A few or all, to texts that are odd in the eyes of one kind or another."""
    items = metadata.get(f"{PREFIX}tokens")
    if isinstance(items, list):
        share = random.choice([0.005, 1.0])
        metadata[f"{PREFIX}tokens"] = [
            f"{random.choice(TEXTS)}{i if share == 1.0 else ''}" if random.random() < share else text
            for i, text in enumerate(items)
        ]


def change_token_types(metadata: Metadata, random: Random) -> None:
    items = metadata.get(f"{PREFIX}token_type")
    if isinstance(items, list):
        share = random.choice([0.02, 1.0])
        kinds = random.choice([[6], [3], [4], [1, 2, 3, 4, 5, 6, 0, 99]])
        metadata[f"{PREFIX}token_type"] = [random.choice(kinds) if random.random() < share else kind for kind in items]


def add_characters_rules(metadata: Metadata, random: Random) -> None:
    metadata[f"{PREFIX}precompiled_charsmap"] = [random.randrange(256) for _ in range(random.choice([2, 8, 999]))]


MUTATIONS: Sequence[Mutation] = [
    change_the_kind,
    swap_the_lists,
    change_the_splitting,
    drop_a_key,
    change_a_number,
    change_a_float,
    change_a_special_token,
    change_a_flag,
    change_a_type,
    change_a_length,
    shuffle_a_list,
    change_tokens,
    change_token_types,
    add_characters_rules,
]


def write_mutant(path: Path, family: Family, seed: int) -> str:
    """Says what was done. Every mutation has its turn, then perhaps others."""
    random = Random(seed)
    done = [MUTATIONS[seed % len(MUTATIONS)], *random.sample(MUTATIONS, random.choice([0, 0, 1, 1, 2]))]
    metadata = family.metadata()
    for mutation in done:
        mutation(metadata, random)
    family.write(path, metadata)
    return "+".join(mutation.__name__ for mutation in done)


def _list(metadata: Metadata, random: Random) -> tuple[str, list[Any]]:
    keys = [PREFIX + name for name in LISTS if isinstance(metadata.get(PREFIX + name), list | tuple)]
    if not keys:
        return f"{PREFIX}tokens", []
    key = random.choice(keys)
    items = metadata[key]
    assert isinstance(items, list | tuple)
    return key, [*items]
