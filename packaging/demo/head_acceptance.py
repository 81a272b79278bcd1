"""How many guesses the demo target accepts of each drafter, counted at temperature 0 through llama.cpp's low-level API.

python packaging/demo/head_acceptance.py DRAFTER.gguf... [--target FILE] [--lengths 4 7] [--questions | --prompts]

A file with an MTP layer is its own target.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from conversations import Conversation
from evaluate import HERE, LONGEST_ANSWER, RESOURCES
from llama_heads import LlamaBlockHead, LlamaDrafter, Target, has_next_token_layer, load_drafter
from read_back import read_model
from tokenizer import ChatTokenizer


@dataclass(slots=True)
class Count:
    passes: int = 0
    guessed: int = 0
    accepted: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(self.passes + other.passes, self.guessed + other.guessed, self.accepted + other.accepted)


def questions() -> Iterator[tuple[str, str]]:
    for line in (HERE / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        yield "questions", json.loads(line)["question"]


def prompts() -> Iterator[tuple[str, str]]:
    for line in (HERE / "prompts.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        yield entry["category"], entry["prompt"]


def count(target: Target, drafter: LlamaDrafter, tokenizer: ChatTokenizer, text: str, n: int) -> Count:
    tokens = tokenizer.prompt(Conversation(((text, ""),)))
    target.clear()
    drafter.clear()
    logits, features = target.read(tokens, 0)
    drafter.catch_up(tokens, features, 0)
    counted, position = Count(), len(tokens)
    end = position + LONGEST_ANSWER
    token = int(logits[-1].argmax())
    while token != tokenizer.turn_end and position < end:
        guesses = drafter.guess(token, position, n)
        logits, features = target.read([token, *guesses], position)
        chosen = [int(row) for row in logits.argmax(1)]
        accepted = next((i for i, guess in enumerate(guesses) if guess != chosen[i]), n)
        if tokenizer.turn_end in guesses[:accepted]:
            accepted = guesses.index(tokenizer.turn_end)
        read = [token, *guesses[:accepted]]
        target.remove(position + len(read))
        drafter.catch_up(read, features[: len(read)], position)
        counted += Count(1, n, accepted)
        position += len(read)
        token = chosen[accepted]
    return counted


def _counts(
    target: Target, drafter: LlamaDrafter, tokenizer: ChatTokenizer, asked: Sequence[tuple[str, str]], n: int
) -> dict[str, Count]:
    by_category: dict[str, Count] = {}
    for category, text in asked:
        by_category[category] = by_category.get(category, Count()) + count(target, drafter, tokenizer, text, n)
    by_category["all"] = sum(by_category.values(), Count())
    return by_category


def main() -> None:
    options = _options()
    asked = [*questions()] if options.questions else [*prompts()] if options.prompts else [*questions(), *prompts()]
    _, tokenizer = read_model(options.target)
    print("| drafter | guesses | prompts | accepted | accepted a pass | tokens a pass |")
    print("| --- | --- | --- | --- | --- | --- |")
    for file in options.drafters:
        target = Target(file if has_next_token_layer(file) else options.target)
        drafter = load_drafter(file, target)
        for n in options.lengths:
            if isinstance(drafter, LlamaBlockHead) and n > drafter.n_guesses:
                continue
            for category, one in _counts(target, drafter, tokenizer, asked, n).items():
                a_pass = one.accepted / one.passes
                rate = one.accepted / one.guessed
                print(f"| {file.stem} | {n} | {category} | {rate:.1%} | {a_pass:.2f} | {a_pass + 1:.2f} |", flush=True)
        drafter.close()
        target.close()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("drafters", nargs="+", type=Path)
    parser.add_argument("--target", type=Path, default=RESOURCES / "demo-target.gguf")
    parser.add_argument("--lengths", nargs="+", type=int, default=[4, 7])
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--questions", action="store_true", help="only the 40 questions")
    which.add_argument("--prompts", action="store_true", help="only the prompts that the model card measures")
    return parser.parse_args()


if __name__ == "__main__":
    main()
