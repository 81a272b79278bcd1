"""What guessing from the text costs, and what it is worth: against the last words' latest place, a fixed lookup.

python tests/benchmarks/suffix_drafter.py
"""

import json
import re
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from statistics import median, quantiles

import numpy as np

from specchat.backends.llama_model import LlamaModel
from specchat.domain.types import ModelSettings
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.drafters.suffix_index import SuffixIndex
from specchat.engine.tokens import Tokens

ROOT = Path(__file__).parents[2]
REFERENCES = ROOT / "tests" / "benchmarks" / "references.jsonl"
WORKLOADS = ROOT / "resources" / "workloads.jsonl"
TARGET = ROOT / "resources" / "demo-target.gguf"
SIZES = (1_000, 32_000, 1_000_000)
BUDGET = 8
A_PASS = 3
"""Tokens that a pass yields, in the measurement of time."""
PROBES = 1000
WORD = re.compile(r" ?\w{1,8}|\s+|[^\w\s]")

Guess = Callable[[Tokens], Sequence[int]]


def main() -> None:
    text = library_source(max(SIZES) + A_PASS * PROBES)
    print(f"{len(text)} tokens of {len(set(text.tolist()))} kinds; microseconds")
    print(f"{'tokens':>9} {'built, each':>12} {'added, each':>12} {'guess':>8} {'99th of 100':>12} {'bytes each':>11}")
    for size in SIZES:
        print(f"{size:9} {bulk(text[:size]):12.3f} {added(text, size):12.3f}", end="")
        print("{:9.1f} {:12.1f}".format(*guessing(text, size)), f"{bytes_each(text[:size]):11.1f}")
    print(f"\ntokens a pass, with {BUDGET} guesses")
    for workload, talks in recorded().items():
        own, fixed = (tokens_a_pass(talks, make) for make in (suffix, lookup))
        print(f"{workload:>9}  ngram {own:.2f}  fixed lookup {fixed:.2f}")


# What it costs


def library_source(length: int) -> Tokens:
    kinds: dict[str, int] = {}
    words = (word for path in _library() for word in WORD.findall(path.read_text(encoding="utf-8", errors="replace")))
    return np.fromiter((kinds.setdefault(word, len(kinds)) for word in islice(words, length)), dtype=np.int32)


def _library() -> list[Path]:
    return sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py"))


def bulk(text: Tokens) -> float:
    return 1e6 * min(_timed(lambda: SuffixIndex().extend(text)) for _ in range(5)) / len(text)


def added(text: Tokens, size: int) -> float:
    def add(index: SuffixIndex) -> None:
        for start in range(size, size + A_PASS * PROBES, A_PASS):
            index.extend(text[start : start + A_PASS])

    def run() -> float:
        index = SuffixIndex(room=size + A_PASS * PROBES)
        index.extend(text[:size])
        return _timed(lambda: add(index))

    return 1e6 * min(run() for _ in range(3)) / (A_PASS * PROBES)


def guessing(text: Tokens, size: int) -> tuple[float, float]:
    """With what was said since, as at each pass; the median and what only one of a hundred exceeds."""
    drafter = SuffixDrafter()
    drafter.guess(text[:size], BUDGET)
    ends = range(size + A_PASS, size + A_PASS * PROBES, A_PASS)
    times = [1e6 * _timed(lambda end=end: drafter.guess(text[:end], BUDGET)) for end in ends]  # type: ignore[misc]
    return median(times), quantiles(times, n=100)[-1]


def bytes_each(text: Tokens) -> float:
    index = SuffixIndex()
    index.extend(text)
    arrays = (index._tokens, index._before_pair, index._before_four, index._last_pair, index._last_four)
    return sum(array.buffer_info()[1] * array.itemsize for array in arrays) / len(text)


def _timed(do: Callable[[], object]) -> float:
    started = time.thread_time()  # whatever else is running
    do()
    return time.thread_time() - started


# What it is worth


def recorded() -> dict[str, list[tuple[list[int], list[int]]]]:
    """Prompts and their answers, by workload."""
    answers, prompts = (list(_lines(path)) for path in (REFERENCES, WORKLOADS))
    with closing(LlamaModel(TARGET, ModelSettings(n_ctx=512))) as model:

        def tokens(text: str) -> list[int]:
            return model.vocabulary.tokenize(text, add_special=False, parse_special=False)

        return {
            workload: [
                (tokens(asked["prompt"] + "\n\n"), tokens(answered["reference"]))
                for asked, answered in zip(_of(workload, prompts), _of(workload, answers), strict=True)
            ]
            for workload in dict.fromkeys(answered["workload"] for answered in answers)
        }


def _lines(path: Path) -> Iterator[dict[str, str]]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())


def _of(workload: str, entries: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    return [entry for entry in entries if entry["workload"] == workload]


def tokens_a_pass(talks: Sequence[tuple[list[int], list[int]]], make: Callable[[], Guess]) -> float:
    passes = 0
    for prompt, answer in talks:
        guess, text = make(), np.array(prompt + answer, dtype=np.int32)
        at = len(prompt)
        while at < len(text):
            at += n_held(guess(text[:at]), text[at:].tolist()) + 1
            passes += 1
    return sum(len(answer) for _, answer in talks) / passes


def n_held(guesses: Sequence[int], answer: Sequence[int]) -> int:
    wrong = (i for i, (guess, token) in enumerate(zip(guesses, answer, strict=False)) if guess != token)
    return next(wrong, min(len(guesses), len(answer)))


def suffix() -> Guess:
    drafter = SuffixDrafter()
    return lambda text: drafter.guess(text, BUDGET).tokens


def lookup() -> Guess:
    return fixed_lookup


def fixed_lookup(text: Tokens) -> Sequence[int]:
    """What followed the latest earlier copy of the last three tokens, or else of the last two."""
    for size in (3, 2):
        start = _after_last(text, size)
        if start is not None:
            return [int(token) for token in text[start : start + BUDGET]]
    return []


def _after_last(tokens: Tokens, size: int) -> int | None:
    if len(tokens) <= size:
        return None
    ends = np.flatnonzero(tokens[size - 1 : -1] == tokens[-1])
    for back in range(1, size):
        ends = ends[tokens[ends + (size - 1 - back)] == tokens[-1 - back]]
    return int(ends[-1]) + size if len(ends) else None


if __name__ == "__main__":
    main()
