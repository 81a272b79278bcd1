"""How many guesses are accepted of a draft with another vocabulary, beside the same draft with the target's.

python packaging/demo/other_vocabularies.py --grade-school FILE.jsonl --answers answers.jsonl [--tokens N]

`answers.jsonl` is what the demo target said while its draft was trained (in the work folder of `make_demo.py`). Each
draft learns as much text, from the text alone: with another vocabulary it cannot learn from the target's logits.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from corpora import standard_library
from data import SHARES, Corpus, Document, batches, texts
from distil import SHARE_OF_OWN_ANSWERS, answered
from evaluate import RESOURCES, acceptance
from export import Card, export
from make_demo import DRAFT_PLAN, SEED, TARGET_FILE
from model import DRAFT, Transformer
from read_back import read_model
from tokenizer import ChatTokenizer
from tokenizer import train as train_tokenizer
from train import Plan, Training, next_token_loss

from specchat.gguf.files import compare_files

OWN, SMALLER, STRANGE = "own", "smaller", "strange"


def main() -> None:
    options = _options()
    options.work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    target_file = RESOURCES / TARGET_FILE
    own = read_model(target_file)[1]
    answers = [json.loads(line) for line in options.answers.read_text(encoding="utf-8").splitlines()]
    print("| vocabulary | tokens | overlap | temperature | prompts | accepted | of own |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    n_tokens = 0
    rates = dict[tuple[str, float], float]()
    for name in (OWN, SMALLER, STRANGE):
        tokenizer = own if name == OWN else _tokenizer(name, options)
        draft_file = options.work / f"{name}.gguf"
        said = [answered(*(_translated(each, own, tokenizer) for each in answer)) for answer in answers]
        n_tokens = n_tokens or sum(len(document.tokens) for document in said)
        scale = sum(len(document.tokens) for document in said) / n_tokens
        _train(draft_file, tokenizer, said, int(scale * options.tokens), options)
        overlap = compare_files(target_file, draft_file).overlap
        for one in acceptance(target_file, draft_file):
            of_own = one.rate / rates.setdefault((one.category, one.temperature), one.rate)
            row = (name, tokenizer.size, f"{overlap:.0%}", one.temperature, one.category, f"{one.rate:.1%}")
            print("|", " | ".join(map(str, row)), f"| {of_own:.2f} |", flush=True)


def _train(
    file: Path, tokenizer: ChatTokenizer, said: list[Document], n_tokens: int, options: argparse.Namespace
) -> None:
    corpus = Corpus(tokenizer, options.grade_school)
    sources = corpus.sources | {"own answers": lambda rng: rng.choice(said)}
    shares = {name: share * (1 - SHARE_OF_OWN_ANSWERS) for name, share in SHARES.items()}
    shares["own answers"] = SHARE_OF_OWN_ANSWERS
    plan = Plan(n_tokens, minutes=600, learning_rate=DRAFT_PLAN.learning_rate)
    training = Training(file.stem, options.work, lambda: Transformer(replace(DRAFT, n_vocab=tokenizer.size)), plan)
    model = training.run(lambda round_: batches(sources, shares, SEED + 1, round_), next_token_loss)
    export(file, model, tokenizer, Card(f"specchat demo draft, {file.stem} vocabulary", "For a measurement."))


def _tokenizer(name: str, options: argparse.Namespace) -> ChatTokenizer:
    """Fewer tokens of the same texts, or as many of code alone."""
    file = options.work / f"{name}.json"
    if not file.exists():
        learned = train_tokenizer(texts(options.grade_school), 1536) if name == SMALLER else train_tokenizer(_code())
        learned.save(str(file))
    return ChatTokenizer.load(file)


def _code() -> Iterator[str]:
    return (function.source for function in standard_library()[::3])


def _translated(tokens: Sequence[int], own: ChatTokenizer, other: ChatTokenizer) -> list[int]:
    controls = dict(zip(_controls(own), _controls(other), strict=True))
    translated, run = list[int](), list[int]()
    for token in [*tokens, None]:
        if token is not None and token not in controls:
            run.append(token)
            continue
        translated += other.encode(own.decode(run))
        run = []
        if token is not None:
            translated.append(controls[token])
    return translated


def _controls(tokenizer: ChatTokenizer) -> tuple[int, int, int]:
    return tokenizer.end_of_text, tokenizer.turn_start, tokenizer.turn_end


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grade-school", type=Path, required=True, metavar="FILE", help="GSM8K's train.jsonl (MIT)")
    parser.add_argument("--answers", type=Path, required=True, metavar="FILE", help="what the demo target said")
    parser.add_argument(
        "--tokens", type=int, default=1_000_000, help="of the target, for each draft (default: 1,000,000)"
    )
    parser.add_argument("--work", type=Path, default=Path("build/vocabularies"), help="default: build/vocabularies")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    return parser.parse_args()


if __name__ == "__main__":
    main()
