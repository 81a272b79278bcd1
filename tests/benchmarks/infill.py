"""Gaps in real code, filled with guesses from the text around them and without: is it 1.3 times as fast, and in time?

python tests/benchmarks/infill.py TARGET [--edits 100] [--seed 1] [--json OUT]

Lines are cut out of Python's standard library; the answer is what stood there. The target computes every pass for real,
but recites that answer, so the figure is that of a model which writes the code as its authors did, on passes of this
target: it tells what the text around a gap is worth as a source of guesses, not how well some model fills gaps. There
is no draft. Plain and guessed answers take turns, behind the same prompt, which is read once. At last each edit is
asked once more with half of the time that it takes plain as its limit.
"""

import argparse
import ast
import json
import random
import sys
import sysconfig
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median, quantiles

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.text_alone import LONGEST, Reciting

from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask, TimeLimits
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import (
    GenerationEvent,
    GenerationFinished,
    GenerationRequest,
    GenerationStats,
    ModelSettings,
    SamplingParams,
    TokenEvent,
)
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.cost_measurement import measure_costs
from specchat.engine.costs import PassCosts
from specchat.engine.draft_sources import DraftSource
from specchat.engine.speculative import Generation, NoSpeculation, Speculation
from specchat.services.generation.early_end import generate_until_end

GREEDY = SamplingParams(temperature=0)
PLAIN = NoSpeculation(SpeculationOff.SWITCHED_OFF)
N_CTX = 4096
BEFORE, BEHIND, CHUNK = 96, 32, 64
"""Lines around the gap, and of each chunk of the rest of the module, about as llama.vim sends them."""
MOST_CHUNKS = 3
LEAST_LINES, MOST_LINES = 2, 10
"""Of a gap."""
LEAST_TOKENS, MOST_TOKENS = 12, 160


@dataclass(frozen=True)
class Edit:
    name: str
    before: str
    gap: str
    behind: str
    rest: Sequence[str]
    """Chunks of the same module, from elsewhere."""


@dataclass(frozen=True)
class Asked:
    """An edit in tokens; without the marks of gaps, which the target may not have."""

    prompt: tuple[int, ...]
    text: tuple[int, ...]
    """The same in the order of the text."""
    answer: tuple[int, ...]


@dataclass(frozen=True)
class Timed:
    name: str
    n_tokens: int
    plain_s: float
    guessed_s: float
    n_passes: int
    n_drafted: int
    n_accepted: int
    late_s: float
    """After its limit."""

    @property
    def ratio(self) -> float:
        return self.plain_s / self.guessed_s


def main() -> None:
    options = _options()
    with closing(Reciting(options.target, ModelSettings(n_ctx=N_CTX, max_draft=LONGEST))) as target:
        bench = _Bench(target)
        found = list[Timed]()
        for edit in _edits(random.Random(options.seed)):
            if (asked := _asked(target, edit)) is None:
                continue
            found.append(bench.time(edit.name, asked, plain_first=len(found) % 2 == 0))
            print(f"{edit.name:<40} {found[-1].n_tokens:4} tokens {found[-1].ratio:6.2f}", flush=True)
            if len(found) == options.edits:
                break
    _print_summary(found)
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in found], indent=1), encoding="utf-8")


class _Bench:
    def __init__(self, target: Reciting) -> None:
        self._target = target
        self._costs = PassCosts()
        measure_costs(target, [], self._costs, CancelToken())
        self._auto = AutoStrategy(self._costs, LONGEST, text=DraftSource(SuffixDrafter()))

    def time(self, name: str, asked: Asked, *, plain_first: bool) -> Timed:
        self._target.says = np.array([*asked.prompt, *asked.answer], dtype=np.int32)
        self._read(asked)
        order: Sequence[Speculation] = (PLAIN, self._auto) if plain_first else (self._auto, PLAIN)
        stats = {speculation: self._answer(asked, speculation) for speculation in order}
        plain, guessed = stats[PLAIN], stats[self._auto]
        limit = _seconds(plain) / 2
        return Timed(
            name,
            len(asked.answer),
            _seconds(plain),
            _seconds(guessed),
            guessed.n_verify_steps,
            guessed.n_drafted,
            guessed.n_accepted,
            self._seconds_with(asked, limit) - limit,
        )

    def _read(self, asked: Asked) -> None:
        *_, _ = Generation(self._target, _request(asked, 1), PLAIN, self._costs, CancelToken()).events()

    def _answer(self, asked: Asked, speculation: Speculation) -> GenerationStats:
        events = Generation(self._target, _request(asked), speculation, self._costs, CancelToken()).events()
        said, end = list[int](), None
        for event in events:
            if isinstance(event, TokenEvent):
                said.append(event.token)
            if isinstance(event, GenerationFinished):
                end = event
        assert tuple(said) == asked.answer
        assert end is not None
        return end.stats

    def _seconds_with(self, asked: Asked, limit: float) -> float:
        """From the first token to the end."""

        def generate(cancel: CancelToken) -> Generator[GenerationEvent, None, None]:
            yield from Generation(self._target, _request(asked), self._auto, self._costs, cancel).events()

        task = CompletionTask(asked.prompt, GREEDY, limits=TimeLimits(answer_s=limit))
        began: float | None = None
        for event in generate_until_end(task, generate, CancelToken()):
            if began is None and isinstance(event, TokenEvent):
                began = time.perf_counter()
        assert began is not None
        return time.perf_counter() - began


