"""Compares policies on recorded guesses and computed times: the same figures on every machine.

python tests/benchmarks/simulated_policies.py FILE... [--hardware NAME,...] [-n 128] [--rounds 1] [--seeds 3] [--cells]

FILE is made by `recorded_guesses.py`. The real decoding loop and the real policies run on it, with a clock that only
passes and guesses move, for several kinds of hardware. Each policy begins as in a program that was just installed, and
goes through all prompts; auto guesses from the text, too. Regret: how far a policy stays behind the fixed length, plain
decoding among them, that is best for each prompt.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.recorded_guesses import Recording, read_recordings
from benchmarks.replayed_models import HARDWARE, PLAIN_S, Clock, Hardware, RecordedDraft, RecordedTarget

from specchat.domain.cancel_token import CancelToken
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import DRAFT, GenerationRequest, SamplingParams, TokenEvent
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.costs import PassCosts
from specchat.engine.draft_sources import DraftSource
from specchat.engine.fixed_length import FixedLengthStrategy
from specchat.engine.speculative import Generation, NoSpeculation, Speculation
from specchat.engine.stop_rule_strategy import StopRuleStrategy
from specchat.engine.stop_rules import STOP_RULES

LENGTHS = (1, 2, 3, 4, 6, 8, 12)
PLAIN, AUTO = "plain", "auto"


@dataclass
class Policy:
    name: str
    clock: Clock
    draft: RecordedDraft
    costs: PassCosts
    speculation: Speculation
    seconds: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))
    """By prompt."""

    def answer(self, at: int, recording: Recording, n_vocab: int, n_tokens: int) -> None:
        self.draft.begin(recording)
        target = RecordedTarget(recording, self.clock, n_vocab)
        request = GenerationRequest(
            prompt=tuple(recording.prompt),
            sampling=SamplingParams(temperature=0),
            max_tokens=min(n_tokens, len(recording.answer)),
            ignore_eos=True,
        )
        events = Generation(target, request, self.speculation, self.costs, CancelToken(), self.clock).events()
        began: float | None = None
        for event in events:
            if began is None and isinstance(event, TokenEvent):
                began = self.clock.now
        assert began is not None
        self.seconds[at].append(self.clock.now - began)


def make_policy(name: str, hardware: Hardware, seed: str, n_vocab: int) -> Policy:
    clock = Clock(hardware, seed)
    draft, costs = RecordedDraft(clock, n_vocab), PassCosts()
    measure(hardware, costs)
    return Policy(name, clock, draft, costs, make_speculation(name, draft, costs, clock))


def measure(hardware: Hardware, costs: PassCosts) -> None:
    """As is done before the first answer."""
    for size in (1, 2, 3, 4, 5, 6, 8, 16):
        mistaken = hardware.mistaken if size > 1 else 1.0
        costs.record_measurement(size, PLAIN_S * hardware.pass_s(size) * mistaken, 5)
    for _ in range(5):
        costs.observe_guess(DRAFT, PLAIN_S * hardware.guess)
        costs.observe_catch_up(DRAFT, 32, PLAIN_S * 32 * hardware.read)


def make_speculation(name: str, draft: RecordedDraft, costs: PassCosts, clock: Clock) -> Speculation:
    if name == PLAIN:
        return NoSpeculation(SpeculationOff.SWITCHED_OFF)
    if name == AUTO:
        return AutoStrategy(costs, 16, DraftSource(SuffixDrafter()), [DraftSource(draft)], clock)
    if name in STOP_RULES:
        return StopRuleStrategy(draft, STOP_RULES[name](), costs)
    return FixedLengthStrategy(draft, int(name), costs)


class Replay:
    def __init__(self, recordings: Sequence[Recording], hardware: Hardware, n_tokens: int, seed: str) -> None:
        self._recordings = recordings
        self._hardware = hardware
        self._n_tokens = n_tokens
        self._seed = seed
        self._n_vocab = 1 + max(
            max(*each.prompt, *each.answer, *(guess.token for chain in each.guesses for guess in chain))
            for each in recordings
        )
        self._usual: dict[str, dict[int, float]] = {}

    def run(self, policies: Sequence[str], rounds: int) -> "Replay":
        for name in [PLAIN, *map(str, LENGTHS), *policies]:
            policy = make_policy(name, self._hardware, f"{self._seed} {name}", self._n_vocab)
            for _ in range(rounds):
                for at, recording in enumerate(self._recordings):
                    policy.answer(at, recording, self._n_vocab, self._n_tokens)
            self._usual[name] = {at: fmean(found) for at, found in policy.seconds.items()}
        return self

    def _best(self, at: int) -> float:
        return min(self._usual[name][at] for name in [PLAIN, *map(str, LENGTHS)])

    def regrets(self, policy: str) -> Iterator[float]:
        """Of each prompt, in speed."""
        return (1 - self._best(at) / seconds for at, seconds in self._usual[policy].items())

    def gain(self) -> float:
        return fmean(self._usual[PLAIN][at] / self._best(at) for at in self._usual[PLAIN])

    def lowest(self, policy: str) -> float:
        return min(self._usual[PLAIN][at] / seconds for at, seconds in self._usual[policy].items())

    def print_cells(self) -> None:
        for at, recording in enumerate(self._recordings):
            plain = self._usual[PLAIN][at]
            speeds = {name: plain / found[at] for name, found in self._usual.items()}
            print(f"    {recording.workload:<14}" + " ".join(f"{name}:{speed:.2f}" for name, speed in speeds.items()))


def main() -> None:
    options = _options()
    policies = options.policy.split(",")
    print(f"{'recording':<14} {'hardware':<12}" + "".join(f"{name:>9}" for name in [*policies, "best", "lowest"]))
    for file in options.files:
        recordings = read_recordings(file)
        for name in options.hardware.split(","):
            found = [
                Replay(recordings, HARDWARE[name], options.n, str(seed)).run(policies, options.rounds)
                for seed in range(options.seeds)
            ]
            regrets = [fmean(regret for each in found for regret in each.regrets(policy)) for policy in policies]
            best, lowest = fmean(each.gain() for each in found), min(each.lowest(policies[0]) for each in found)
            line = "".join(f"{regret:>9.1%}" for regret in regrets)
            print(f"{file.stem:<14} {name:<12}{line}{best:>9.2f}{lowest:>9.2f}", flush=True)
            if options.cells:
                found[0].print_cells()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--hardware", default=",".join(HARDWARE))
    parser.add_argument("--policy", default=",".join([AUTO, *STOP_RULES]), metavar="POLICY,...")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("-n", type=int, default=128)
    parser.add_argument("--cells", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
