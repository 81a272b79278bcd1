"""Averages demo pairs that were trained on from the same one: their mean answers better than each of them.

python packaging/demo/average.py FOLDER FOLDER... --out FOLDER
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import torch
from card import write_card
from check import check_logits, check_tokens
from evaluate import evaluate
from export import export
from make_demo import DRAFT_CARD, DRAFT_FILE, TARGET_CARD, TARGET_FILE
from model import Shape
from read_back import read_model


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pairs", type=Path, nargs="+", metavar="FOLDER", help="of a pair, with its losses")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    target = average([folder / TARGET_FILE for folder in options.pairs], options.out / TARGET_FILE)
    draft = average([folder / DRAFT_FILE for folder in options.pairs], options.out / DRAFT_FILE)
    evaluation = evaluate(options.out / TARGET_FILE, options.out / DRAFT_FILE)
    write_card(options.out, options.pairs, target, draft, evaluation)
    print(f"{evaluation.n_correct} of {len(evaluation.answers)} questions answered correctly")


def average(files: Sequence[Path], out: Path) -> Shape:
    models, tokenizers = zip(*map(read_model, files), strict=True)
    states = [model.state_dict() for model in models]
    mean = {name: torch.stack([state[name].float() for state in states]).mean(0) for name in states[0]}
    model, tokenizer = models[0], tokenizers[0]
    model.load_state_dict(mean)
    export(out, model, tokenizer, TARGET_CARD if out.name == TARGET_FILE else DRAFT_CARD)
    check_tokens(out, tokenizer)
    check_logits(out, model, tokenizer)
    shape: Shape = model.shape
    return shape


if __name__ == "__main__":
    main()
