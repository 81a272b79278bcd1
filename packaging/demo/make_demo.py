"""Make the demo pair that ships with the program, from text alone.

python packaging/demo/make_demo.py --grade-school FILE.jsonl [--minutes M] [--draft-minutes M] [--work FOLDER] [--toy]

Stop it at any time; the same command goes on from the last checkpoint in the work folder, and starts anew where that
folder is gone. README.md tells what it makes and how long that takes. `--begin FOLDER` goes on from a pair that was
made before, `--begin resources` from the one that ships.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import torch
from card import write_card
from check import check_logits, check_tokens
from data import LATER_SHARES, SHARES, Corpus, batches, shares_of, texts
from distil import SHARE_OF_OWN_ANSWERS, distillation_loss, own_answers
from evaluate import RESOURCES, evaluate
from export import Card, export
from growth import deepened
from model import DRAFT, SHALLOW_TARGET, TARGET, TOY_DRAFT, TOY_SHALLOW_TARGET, TOY_TARGET, Shape, Transformer
from read_back import read_model
from tokenizer import ChatTokenizer
from tokenizer import train as train_tokenizer
from train import Plan, Training, next_token_loss

SHALLOW_TARGET_PLAN = Plan(n_tokens=11_000_000, minutes=600, learning_rate=1.5e-3)
TARGET_PLAN = Plan(n_tokens=3_000_000, minutes=600, learning_rate=8e-4)
DRAFT_PLAN = Plan(n_tokens=3_000_000, minutes=600, learning_rate=2e-3)
FURTHER_RATE = 0.5
"""Of the learning rate, for a pair that is trained further: at the whole rate it first loses what it had learned."""
OWN_ANSWER_TOKENS = 200_000
TARGET_FILE, DRAFT_FILE = "demo-target.gguf", "demo-draft.gguf"
SEED = 1

TARGET_CARD = Card("specchat demo target", "A tiny demo that answers questions about specchat; not an assistant.")
DRAFT_CARD = Card("specchat demo draft", "The draft of specchat's tiny demo: it guesses what the demo target says.")


@dataclass(frozen=True, slots=True)
class Sizes:
    shallow: Shape
    target: Shape
    draft: Shape
    own_answer_tokens: int


FULL = Sizes(SHALLOW_TARGET, TARGET, DRAFT, OWN_ANSWER_TOKENS)
TOY = Sizes(TOY_SHALLOW_TARGET, TOY_TARGET, TOY_DRAFT, 8_000)


def main() -> None:
    options = _options()
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    sizes = TOY if options.toy else FULL
    tokenizer = _tokenizer(options)
    corpus = Corpus(tokenizer, options.grade_school)
    target_file, draft_file = (options.out / name for name in (TARGET_FILE, DRAFT_FILE))

    target = train_target(options, sizes, corpus)
    _finish(target_file, target, tokenizer, TARGET_CARD)
    draft = train_draft(options, sizes, corpus, tokenizer, target)
    _finish(draft_file, draft, tokenizer, DRAFT_CARD)

    evaluation = evaluate(target_file, draft_file)
    write_card(options.out, [options.work], target.shape, draft.shape, evaluation)
    print(f"{evaluation.n_correct} of {len(evaluation.answers)} questions answered correctly")


def train_target(options: argparse.Namespace, sizes: Sizes, corpus: Corpus) -> Transformer:
    """First half as deep, which is fast; what that learned, the deep one goes on from."""
    plan = _plan(TARGET_PLAN, options, options.minutes)
    training = Training("target", options.work, partial(_deep_target, options, sizes, corpus), plan)
    return training.run(lambda round_: batches(corpus.sources, LATER_SHARES, SEED + 2, round_), next_token_loss)


def _deep_target(options: argparse.Namespace, sizes: Sizes, corpus: Corpus) -> Transformer:
    begun = _begun(options, TARGET_FILE) or train_shallow_target(options, sizes, corpus)
    return deepened(begun, sizes.target.n_layer)


def train_shallow_target(options: argparse.Namespace, sizes: Sizes, corpus: Corpus) -> Transformer:
    plan = _plan(SHALLOW_TARGET_PLAN, options, options.minutes)
    training = Training("shallow-target", options.work, lambda: Transformer(sizes.shallow), plan)
    return training.run(lambda round_: batches(corpus.sources, shares_of(round_), SEED, round_), next_token_loss)


def train_draft(
    options: argparse.Namespace, sizes: Sizes, corpus: Corpus, tokenizer: ChatTokenizer, target: Transformer
) -> Transformer:
    answers = own_answers(target, corpus, tokenizer, sizes.own_answer_tokens, options.work / "answers.jsonl")
    sources = corpus.sources | {"own answers": lambda rng: rng.choice(answers)}
    shares = {name: share * (1 - SHARE_OF_OWN_ANSWERS) for name, share in SHARES.items()}
    shares["own answers"] = SHARE_OF_OWN_ANSWERS
    plan = _plan(DRAFT_PLAN, options, options.draft_minutes)
    training = Training("draft", options.work, lambda: _begun(options, DRAFT_FILE) or Transformer(sizes.draft), plan)
    return training.run(lambda round_: batches(sources, shares, SEED + 1, round_), distillation_loss(target))


def _begun(options: argparse.Namespace, name: str) -> Transformer | None:
    return read_model(options.begin / name)[0].requires_grad_() if options.begin else None


def _tokenizer(options: argparse.Namespace) -> ChatTokenizer:
    if options.begin:
        return read_model(options.begin / TARGET_FILE)[1]
    file = options.work / "tokenizer.json"
    if not file.exists():
        train_tokenizer(texts(options.grade_school)).save(str(file))
    return ChatTokenizer.load(file)


def _plan(plan: Plan, options: argparse.Namespace, minutes: float | None) -> Plan:
    rate = plan.learning_rate * (FURTHER_RATE if options.begin else 1)
    return replace(plan, minutes=minutes or plan.minutes, learning_rate=rate)


def _finish(file: Path, model: Transformer, tokenizer: ChatTokenizer, card: Card) -> None:
    export(file, model, tokenizer, card)
    check_tokens(file, tokenizer)
    difference = check_logits(file, model, tokenizer)
    print(f"{file}: {file.stat().st_size / 1e6:.1f} MB, logits as in training within {difference:.1%} of their spread")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grade-school", type=Path, required=True, metavar="FILE", help="GSM8K's train.jsonl (MIT)")
    parser.add_argument(
        "--minutes", type=float, help="at most, for the target at each depth (default: until all tokens are seen)"
    )
    parser.add_argument("--draft-minutes", type=float, help="the same for the draft, its teacher's answers apart")
    parser.add_argument("--begin", type=Path, metavar="FOLDER", help="of a demo pair that is trained further")
    parser.add_argument("--work", type=Path, default=Path("build/demo"), help="checkpoints (default: build/demo)")
    parser.add_argument("--out", type=Path, default=RESOURCES, help="default: resources")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--toy", action="store_true", help="tiny networks, to try the chain")
    return parser.parse_args()


if __name__ == "__main__":
    main()
