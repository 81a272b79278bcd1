"""Heads that do not go together with their target, by the hundred: each is a sentence, and nothing aborts.

python tests/benchmarks/wrong_heads.py [--count 200] [--seed 1]

Heads of other families, widths, depths and kinds, MTP layers inside a target, headers with one value changed, files cut
off anywhere, with bytes turned over, or with weights that are no numbers. What loads all the same has to answer as
plain decoding does.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.choices import choice_of
from support.gguf_writer import Value
from support.ggufs import ModelRecipe, make_model
from support.heads import ASSISTANT, make_assistant, make_dflash, make_eagle3, make_mtp_sidecar
from support.medusa import write_safetensors
from support.pairs import GREEDY, collect

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ComputeError, UserError
from specchat.domain.types import GenerationRequest, ModelSettings, PairChoice
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

TARGETS = {
    "llama": ModelRecipe(),
    "qwen3": ModelRecipe(arch="qwen3"),
    "qwen35": ModelRecipe(arch="qwen35"),
    "qwen2": ModelRecipe(arch="qwen2"),
    "wide llama": ModelRecipe(n_embd=256),
    "deep qwen35": ModelRecipe(arch="qwen35", n_layer=6),
    "gemma4": ModelRecipe(arch="gemma4"),
}
Changes = dict[str, Value | None]


def make_medusa(path: Path, recipe: ModelRecipe, changes: Changes) -> Path:
    """Of random weights. `changes`: what the header says of a tensor."""
    dims, rng = recipe.dims(), np.random.default_rng(0)
    shapes: dict[str, tuple[int, ...]] = {}
    for head in range(2):
        shapes[f"{head}.0.linear.weight"] = dims.n_embd, dims.n_embd
        shapes[f"{head}.0.linear.bias"] = (dims.n_embd,)
        shapes[f"{head}.1.weight"] = dims.n_vocab, dims.n_embd
    tensors = {name: rng.normal(0, 0.05, shape).astype(np.float16) for name, shape in shapes.items()}
    return write_safetensors(path, tensors, {str(name): each for name, each in changes.items()})


def make_inside(path: Path, recipe: ModelRecipe, changes: Changes) -> Path:
    return make_model(path, replace(recipe, mtp_layers=1), changes)


MAKERS: dict[str, Callable[[Path, ModelRecipe, Changes], Path]] = {
    "eagle3": make_eagle3,
    "dflash": make_dflash,
    "dflash2": partial(make_dflash, selects=True),
    "dspark": partial(make_dflash, is_dspark=True),
    "mtp": make_mtp_sidecar,
    "mtp inside": make_inside,
    "assistant": make_assistant,
    "medusa": make_medusa,
}
ARCHITECTURES = {
    "dflash2": "dflash",
    "dspark": "dflash",
    "eagle3": "eagle3",
    "dflash": "dflash",
    "assistant": ASSISTANT,
}
MEDUSA_TENSORS = ("0.0.linear.weight", "0.0.linear.bias", "0.1.weight", "1.1.weight")
MEDUSA_CHANGES: tuple[Any, ...] = (
    {"dtype": "F32", "shape": [128, 128], "data_offsets": [0, 32768]},
    {"dtype": "I8", "shape": [2, 16384], "data_offsets": [0, 32768]},
    {"dtype": "F16", "shape": [1 << 40, 1 << 40], "data_offsets": [0, 1 << 61]},
    {"dtype": "F16", "shape": [-1, -16384], "data_offsets": [0, 32768]},
    {"dtype": "F16", "shape": [], "data_offsets": [0, 2]},
    {"dtype": ["F16"], "shape": {}, "data_offsets": None},
    None,
)
CHANGED: tuple[tuple[str, tuple[Value | None, ...]], ...] = (
    ("target_layers", ([0], [1, 1, 1], [-1, 2, 3], [1, 2, 3, 4], [1, 2, 99], None)),
    ("target_hidden_size", (1, 64, 100_000, None)),
    ("block_count", (0, 2, 7, None)),
    ("embedding_length", (64, 129, None)),
    ("attention.head_count", (1, 3, 8)),
    ("attention.head_count_kv", (1, 3, 4)),
    ("block_size", (0, 1, 3, 1000, -1)),
    ("nextn_predict_layers", (0, 2, 9)),
    ("rope.dimension_count", (2, 31, 64)),
    ("embedding_length_out", (1, 64, 256, 100_000)),
    ("conv_kernel_size", (0, 1, 2, 1000)),
    ("conv_group_size", (0, 1, 3, 4096)),
    ("selector_rank", (0, 1, 64)),
    ("selector_top_k", (0, 1, 999_999)),
    ("vocab_size", (1, 500, 1 << 31)),
    ("feed_forward_length", (0, 1, 1 << 20)),
)
POISONS = (float("nan"), float("inf"), 6e4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng, said, begun = random.Random(options.seed), Counter[str](), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(Path(folder), rng)
        for number in range(options.count):
            outcome = trial.once()
            said[outcome] += 1
            print(f"{number + 1:4} {trial.what}: {outcome}", flush=True)
    print(f"\n{options.count} heads in {time.monotonic() - begun:.0f} s, {len(said)} different sentences")
    for sentence, count in said.most_common():
        print(f"{count:4} {sentence}")


class Trial:
    def __init__(self, folder: Path, rng: random.Random) -> None:
        self._folder, self._rng = folder, rng
        self._targets = {name: make_model(folder / f"{name}.gguf", recipe) for name, recipe in TARGETS.items()}
        self._loader = PairLoader(JsonCache(folder / "passed.json"), JsonCache(folder / "selftests.json"))
        self.what = ""

    def once(self) -> str:
        kind, target = self._rng.choice(list(MAKERS)), self._rng.choice(list(TARGETS))
        made_for = target if self._rng.random() < 0.6 else self._rng.choice(list(TARGETS))
        recipe = TARGETS[made_for]
        if kind.startswith("mtp"):
            recipe = replace(recipe, arch="qwen35")
        elif kind == "assistant":
            recipe = replace(recipe, arch="gemma4")
        head, damage = self._damaged(kind, recipe)
        self.what = f"{kind} for {made_for} beside {target}, {damage}"
        files = (head, None) if kind == "mtp inside" else (self._targets[target], head)
        choice = replace(choice_of(*files), target_settings=ModelSettings(n_ctx=512), draft_max=4)
        if kind == "mtp inside":
            choice = replace(choice, draft_type="mtp")
        try:
            pair = self._loader.load(choice, CancelToken(), raw=True)
        except UserError as error:
            return f"{type(error).__name__}: {error.message}".replace(head.name, "HEAD")
        with closing(pair):
            try:
                return self._answers(pair, choice)
            except ComputeError as error:
                assert choice.draft is None, choice  # no head may spoil the answers of a whole target
                return f"loaded and fails: {error.message}"

    def _answers(self, pair: LoadedPair, choice: PairChoice) -> str:
        request = GenerationRequest(pair.prompts.tokenize("hello world, hello"), GREEDY, 24, ignore_eos=True)
        guessed = collect(pair.generate(request, CancelToken()))
        plain = collect(pair.generate(request, CancelToken(), pair.create_speculation("none", 0)))
        assert guessed.tokens == plain.tokens, choice
        return f"loaded and answers ({guessed.stats.speculation})"

    def _damaged(self, kind: str, recipe: ModelRecipe) -> tuple[Path, str]:
        rng, path = self._rng, self._folder / ("head.safetensors" if kind == "medusa" else "head.gguf")
        changes: Changes = {}
        how = rng.choice(("whole", "changed", "changed", "cut off", "bytes turned over", "poisoned"))
        if how == "changed":
            changes, how = self._changes(ARCHITECTURES.get(kind, recipe.arch)) if kind != "medusa" else self._lies()
        MAKERS[kind](path, recipe, changes)
        data = bytearray(path.read_bytes())
        if how == "cut off":
            del data[rng.randrange(len(data)) :]
        elif how == "bytes turned over":
            for _ in range(8):
                data[rng.randrange(len(data))] ^= 0xFF
        elif how == "poisoned":
            value = np.array([rng.choice(POISONS)], dtype=rng.choice(("<f2", "<f4"))).tobytes()
            begin = len(data) // 2 // len(value) * len(value)
            data[begin:] = (value * len(data))[: len(data) - begin]
        path.write_bytes(data)
        return path, how

    def _changes(self, architecture: str) -> tuple[Changes, str]:
        key, values = self._rng.choice(CHANGED)
        value = self._rng.choice(values)
        return {f"{architecture}.{key}": value}, f"{key} {value}"

    def _lies(self) -> tuple[Changes, str]:
        name, entry = self._rng.choice(MEDUSA_TENSORS), self._rng.choice(MEDUSA_CHANGES)
        return {name: entry}, f"{name} {entry}"


if __name__ == "__main__":
    main()
