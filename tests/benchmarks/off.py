"""What auto costs while it guesses nothing: with and without it by turns, within the same answers.

python tests/benchmarks/off.py TARGET DRAFT [--repeat 6] [-n 300]

DRAFT should be a hopeless one. Every few steps auto is left out; passes with guesses, and the first after a change, do
not count.
"""

import argparse
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.choices import choice_of

from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import DraftContext
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import OffReason
from specchat.domain.types import Message, ModelSettings, Role, SamplingParams, TokenEvent
from specchat.engine.speculative import NoSpeculation, Speculation
from specchat.engine.strategy import NO_PAUSE, SpeculationPause, StepOutcome, Strategy
from specchat.services.bench.workloads import workload_prompts
from specchat.services.chat.request_builder import AnswerOptions, build_chat_request
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

BLOCK = 4
"""Steps with auto, then as many without."""


class EveryOtherBlock:
    def __init__(self, auto: Strategy) -> None:
        self._auto = auto
        self._steps = 0

    @property
    def is_asked(self) -> bool:
        return self._steps // BLOCK % 2 == 0

    @property
    def is_settled(self) -> bool:
        return self._steps % BLOCK >= 1

    @property
    def off_reason(self) -> OffReason | None:
        return self._auto.off_reason

    @property
    def draft_off_reason(self) -> OffReason | None:
        return self._auto.draft_off_reason

    @property
    def no_guess_reason(self) -> OffReason:
        return self._auto.no_guess_reason

    @property
    def pause(self) -> SpeculationPause:
        return self._auto.pause if self.is_asked else NO_PAUSE

    def observe_pause(self, n_steps: int, seconds: float) -> None:
        self._auto.observe_pause(n_steps, seconds)

    def begin(self, *, sampled: bool) -> None:
        self._auto.begin(sampled=sampled)

    def propose(self, context: DraftContext, room: int) -> Proposal:
        self._steps += 1
        return self._auto.propose(context, room) if self.is_asked else Proposal()

    def follow(self, context: DraftContext) -> None:
        self._auto.follow(context)

    def observe(self, outcome: StepOutcome) -> None:
        if self.is_asked:
            self._auto.observe(outcome)


def main() -> None:
    options = _options()
    settings = ModelSettings(n_ctx=2048)
    with tempfile.TemporaryDirectory() as folder:
        loader = PairLoader(JsonCache(Path(folder) / "loads.json"), JsonCache(Path(folder) / "tests.json"))
        choice = choice_of(options.target, options.draft, settings, settings)
        with closing(loader.load(choice, CancelToken())) as pair:
            auto = pair.create_speculation("auto", None)
            _report(auto, pair, options)


def _report(auto: Speculation, pair: LoadedPair, options: argparse.Namespace) -> None:
    if isinstance(auto, NoSpeculation):
        raise SystemExit("With this pair nothing is guessed at all.")
    taken = defaultdict[bool, list[float]](list)
    for _ in range(options.repeat):
        for asked, seconds in _steps(pair, EveryOtherBlock(auto), options.n):
            taken[asked].append(seconds)
    without, with_auto = (1000 * median(taken[asked]) for asked in (False, True))
    print(f"a step without auto: {without:.3f} ms ({len(taken[False])}), with auto, off: {with_auto:.3f} ms")
    print(f"{without / with_auto:.3f} times as fast")


def _steps(pair: LoadedPair, strategy: EveryOtherBlock, n: int) -> Iterator[tuple[bool, float]]:
    """Whether auto was asked, and seconds from token to token."""
    (prompt,) = workload_prompts(("code",), 1)
    options = AnswerOptions(SamplingParams(temperature=0), max_tokens=n, ignore_eos=True)
    request = build_chat_request(pair, [Message(Role.USER, prompt.text)], options)
    pair.target.keep(0)
    since: float | None = None
    for event in pair.generate(request, CancelToken(), strategy):
        if not isinstance(event, TokenEvent) or event.step is None:
            continue
        if since is not None and event.step.drafted == 0 and strategy.is_settled:
            yield strategy.is_asked, time.perf_counter() - since
        since = time.perf_counter()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("draft", type=Path)
    parser.add_argument("--repeat", type=int, default=6)
    parser.add_argument("-n", type=int, default=300)
    return parser.parse_args()


if __name__ == "__main__":
    main()
