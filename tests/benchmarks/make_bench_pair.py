"""A large target and a small draft with random weights, for benchmarks that need no download."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.ggufs import ModelRecipe, make_model, quieten, weight_bytes
from support.vocabularies import BpeVocab

MB = 10**6


def main() -> None:
    options = _options()
    options.out_dir.mkdir(parents=True, exist_ok=True)
    shape = ModelRecipe(
        vocab=BpeVocab(size=options.vocab_size),
        dtype=options.dtype,
        n_embd=1024,
        n_head=16,
        n_head_kv=4,
        n_ff=2816,
        n_ctx=8192,
        name="Bench",
    )
    n_layer = max(layers_for(shape, options.size_mb * MB), options.draft_layers + 1)
    target = quieten(replace(shape, n_layer=n_layer), options.draft_layers, options.scale)
    draft = replace(shape, n_layer=options.draft_layers, name="Bench draft")
    for name, recipe in (("target.gguf", target), ("draft.gguf", draft)):
        path = make_model(options.out_dir / name, recipe)
        print(f"{path}: {path.stat().st_size / MB:.0f} MB, {recipe.n_layer} layers")


def layers_for(shape: ModelRecipe, size: int) -> int:
    one, two = (weight_bytes(replace(shape, n_layer=n)) for n in (1, 2))
    return 1 - (one - size) // (two - one)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out_dir", type=Path)
    parser.add_argument("--size-mb", type=int, default=300, help="the target has at least this size")
    parser.add_argument("--dtype", choices=["F16", "Q8_0", "Q4_0"], default="F16")
    parser.add_argument("--vocab-size", type=int, default=32000)
    parser.add_argument("--draft-layers", type=int, default=2)
    scale_help = "what the layers that the draft lacks add; 0: every guess holds"
    parser.add_argument("--scale", type=float, default=0.17, help=scale_help)
    return parser.parse_args()


if __name__ == "__main__":
    main()