def _request(asked: Asked, max_tokens: int | None = None) -> GenerationRequest:
    n_tokens = len(asked.answer) if max_tokens is None else max_tokens
    return GenerationRequest(asked.prompt, GREEDY, n_tokens, ignore_eos=True, text_before=asked.text)


def _seconds(stats: GenerationStats) -> float:
    """From the first token to the last."""
    return (stats.n_generated - 1) / stats.tokens_per_s


def _asked(target: Reciting, edit: Edit) -> Asked | None:
    """None: it is too short, or there is no room for it."""
    before, gap, behind = map(target.vocabulary.tokenize_on, (edit.before, edit.gap, edit.behind))
    if not LEAST_TOKENS <= len(gap) <= MOST_TOKENS:
        return None
    rest = [token for chunk in edit.rest for token in target.vocabulary.tokenize_on(chunk)]
    room = N_CTX - MOST_TOKENS - len(before) - len(behind)
    if room < 0:
        return None
    rest = rest[max(0, len(rest) - room) :]
    return Asked((*rest, *before, *behind), (*rest, *behind, *before), tuple(gap))


def _edits(rng: random.Random) -> Iterator[Edit]:
    """One of each module, over and over."""
    modules = [path for path in sorted(Path(sysconfig.get_path("stdlib")).glob("*.py")) if _is_usual(path)]
    while True:
        rng.shuffle(modules)
        for path in modules:
            yield _edit(path, rng)


def _is_usual(path: Path) -> bool:
    return path.read_text(encoding="utf-8", errors="replace").count("\n") > 2 * (BEFORE + BEHIND)


def _edit(path: Path, rng: random.Random) -> Edit:
    """Whole lines of a function's body."""
    source = path.read_text(encoding="utf-8", errors="replace")
    lines = source.splitlines(keepends=True)
    bodies = [
        (node.body[0].lineno - 1, node.end_lineno or node.body[0].lineno)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.body[0].lineno > LEAST_LINES
    ]
    first, last = rng.choice(bodies or [(BEFORE, len(lines))])
    start = rng.randrange(first, last - LEAST_LINES)
    end = min(last, start + rng.randint(LEAST_LINES, MOST_LINES))
    above, below = max(0, start - BEFORE), min(len(lines), end + BEHIND)
    outside = [*_chunks(lines[:above]), *_chunks(lines[below:])]
    rest = rng.sample(outside, min(MOST_CHUNKS, len(outside)))
    gap, before, behind = (
        "".join(part) for part in (lines[start:end], lines[above:start] or ["\n"], lines[end:below] or ["\n"])
    )
    return Edit(f"{path.name}:{start + 1}-{end}", before, gap, behind, rest)


def _chunks(lines: Sequence[str]) -> list[str]:
    return ["".join(lines[at : at + CHUNK]) for at in range(0, len(lines), CHUNK)]


def _print_summary(found: Sequence[Timed]) -> None:
    plain, guessed = (median(getattr(each, name) for each in found) for name in ("plain_s", "guessed_s"))
    ratios = sorted(each.ratio for each in found)
    whole = sum(each.plain_s for each in found) / sum(each.guessed_s for each in found)
    accepted, drafted = (sum(getattr(each, name) for each in found) for name in ("n_accepted", "n_drafted"))
    n_tokens, n_passes = sum(each.n_tokens - 1 for each in found), sum(each.n_passes for each in found)
    print(f"\n{len(found)} edits, {median(each.n_tokens for each in found):.0f} tokens in the middle")
    print(
        f"ratio of the medians {plain / guessed:.2f}; of the sums {whole:.2f}; "
        f"median of the ratios {median(ratios):.2f}"
    )
    if len(ratios) > 3:
        tenth, *_, ninth = quantiles(ratios, n=10)
        print(f"a tenth below {tenth:.2f}, a tenth above {ninth:.2f}; worst {ratios[0]:.2f}, best {ratios[-1]:.2f}")
    print(f"{n_tokens / n_passes:.2f} tokens a pass; {accepted} of {drafted} guesses accepted")
    print(f"at most {1000 * max(each.late_s for each in found):.0f} ms after the limit")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("--edits", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
