"""Make the demo pair that ships with the program, from text alone.

python packaging/demo/make_demo.py --grade-school FILE.jsonl [--minutes M] [--draft-minutes M] [--work FOLDER] [--toy]

Stop it at any time; the same command goes on from the last checkpoint in the work folder, and starts anew where that
folder is gone. README.md tells what it makes and how long that takes.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import torch
from card import write_card
from check import check_logits, check_tokens
from data import SHARES, Corpus, batches, shares_of, texts
from distil import SHARE_OF_OWN_ANSWERS, distillation_loss, own_answers
from evaluate import RESOURCES, evaluate
from export import Card, export
from model import DRAFT, TARGET, TOY_DRAFT, TOY_TARGET, Shape, Transformer
from tokenizer import ChatTokenizer
from tokenizer import train as train_tokenizer
from train import Plan, Training, next_token_loss

TARGET_PLAN = Plan(n_tokens=11_000_000, minutes=600, learning_rate=1.5e-3)
DRAFT_PLAN = Plan(n_tokens=3_000_000, minutes=600, learning_rate=2e-3)
OWN_ANSWER_TOKENS = 200_000
SEED = 1

TARGET_CARD = Card("specchat demo target", "A tiny demo that answers questions about specchat; not an assistant.")
DRAFT_CARD = Card("specchat demo draft", "The draft of specchat's tiny demo: it guesses what the demo target says.")


@dataclass(frozen=True, slots=True)
class Sizes:
    target: Shape
    draft: Shape
    own_answer_tokens: int


FULL = Sizes(TARGET, DRAFT, OWN_ANSWER_TOKENS)
TOY = Sizes(TOY_TARGET, TOY_DRAFT, 8_000)


def main() -> None:
    options = _options()
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    sizes = TOY if options.toy else FULL
    tokenizer = _tokenizer(options.work, options.grade_school)
    corpus = Corpus(tokenizer, options.grade_school)
    target_file, draft_file = options.out / "demo-target.gguf", options.out / "demo-draft.gguf"

    target = train_target(options, sizes, corpus)
    _finish(target_file, target, tokenizer, TARGET_CARD)
    draft = train_draft(options, sizes, corpus, tokenizer, target)
    _finish(draft_file, draft, tokenizer, DRAFT_CARD)

    evaluation = evaluate(target_file, draft_file)
    write_card(options.out, options.work, target.shape, draft.shape, evaluation)
    print(f"{evaluation.n_correct} of {len(evaluation.answers)} questions answered correctly")


def train_target(options: argparse.Namespace, sizes: Sizes, corpus: Corpus) -> Transformer:
    plan = Plan(TARGET_PLAN.n_tokens, options.minutes or TARGET_PLAN.minutes, TARGET_PLAN.learning_rate)
    training = Training("target", options.work, lambda: Transformer(sizes.target), plan)
    return training.run(lambda round_: batches(corpus.sources, shares_of(round_), SEED, round_), next_token_loss)


def train_draft(
    options: argparse.Namespace, sizes: Sizes, corpus: Corpus, tokenizer: ChatTokenizer, target: Transformer
) -> Transformer:
    answers = own_answers(target, corpus, tokenizer, sizes.own_answer_tokens, options.work / "answers.jsonl")
    sources = corpus.sources | {"own answers": lambda rng: rng.choice(answers)}
    shares = {name: share * (1 - SHARE_OF_OWN_ANSWERS) for name, share in SHARES.items()}
    shares["own answers"] = SHARE_OF_OWN_ANSWERS
    plan = Plan(DRAFT_PLAN.n_tokens, options.draft_minutes or DRAFT_PLAN.minutes, DRAFT_PLAN.learning_rate)
    training = Training("draft", options.work, lambda: Transformer(sizes.draft), plan)
    return training.run(lambda round_: batches(sources, shares, SEED + 1, round_), distillation_loss(target))


def _tokenizer(work: Path, grade_school: Path) -> ChatTokenizer:
    file = work / "tokenizer.json"
    if not file.exists():
        train_tokenizer(texts(grade_school)).save(str(file))
    return ChatTokenizer.load(file)


def _finish(file: Path, model: Transformer, tokenizer: ChatTokenizer, card: Card) -> None:
    export(file, model, tokenizer, card)
    check_tokens(file, tokenizer)
    difference = check_logits(file, model, tokenizer)
    print(f"{file}: {file.stat().st_size / 1e6:.1f} MB, logits as in training within {difference:.1%} of their spread")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grade-school", type=Path, required=True, metavar="FILE", help="GSM8K's train.jsonl (MIT)")
    parser.add_argument("--minutes", type=float, help="at most, for the target (default: until all tokens are seen)")
    parser.add_argument("--draft-minutes", type=float, help="the same for the draft, its teacher's answers apart")
    parser.add_argument("--work", type=Path, default=Path("build/demo"), help="checkpoints (default: build/demo)")
    parser.add_argument("--out", type=Path, default=RESOURCES, help="default: resources")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--toy", action="store_true", help="tiny networks, to try the chain")
    return parser.parse_args()


if __name__ == "__main__":
    main()
