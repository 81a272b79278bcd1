"""Fits Medusa heads to a target's own answers, and counts how many of their guesses hold in others.

python tests/benchmarks/medusa_heads.py OUT [--target resources/demo-target.gguf] [--tokens 20000] [--heads 4]

OUT/medusa_lm_head.safetensors is for `specchat bench -md`. Questions are those that the demo was made with; the answers
that count are to the prompts of packaging/demo/evaluation. Plain numpy, some minutes on two cores.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.choices import choice_of
from support.gguf_reader import read_gguf
from support.medusa import Floats, write_safetensors
from support.pairs import load_pair

from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import OUTPUT_STATE, ModelSettings, PairChoice
from specchat.services.generation.loaded_pair import LoadedPair

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "packaging" / "demo"
CHAT_ML = "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n"
LONGEST, BATCH, EPOCHS, RATE = 120, 256, 12, 1e-3

Tokens = NDArray[np.int32]
Answer = tuple[Floats, Tokens]
"""States, and the tokens that were chosen from them."""


def questions() -> list[str]:
    lines = [line for file in sorted((DEMO / "text" / "guide").glob("*.txt")) for line in file.read_text().splitlines()]
    found = [re.split(r" \| ", line.removeprefix("Q: ")) for line in lines if line.startswith("Q: ")]
    return [question for asked in found for question in asked[:2]]


def held_out() -> list[str]:
    lines = (DEMO / "evaluation" / "prompts.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["prompt"] for line in lines]


def answers(pair: LoadedPair, asked: list[str]) -> Iterator[Answer]:
    target, cancel = pair.target, CancelToken()
    for question in asked:
        prompt = np.array(pair.prompts.tokenize(CHAT_ML.format(question)), dtype=np.int32)
        target.keep(0)
        target.evaluate(prompt[:-1], 0, cancel)
        tokens, states = [int(prompt[-1])], list[Floats]()
        while len(tokens) <= LONGEST and not target.is_end_token(tokens[-1]):
            logits = target.evaluate(np.array(tokens[-1:], dtype=np.int32), 1, cancel)
            assert target.states is not None
            states.append(target.states.rows(target.states.end - 1, target.states.end)[0].copy())
            tokens.append(int(logits[0].argmax()))
        yield np.stack(states), np.array(tokens[1:], dtype=np.int32)


class TrainedHead:
    """One residual block and an output matrix, which begins as its target's; by Adam on what followed."""

    def __init__(self, output: Floats) -> None:
        width = output.shape[1]
        self.weights: list[Floats] = [np.zeros((width, width), np.float32), np.zeros(width, np.float32), output.copy()]
        self._moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self._n_steps = 0

    def logits(self, states: Floats) -> Floats:
        return self._forward(states)[-1]

    def learn(self, states: Floats, following: Tokens, rate: float) -> None:
        change, gate, seen, logits = self._forward(states)
        error = np.exp(logits - logits.max(axis=1, keepdims=True))
        error /= error.sum(axis=1, keepdims=True)
        error[np.arange(len(following)), following] -= 1
        error /= len(following)
        back = (error @ self.weights[2]) * (gate + change * gate * (1 - gate))
        self._n_steps += 1
        for weight, moments, slope in zip(
            self.weights, self._moments, (back.T @ states, back.sum(axis=0), error.T @ seen), strict=True
        ):
            mean, spread = moments
            mean += 0.1 * (slope - mean)
            spread += 0.01 * (slope * slope - spread)
            corrected = np.sqrt(spread / (1 - 0.99**self._n_steps)) + 1e-8
            weight -= rate * mean / (1 - 0.9**self._n_steps) / corrected

    def _forward(self, states: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        change = states @ self.weights[0].T + self.weights[1]
        gate = 1 / (1 + np.exp(-change))
        seen = states + change * gate
        return change, gate, seen, seen @ self.weights[2].T


def examples(found: list[Answer], ahead: int) -> Answer:
    """State i chose token i: this head is to say the one after it, or a later one."""
    return (
        np.concatenate([states[: len(states) - ahead] for states, _ in found]),
        np.concatenate([tokens[ahead:] for _, tokens in found]),
    )


def train(found: list[Answer], ahead: int, output: Floats) -> TrainedHead:
    states, following = examples(found, ahead)
    rng = np.random.default_rng(ahead)
    head = TrainedHead(output)
    n_steps = EPOCHS * len(states) // BATCH
    for step in range(n_steps):
        rows = rng.integers(0, len(states), BATCH)
        head.learn(states[rows], following[rows], RATE * (1 - step / n_steps))
    return head


def report(heads: list[TrainedHead], found: list[Answer]) -> None:
    long = [(states, tokens) for states, tokens in found if len(tokens) > len(heads)]
    right = []
    for ahead, head in enumerate(heads, 1):
        held = [head.logits(states).argmax(axis=1)[:-ahead] == tokens[ahead:] for states, tokens in long]
        right.append(np.concatenate([each[: len(each) - len(heads) + ahead] for each in held]))
    together = np.cumprod(np.stack(right), axis=0)
    for i, alone in enumerate(right):
        print(f"head {i}: {alone.mean():.2f} right, {together[i].mean():.2f} with all before it")
    print(f"tokens per pass with all heads: {1 + together.sum(axis=0).mean():.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--target", type=Path, default=ROOT / "resources" / "demo-target.gguf")
    parser.add_argument("--tokens", type=int, default=20_000)
    parser.add_argument("--heads", type=int, default=4)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    choice: PairChoice = choice_of(arguments.target, None, ModelSettings(n_ctx=1024), draft_type="none")
    with closing(load_pair(arguments.out, choice)) as pair:
        pair.target.capture_layers([OUTPUT_STATE])
        learned = list[Answer]()
        asked = np.random.default_rng(0).permutation(questions()).tolist()
        for answer in answers(pair, asked):
            learned.append(answer)
            if sum(len(tokens) for _, tokens in learned) >= arguments.tokens:
                break
        print(f"{len(learned)} answers to learn from", flush=True)
        unseen = list(answers(pair, held_out()))
    tensors = read_gguf(arguments.target).tensors
    output = tensors.get("output.weight", tensors["token_embd.weight"])
    heads = [train(learned, ahead, output) for ahead in range(1, arguments.heads + 1)]
    report(heads, unseen)
    stored = dict[str, NDArray[np.float16]]()
    for i, head in enumerate(heads):
        names = (f"{i}.0.linear.weight", f"{i}.0.linear.bias", f"{i}.1.weight")
        stored |= {name: each.astype(np.float16) for name, each in zip(names, head.weights, strict=True)}
    print(write_safetensors(arguments.out / "medusa_lm_head.safetensors", stored))


if __name__ == "__main__":
    main()
