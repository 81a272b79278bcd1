"""A day's use of the window, compressed, in a home that is full: does anything grow, does anything become slow?

python tests/benchmarks/day.py [TARGET DRAFT] [--rounds N] [--chats N] [--messages N] [--models N] [--out FILE]

Without a pair: the demo's. A round is what one does in some minutes (tests/support/day). What the process
holds is looked at when the window is open, after the first round, by which everything was made once, and ten times
more. The answers themselves are kept: the database may grow by them.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1]))

from support.choices import choice_of
from support.day import WorkingDay
from support.full_home import fill_with_chats, fill_with_models
from support.probes import run_event_loop
from support.vitals import Vitals, vitals
from support.windows import home, window_with

from specchat.domain.types import PairChoice
from specchat.services.models.demo_pair import demo_files
from specchat.store.paths import Paths
from specchat.ui.start.application import ThemeManager, make_application

SAMPLES, SETTLED_S = 10, 1.5
MOST = {
    "memory_mib": 1.25,
    "python_objects": 1.15,
    "qt_objects": 1.25,
    "widgets": 1.25,
    "handles": 1.5,
    "threads": 1.5,
    "processes": 1.0,
}
"""At the end, for one after the first round. Threads that have nothing to do end after a while, with their handles;
lists have as many widgets as somebody looked at."""


@dataclass(frozen=True)
class Sample:
    rounds: int
    seconds: float
    vitals: Vitals


def main() -> None:
    options = arguments()
    choice = choice_of(options.target, options.draft, draft_type="model")
    with home(HF_HUB_OFFLINE="1") as places:
        print(f"filling {places.data}", file=sys.stderr, flush=True)
        chats = fill_with_chats(places, options.chats, options.messages)
        fill_with_models(places, options.models)
        samples, waits = spent_day(places, choice, chats, options)
    if options.out:
        found = {"samples": [asdict(sample) for sample in samples], "waits_ms": waits}
        options.out.write_text(json.dumps(found, indent=1), encoding="utf-8")
    print(*growth(samples), "", *slowness(waits), sep="\n")
    sys.exit(any(ratio > most for ratio, most in grown(samples).values()))


def spent_day(
    places: Paths, choice: PairChoice, chats: list[int], options: argparse.Namespace
) -> tuple[list[Sample], Mapping[str, Sequence[float]]]:
    begun = time.monotonic()
    samples: list[Sample] = []

    def look(rounds: int) -> None:
        run_event_loop(SETTLED_S)
        samples.append(Sample(rounds, time.monotonic() - begun, vitals(places)))
        print(samples[-1], file=sys.stderr, flush=True)

    with window_with(places, choice, ThemeManager(make_application(), "light")) as controller:
        for model in (options.target, options.draft):
            controller.services.models.library.add(model)
        look(0)
        day = WorkingDay(controller, choice, chats, options.models, places.data.parent)
        for number in range(1, options.rounds + 1):
            day.round(number)
            if number in (1, options.rounds) or number % max(1, options.rounds // SAMPLES) == 0:
                look(number)
    return samples, day.waits_ms


def grown(samples: Sequence[Sample]) -> dict[str, tuple[float, float]]:
    """How much more there is at the end than after the first round, and how much more there may be."""
    first, last = asdict(samples[1].vitals), asdict(samples[-1].vitals)
    return {name: (last[name] / first[name] if first[name] else 1.0, most) for name, most in MOST.items()}


def growth(samples: Sequence[Sample]) -> Iterator[str]:
    shown = [samples[0], samples[1], samples[len(samples) // 2], samples[-1]]
    ratios = grown(samples)
    yield f"{'held after … rounds':<28}" + "".join(f"{sample.rounds:>12}" for sample in shown) + "   ratio"
    for field in fields(Vitals):
        values = [float(getattr(sample.vitals, field.name)) for sample in shown]
        ratio, most = ratios.get(field.name, (values[-1] / values[1] if values[1] else 1.0, float("inf")))
        missed = f"  MISSED: at most {most:g}" if ratio > most else ""
        yield f"{field.name:<28}" + "".join(f"{value:>12.1f}" for value in values) + f"{ratio:>8.2f}{missed}"


def slowness(waits: Mapping[str, Sequence[float]]) -> Iterator[str]:
    yield f"{'waits in ms':<40}{'first':>10}{'start':>10}{'end':>10}{'slowest':>10}   ratio"
    for name, found in waits.items():
        part = max(1, len(found) // 5)
        start, end = median(found[:part]), median(found[-part:])
        yield f"{name:<40}{found[0]:>10.1f}{start:>10.1f}{end:>10.1f}{max(found):>10.1f}{end / start:>8.2f}"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    demo = demo_files()
    parser.add_argument("target", type=Path, nargs="?", default=demo[0])
    parser.add_argument("draft", type=Path, nargs="?", default=demo[1])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--chats", type=int, default=500)
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--models", type=int, default=200)
    parser.add_argument("--out", type=Path, help="all figures, as JSON")
    options = parser.parse_args()
    if lost := [str(path) for path in (options.target, options.draft) if not path.is_file()]:
        parser.error(f"not there: {', '.join(lost)}")
    return options


if __name__ == "__main__":
    main()
