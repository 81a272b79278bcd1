"""Train drafter heads for the demo target: DSpark, DFlash and EAGLE-3, each as a GGUF file beside it.

python packaging/demo/train_heads.py --grade-school FILE.jsonl [--heads dspark dflash eagle3 mtp] [--minutes M] [--toy]

The target's weights are read back from its GGUF file. Stop at any time; the same command goes on from the last
checkpoint in the work folder.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import torch
from check_heads import check_head
from data import Corpus, Document
from distil import answered, own_answers
from evaluate import RESOURCES
from export import Card
from export_heads import export_head, mask_token
from head_losses import block_loss, chain_loss
from heads import BlockHead, ChainHead, Head, HeadShape, NextTokenHead
from model import Shape, Transformer
from read_back import read_model
from tokenizer import ChatTokenizer
from torch import Tensor
from traces import HeadBatch, Traces, head_batches, kept_traces
from train import Plan, Training

ANSWER_TOKENS = 300_000
"""With their prompts."""
WRITTEN_TOKENS = 200_000
WRITTEN = {"guide": 0.75, "maths": 0.13, "code": 0.12}
"""Answers of the training text."""
LONGEST_WRITTEN = 400
TEMPERATURES = (0.0, 0.0, 0.8)
N_ANCHORS = 1_200_000
LEARNING_RATE = 2e-3
MEASURED_STATES = 20_000
SEED = 3


@dataclass(frozen=True, slots=True)
class HeadKind:
    card: Card
    make: Callable[[HeadShape], Head]
    n_block: int
    n_layer: int = 1
    n_head: int = 4
    own_file: bool = True
    """Otherwise the head becomes a layer of the target, and the file is a new target."""
    markov_rank: int = 0
    learns_from: str | None = None
    """Another head whose weights it begins with, where that is trained."""


KINDS = {
    "dspark": HeadKind(
        Card("specchat demo DSpark head", "Guesses a block of what the demo target says, from the target's states."),
        BlockHead,
        n_block=8,
        n_layer=2,
        markov_rank=64,
    ),
    "dflash": HeadKind(
        Card("specchat demo DFlash head", "Guesses a block of what the demo target says, from the target's states."),
        BlockHead,
        n_block=7,
        n_layer=2,
        learns_from="dspark",
    ),
    "eagle3": HeadKind(
        Card("specchat demo EAGLE-3 head", "Guesses what the demo target says, from the target's states."),
        ChainHead,
        n_block=5,
    ),
    "mtp": HeadKind(
        Card("specchat demo target with MTP", "The demo target with a layer of its own that guesses ahead."),
        NextTokenHead,
        n_block=4,
        n_head=6,
        own_file=False,
    ),
}


def head_shape(kind: HeadKind, target: Shape) -> HeadShape:
    """It reads three layers of the target: an early one, the middle, and the last, which is nearest to the answer."""
    last = target.n_layer - 1
    layers = (min(1, last - 2), (last + 1) // 2, last) if kind.own_file else (target.n_layer,)
    return HeadShape(
        target=target,
        target_layers=layers,
        n_layer=kind.n_layer,
        n_head=kind.n_head,
        n_head_kv=2,
        head_dim=target.head_dim,
        n_ff=512,
        n_block=kind.n_block,
        markov_rank=kind.markov_rank,
    )


def main() -> None:
    options = _options()
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(options.threads)
    target, tokenizer = read_model(options.target)
    for name in options.heads:
        layers = head_shape(KINDS[name], target.shape).target_layers
        file = options.work / f"head_traces.{'-'.join(map(str, layers))}.pt"
        traces = kept_traces(file, target, lambda: answers(options, target, tokenizer), layers)
        head = train_head(name, options, target, tokenizer, traces)
        finish_head(options.out / f"demo-{name}.gguf", name, head, options.target, target, tokenizer)


def answers(options: argparse.Namespace, target: Transformer, tokenizer: ChatTokenizer) -> list[Document]:
    corpus = Corpus(tokenizer, options.grade_school)
    n_tokens = 20_000 if options.toy else ANSWER_TOKENS
    own = own_answers(target, corpus, tokenizer, n_tokens, options.work / "head_answers.jsonl", TEMPERATURES)
    return own + written_answers(corpus, tokenizer, n_tokens * WRITTEN_TOKENS // ANSWER_TOKENS)


def written_answers(corpus: Corpus, tokenizer: ChatTokenizer, n_tokens: int) -> list[Document]:
    """Answers that the target learned, most of the guide's by heart."""
    rng = Random("written answers")
    drawing = {
        "guide": lambda: corpus.guide.draw(rng, n_topics=1),
        "maths": lambda: rng.choice(corpus.maths),
        "code": lambda: corpus.code_conversation(rng),
    }
    documents: list[Document] = []
    while n_tokens > 0:
        (kind,) = rng.choices(list(WRITTEN), list(WRITTEN.values()))
        conversation = drawing[kind]()
        document = answered(tokenizer.prompt(conversation), tokenizer.answer(conversation.turns[-1][1]))
        n_tokens -= len(document.tokens)
        if len(document.tokens) <= LONGEST_WRITTEN:
            documents.append(document)
    return documents


def train_head(
    name: str,
    options: argparse.Namespace,
    target: Transformer,
    tokenizer: ChatTokenizer,
    traces: Traces,
) -> Head:
    kind = KINDS[name]
    shape = head_shape(kind, target.shape)
    plan = Plan(2_000 if options.toy else N_ANCHORS, options.minutes, LEARNING_RATE)
    training = Training(name, options.work, lambda: _made(kind, shape, traces, options.work), plan)
    loss: Callable[[Head, HeadBatch], Tensor] = (
        block_loss(target, mask_token(tokenizer)) if kind.make is BlockHead else chain_loss(target)
    )
    return training.run(lambda round_: head_batches(traces, shape, SEED, round_), loss)


def finish_head(
    file: Path, name: str, head: Head, target_file: Path, target: Transformer, tokenizer: ChatTokenizer
) -> None:
    export_head(file, head, target, tokenizer, KINDS[name].card)
    beside = target_file if KINDS[name].own_file else file
    found = check_head(file, beside, head, target, tokenizer)
    print(
        f"{file}: {head.n_parameters / 1e6:.2f} M parameters, {file.stat().st_size / 1e6:.1f} MB, logits as in training"
        f" within {found.logits:.1%} of their spread, {found.same} of {found.compared} guesses the same"
    )


def _made(kind: HeadKind, shape: HeadShape, traces: Traces, work: Path) -> Head:
    head = kind.make(shape)
    if kind.own_file:
        head.measure(traces.features[:: max(1, len(traces.features) // MEASURED_STATES)].float())
    teacher = work / f"{kind.learns_from}.checkpoint.pt"
    if teacher.exists():
        known = torch.load(teacher, weights_only=True)["model"]
        head.load_state_dict({name: known[name] for name in head.state_dict()})
    return head


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grade-school", type=Path, required=True, metavar="FILE", help="GSM8K's train.jsonl (MIT)")
    parser.add_argument("--heads", nargs="+", choices=list(KINDS), default=["dspark", "dflash", "eagle3"])
    parser.add_argument("--minutes", type=float, default=600.0, help="at most, for each head")
    parser.add_argument("--target", type=Path, default=RESOURCES / "demo-target.gguf")
    parser.add_argument("--work", type=Path, default=Path("build/demo"), help="checkpoints (default: build/demo)")
    parser.add_argument("--out", type=Path, default=RESOURCES, help="default: resources")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--toy", action="store_true", help="few answers and little training, to try the chain")
    return parser.parse_args()


if __name__ == "__main__":
    main()
