"""Gaps in real code, filled with guesses from the text around them and without: is it 1.3 times as fast, and in time?

python tests/benchmarks/infill.py TARGET [--edits 100] [--seed 1] [--hardware NAME] [--json OUT]

Lines are cut out of Python's standard library; the answer is what stood there. The target computes every pass for real,
but recites that answer, so the figure is that of a model which writes the code as its authors did, on passes of this
target: it tells what the text around a gap is worth as a source of guesses, not how well some model fills gaps. There
is no draft. As the target recites, it need not read the text either: its prompt is the same for all edits, and as long
as usual ones. Plain and guessed answers take turns; each edit is asked once more with half of its plain time as limit.
With `--hardware` (of `replayed_models.py`) times are computed instead, so that they are the same on every machine.
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
from benchmarks.recorded_guesses import Recording
from benchmarks.replayed_models import HARDWARE, Clock, Hardware, RecordedTarget
from benchmarks.simulated_policies import measure
from benchmarks.text_alone import LONGEST, Offer, Reciting, all_known, counting, most_possible, offers_in

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
N_PROMPT = 1536
PROMPT = (1,) * N_PROMPT
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
    """An edit in tokens."""

    text: tuple[int, ...]
    """In the order of the text: the rest of the module, what is behind the gap, what is before it."""
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
    with closing(
        Reciting(options.target, ModelSettings(n_ctx=N_PROMPT + 2 * MOST_TOKENS, max_draft=LONGEST))
    ) as target:
        hardware = HARDWARE.get(options.hardware)
        bench = _Bench(target) if hardware is None else _ReplayedBench(hardware, target.n_vocab)
        found, offers = list[Timed](), list[list[Offer]]()
        for edit in _edits(random.Random(options.seed)):
            if (asked := _asked(target, edit)) is None:
                continue
            found.append(bench.time(edit.name, asked, plain_first=len(found) % 2 == 0))
            offers.append(offers_in((list(asked.text), list(asked.answer))))
            print(f"{edit.name:<40} {found[-1].n_tokens:4} tokens {found[-1].ratio:6.2f}", flush=True)
            if len(found) == options.edits:
                break
    _print_summary(found)
    oracle, counted = (most_possible(offers, bench.costs, chances) for chances in (all_known, counting(offers)))
    print(f"of the sums: an oracle {oracle:.2f}, a statistician {counted:.2f} (see text_alone.py)")
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in found], indent=1), encoding="utf-8")


class _Bench:
    def __init__(self, target: Reciting) -> None:
        self._target = target
        self.costs = PassCosts()
        measure_costs(target, [], self.costs, CancelToken())
        self._auto = AutoStrategy(self.costs, LONGEST, text=DraftSource(SuffixDrafter()))

    def time(self, name: str, asked: Asked, *, plain_first: bool) -> Timed:
        self._target.says = np.array([*PROMPT, *asked.answer], dtype=np.int32)
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

    def _answer(self, asked: Asked, speculation: Speculation) -> GenerationStats:
        return _stats(Generation(self._target, _request(asked), speculation, self.costs, CancelToken()), asked)

    def _seconds_with(self, asked: Asked, limit: float) -> float:
        """From the first token to the end."""

        def generate(cancel: CancelToken) -> Generator[GenerationEvent, None, None]:
            yield from Generation(self._target, _request(asked), self._auto, self.costs, cancel).events()

        task = CompletionTask(PROMPT, GREEDY, limits=TimeLimits(answer_s=limit))
        began: float | None = None
        for event in generate_until_end(task, generate, CancelToken()):
            if began is None and isinstance(event, TokenEvent):
                began = time.perf_counter()
        assert began is not None
        return time.perf_counter() - began


class _ReplayedBench:
    def __init__(self, hardware: Hardware, n_vocab: int) -> None:
        self._n_vocab = n_vocab
        self._clock, self.costs = Clock(hardware, "infill"), PassCosts()
        measure(hardware, self.costs)
        self._auto = AutoStrategy(self.costs, LONGEST, DraftSource(SuffixDrafter()), clock=self._clock)

    def time(self, name: str, asked: Asked, *, plain_first: bool) -> Timed:
        plain, guessed = self._answer(asked, PLAIN), self._answer(asked, self._auto)
        counts = guessed.n_verify_steps, guessed.n_drafted, guessed.n_accepted
        return Timed(name, len(asked.answer), _seconds(plain), _seconds(guessed), *counts, late_s=0.0)

    def _answer(self, asked: Asked, speculation: Speculation) -> GenerationStats:
        target = RecordedTarget(Recording("infill", PROMPT, asked.answer, ()), self._clock, self._n_vocab)
        request, clock = _request(asked), self._clock
        return _stats(Generation(target, request, speculation, self.costs, CancelToken(), clock), asked)


def _stats(generation: Generation, asked: Asked) -> GenerationStats:
    said = list[int]()
    for event in generation.events():
        if isinstance(event, TokenEvent):
            said.append(event.token)
        if isinstance(event, GenerationFinished):
            assert tuple(said) == asked.answer
            return event.stats
    raise AssertionError("the answer has no end")


def _request(asked: Asked) -> GenerationRequest:
    return GenerationRequest(PROMPT, GREEDY, len(asked.answer), ignore_eos=True, text_before=asked.text)


def _seconds(stats: GenerationStats) -> float:
    """From the first token to the last."""
    return (stats.n_generated - 1) / stats.tokens_per_s


def _asked(target: Reciting, edit: Edit) -> Asked | None:
    """None: it is too short or too long."""
    before, gap, behind = map(target.vocabulary.tokenize_on, (edit.before, edit.gap, edit.behind))
    if not LEAST_TOKENS <= len(gap) <= MOST_TOKENS:
        return None
    rest = [token for chunk in edit.rest for token in target.vocabulary.tokenize_on(chunk)]
    return Asked((*rest, *behind, *before), tuple(gap))


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
    if any(each.late_s for each in found):
        print(f"at most {1000 * max(each.late_s for each in found):.0f} ms after the limit")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("--edits", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hardware", choices=HARDWARE)
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


if __name__ == "__main__":
    main()
