"""Heads that do not go together with their target, by the hundred: each is a sentence, and nothing aborts.

python tests/benchmarks/wrong_heads.py [--count 200] [--seed 1]

Heads of other families, widths, depths and kinds, headers with one value changed, files cut off anywhere or with bytes
turned over. What loads all the same has to answer as plain decoding does.
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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.choices import choice_of
from support.gguf_writer import Value
from support.ggufs import ModelRecipe, make_model
from support.heads import make_dflash, make_eagle3, make_mtp_sidecar
from support.pairs import GREEDY, collect

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
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
}
MAKERS: dict[str, Callable[[Path, ModelRecipe, dict[str, Value | None]], Path]] = {
    "eagle3": make_eagle3,
    "dflash": make_dflash,
    "mtp": make_mtp_sidecar,
}
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
)


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
        target, made_for = self._rng.choice(list(TARGETS)), self._rng.choice(list(TARGETS))
        kind = self._rng.choice(list(MAKERS))
        if kind == "mtp" or self._rng.random() < 0.6:
            made_for = target if self._rng.random() < 0.6 else made_for
        recipe = TARGETS[made_for] if kind != "mtp" else replace(TARGETS[made_for], arch="qwen35")
        head, damage = self._damaged(kind, recipe)
        self.what = f"{kind} for {made_for} beside {target}, {damage}"
        choice = replace(choice_of(self._targets[target], head), target_settings=ModelSettings(n_ctx=512), draft_max=4)
        try:
            pair = self._loader.load(choice, CancelToken(), raw=True)
        except UserError as error:
            return f"{type(error).__name__}: {error.message}".replace(head.name, "HEAD")
        with closing(pair):
            return self._answers(pair, choice)

    def _answers(self, pair: LoadedPair, choice: PairChoice) -> str:
        request = GenerationRequest(pair.prompts.tokenize("hello world, hello"), GREEDY, 24, ignore_eos=True)
        guessed = collect(pair.generate(request, CancelToken()))
        plain = collect(pair.generate(request, CancelToken(), pair.create_speculation("none", 0)))
        assert guessed.tokens == plain.tokens, choice
        return f"loaded and answers ({guessed.stats.speculation})"

    def _damaged(self, kind: str, recipe: ModelRecipe) -> tuple[Path, str]:
        rng, path = self._rng, self._folder / "head.gguf"
        architecture = recipe.arch if kind == "mtp" else kind
        changes: dict[str, Value | None] = {}
        how = rng.choice(("whole", "changed", "changed", "cut off", "bytes turned over"))
        if how == "changed":
            key, values = rng.choice(CHANGED)
            changes[f"{architecture}.{key}"] = value = rng.choice(values)
            how = f"{key} {value}"
        MAKERS[kind](path, recipe, changes)
        data = bytearray(path.read_bytes())
        if how == "cut off":
            del data[rng.randrange(len(data)) :]
        elif how == "bytes turned over":
            for _ in range(8):
                data[rng.randrange(len(data))] ^= 0xFF
        path.write_bytes(data)
        return path, how


if __name__ == "__main__":
    main()
