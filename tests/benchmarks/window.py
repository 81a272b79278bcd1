"""How the window keeps up: start, long conversations, streaming, rest, the engine's speed in it, memory.

python tests/benchmarks/window.py [TARGET DRAFT] [--only start,open,stream,idle,speed,memory] [--json]

Without a pair: the demo's. Each part runs in a process of its own; a single one that is asked for runs in this process.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1]))

from support.choices import choice_of
from support.figures import Figure, table
from support.paced_engine import PacedEngine, pieces_of
from support.probes import LoopProbe, PaintEnd, TimerCount, cpu_s, rss_mib, run_event_loop
from support.talks import MARKDOWN, long_answer, long_talk, store
from support.windows import Listener, empty_pair, home, tokens_shown, window_with

from specchat.domain.conversations import ConversationSettings
from specchat.domain.types import GenerationStats, PairChoice
from specchat.services.models.demo_pair import demo_files
from specchat.services.settings.preset_service import PRECISE
from specchat.store.paths import Paths
from specchat.ui.app_controller import AppController
from specchat.ui.start.application import ThemeManager, make_application

FIRST_PAINT = Path(__file__).parents[1] / "support" / "first_paint.py"
START_RUNS, LISTED = 5, 1000
LONG, OPENINGS = 10_000, 7
RATE, STREAM_S, SHOWN = 300.0, 10.0, 500
IDLE_S = 5.0
ROUNDS, LENGTH = 7, 256
QUESTIONS = (
    "Write a Python function that reads a config file.",
    "Which draft fits my model?",
    "Natalia sold 48 clips in April and half as many in May. How many clips did she sell in all?",
)
DRAFT_LENGTH = 4
"""Fixed: a process that has just begun does not know yet which one pays."""
REPLIES, REPLY_TOKENS, WEIGHED = 1000, 40, (100, 550, 1000)
SETTLED_S = 2.0


@dataclass(frozen=True)
class FirstPaint:
    painted_s: float
    filled_s: float
    imported: list[str]
    collects: bool


Part = Callable[[PairChoice], list[Figure]]


def main() -> None:
    options = arguments()
    choice = choice_of(options.target, options.draft, draft_type="model")
    if len(options.only) == 1:
        results = {options.only[0]: PARTS[options.only[0]](choice)}
    else:
        results = {part: in_a_process(part, choice) for part in options.only}
    if options.json:
        print(json.dumps({part: [asdict(figure) for figure in figures] for part, figures in results.items()}))
    else:
        print(*table(results), sep="\n")
    sys.exit(not all(figure.reached for figure in chain.from_iterable(results.values())))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    demo = demo_files()
    parser.add_argument("target", type=Path, nargs="?", default=demo[0])
    parser.add_argument("draft", type=Path, nargs="?", default=demo[1])
    parser.add_argument("--only", type=lambda names: names.split(","), default=list(PARTS))
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if unknown := set(options.only) - PARTS.keys():
        parser.error(f"no part is called {', '.join(unknown)}")
    if lost := [str(path) for path in (options.target, options.draft) if not path.is_file()]:
        parser.error(f"not there: {', '.join(lost)}")
    return options


def in_a_process(part: str, choice: PairChoice) -> list[Figure]:
    print(part, file=sys.stderr, flush=True)
    command = [sys.executable, __file__, str(choice.target), str(choice.draft), "--only", part, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if not done.stdout:
        sys.exit(f"{part} failed")
    return [Figure(**figure) for figure in json.loads(done.stdout)[part]]


def start(_: PairChoice) -> list[Figure]:
    """From the start of a process to the first paint, with and without many conversations, in turn."""
    runs: dict[str, list[FirstPaint]] = {"nothing kept": [], f"{LISTED} chats": []}
    with home() as empty, home() as full:
        empty.data.mkdir(parents=True)
        store(full, [long_talk(number, 10) for number in range(LISTED)])
        for _run in range(START_RUNS):
            for name, places in zip(runs, (empty, full), strict=True):
                runs[name].append(first_paint(places))
    figures = []
    for name, found in runs.items():
        imported = sorted({module for run in found for module in run.imported})
        figures += [
            Figure(f"first paint, {name}", median(run.painted_s for run in found), "s", 0.8),
            Figure(f"first paint, {name}, slowest", max(run.painted_s for run in found), "s"),
            Figure(f"list filled, {name}", median(run.filled_s for run in found), "s"),
            Figure(f"imported too early: {', '.join(imported) or 'nothing'}", len(imported), "modules", 0),
        ]
    return figures


def first_paint(places: Paths) -> FirstPaint:
    """In a copy of the home: an earlier run leaves no trace."""
    with tempfile.TemporaryDirectory() as copy:
        shutil.copytree(places.data.parent, copy, dirs_exist_ok=True)
        environment = os.environ | {"SPECCHAT_HOME": copy}
        command = [sys.executable, str(FIRST_PAINT), str(time.monotonic())]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
    return FirstPaint(**json.loads(done.stdout))


def opening(choice: PairChoice) -> list[Figure]:
    """Until it is on the screen, the pair loaded; and how long the window stands still afterwards."""
    with home() as places:
        long, short = store(places, [long_talk(0, LONG), long_talk(1, 2)])
        with window_with(places, choice, look()) as controller:
            took, stalls = [], []
            for _ in range(OPENINGS):
                controller.chat.open(short)
                run_event_loop(SETTLED_S)
                begun = time.perf_counter()
                painted = PaintEnd(controller.window.transcript.viewport())
                controller.chat.open(long)
                took.append(1000 * (painted.wait() - begun))
                stalls.append(longest_stall(1.0))
    return [
        Figure(f"opening {LONG} messages", median(took), "ms", 150),
        Figure("the first time", took[0]),
        Figure("the slowest", max(took)),
        Figure("longest stall in the second after", max(stalls)),
    ]


def longest_stall(seconds: float) -> float:
    probe = LoopProbe()
    run_event_loop(seconds)
    probe.stop()
    return max(probe.late_ms)


def stream(_: PairChoice) -> list[Figure]:
    """How late the event loop is while an answer comes fast."""
    figures = []
    with home() as places:
        (shown,) = store(places, [long_talk(0, SHOWN)])
        engine = PacedEngine(lambda _: long_answer(int(2 * RATE * STREAM_S)), RATE)
        with window_with(places, empty_pair(places), look(), lambda: engine) as controller:
            controller.chat.open(shown)
            for colouring in (False, True):
                if colouring:
                    controller.window.header.colours.click()
                run_event_loop(SETTLED_S)
                figures += streamed(controller, "coloured" if colouring else "plain")
    return figures


def streamed(controller: AppController, name: str) -> list[Figure]:
    listener, probe = Listener(controller), LoopProbe()
    controller.window.composer.sent.emit("Go on.", ())
    listener.first_words()
    at_first = probe.take()
    begun, before = time.perf_counter(), tokens_shown(controller)
    run_event_loop(STREAM_S)
    amid = probe.take()
    rate = (tokens_shown(controller) - before) / (time.perf_counter() - begun)
    controller.window.composer.stop_requested.emit()
    listener.end()
    run_event_loop(0.5)
    at_last = probe.take()
    probe.stop()
    return [
        Figure(f"{name}: tokens shown", rate, "tokens/s", 0.97 * RATE, least=True),
        *(Figure(f"{name}: latency p{p}", share(amid, p)) for p in (50, 95)),
        Figure(f"{name}: latency p99", share(amid, 99), goal=16),
        Figure(f"{name}: latency, most", amid[-1], goal=50),
        Figure(f"{name}: longest stall when it is sent", at_first[-1]),
        Figure(f"{name}: longest stall when it ends", at_last[-1]),
    ]


def share(ordered: Sequence[float], percent: int) -> float:
    return ordered[percent * (len(ordered) - 1) // 100]


def idle(choice: PairChoice) -> list[Figure]:
    """Window open, pair loaded, nobody there."""
    with home() as places, window_with(places, choice, look()):
        run_event_loop(2 * SETTLED_S)
        before = cpu_s()
        run_event_loop(IDLE_S)
        used = cpu_s() - before
        timers = TimerCount()
        run_event_loop(IDLE_S)
    print(*(f"{n} timer events: {name}" for name, n in timers.by_receiver.most_common(5)), sep="\n", file=sys.stderr)
    return [
        Figure("CPU of one core", 100 * used / IDLE_S, "%", 0.5),
        Figure("timer events", timers.by_receiver.total() / IDLE_S, "1/s"),
    ]


def speed(choice: PairChoice) -> list[Figure]:
    """The same questions in the window and to the command, in turn; decoding only.

    The command starts anew for each question: a second engine in this process would slow both, as their threads are
    more than there are cores.
    """
    settings = replace(PRECISE, max_tokens=LENGTH)
    choice = replace(choice, draft_max=DRAFT_LENGTH)
    with home() as places, window_with(places, choice, look()) as controller:
        listener = Listener(controller)
        sides: dict[str, Callable[[str], GenerationStats]] = {
            "window": lambda question: asked(controller, listener, question, settings),
            "command": lambda question: asked_by_command(choice, places, question),
        }
        speeds: dict[str, list[float]] = {name: [] for name in sides}
        tokens: dict[str, set[int]] = {name: set() for name in sides}
        for number in range(-1, ROUNDS):
            for name in sides if number % 2 else reversed(sides):
                run_event_loop(0.3)  # threads of the one before may still spin
                stats = [sides[name](question) for question in QUESTIONS]
                if number >= 0:
                    speeds[name].append(tokens_per_s(stats))
                    tokens[name].add(sum(one.n_generated for one in stats))
    middle = {name: median(found) for name, found in speeds.items()}
    return [
        *(Figure(f"{name}, median of {ROUNDS}", found, "tokens/s") for name, found in middle.items()),
        *(Figure(f"{name}, tokens in a round", max(found), "tokens") for name, found in tokens.items()),
        Figure("window to command", middle["window"] / middle["command"], "", 0.95, least=True),
        Figure("as many tokens everywhere", float(len(set().union(*tokens.values())) == 1), "", 1, least=True),
    ]


def tokens_per_s(stats: Sequence[GenerationStats]) -> float:
    spent = sum((one.n_generated - 1) / one.tokens_per_s for one in stats)
    return sum(one.n_generated - 1 for one in stats) / spent


def asked(
    controller: AppController, listener: Listener, question: str, settings: ConversationSettings
) -> GenerationStats:
    controller.chat.start_chat(settings)
    controller.window.composer.sent.emit(question, ())
    return listener.end().answer.stats


def asked_by_command(choice: PairChoice, places: Paths, question: str) -> GenerationStats:
    command = [sys.executable, "-m", "specchat", "chat", "-m", str(choice.target), "-md", str(choice.draft)]
    options = ["--draft-type", "model", "--draft-max", str(DRAFT_LENGTH), "--temp", "0", "-n", str(LENGTH), "--json"]
    environment = os.environ | {"SPECCHAT_HOME": str(places.data.parent)}
    done = subprocess.run(
        [*command, *options, "-p", question],
        env=environment,
        stdout=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    stats = json.loads(done.stdout)["stats"]
    return GenerationStats(n_generated=stats["n_generated"], tokens_per_s=stats["tokens_per_s"])


def memory(_: PairChoice) -> list[Figure]:
    """Many short answers in one conversation."""
    weights: dict[int, float] = {}
    engine = PacedEngine(lambda task: pieces_of(MARKDOWN.format(n=len(task.messages)))[:REPLY_TOKENS])
    with home() as places, window_with(places, empty_pair(places), look(), lambda: engine) as controller:
        listener = Listener(controller)
        for number in range(1, REPLIES + 1):
            controller.window.composer.sent.emit(f"Question {number}", ())
            listener.end()
            if number in WEIGHED:
                run_event_loop(SETTLED_S)
                weights[number] = rss_mib()
    first, middle, last = (weights[number] for number in WEIGHED)
    return [
        *(Figure(f"after {number} replies", weight, "MiB") for number, weight in weights.items()),
        Figure("growth since the first", last - first, "MiB"),
        Figure("growth in the second half", last - middle, "MiB"),
        Figure("per reply", 1024 * (last - first) / (WEIGHED[-1] - WEIGHED[0]), "KiB"),
    ]


def look() -> ThemeManager:
    return ThemeManager(make_application(), "light")


PARTS: dict[str, Part] = {
    "start": start,
    "open": opening,
    "stream": stream,
    "idle": idle,
    "speed": speed,
    "memory": memory,
}

if __name__ == "__main__":
    main()
