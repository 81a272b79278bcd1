"""llama.cpp dies in every way, at random moments, in the window and in `serve`: is anything lost?

python tests/benchmarks/deaths.py [--deaths 60] [--seed N] [--only window|serve]

Ways: abort, fault, kill, a process that is stopped, and no memory. Moments: while loading, while the prompt is read,
amid an answer, at rest. After each death the next question must be answered; what had been shown must be kept.
"""

import argparse
import os
import resource
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import psutil
from PySide6.QtWidgets import QApplication
from support.api_servers import Api, Response, serving_process
from support.choices import choice_of
from support.ggufs import make_pair
from support.processes import engines_below
from support.windows import home, wait_until, window_with

from specchat.domain.conversations import ConversationSettings
from specchat.domain.types import ModelSettings, PairChoice, SamplingParams
from specchat.services.engines.subprocess_engine import EngineTimeouts, SubprocessEngine
from specchat.ui.app_controller import AppController
from specchat.ui.start.application import ThemeManager

MOMENTS = "load", "prompt", "answer", "rest"
N_TOKENS = 1500
SETTINGS = ModelSettings(n_ctx=2048, threads=1)
QUESTION = "Tell me more. " * 20
IMPATIENT = EngineTimeouts(counting_s=8.0, pass_s=20.0, stopped_s=3.0)
"""Of the window: what hangs is usually waited for a minute."""


def take_memory(pid: int) -> None:
    psutil.Process(pid).rlimit(resource.RLIMIT_AS, (1 << 20, 1 << 20))


WAYS: dict[str, Callable[[int], None]] = {
    "ABRT": lambda pid: os.kill(pid, signal.SIGABRT),
    "SEGV": lambda pid: os.kill(pid, signal.SIGSEGV),
    "KILL": lambda pid: os.kill(pid, signal.SIGKILL),
    "STOP": lambda pid: os.kill(pid, signal.SIGSTOP),
    "memory": take_memory,
}


def main() -> None:
    options = _options()
    cases = {"window": in_the_window, "serve": in_serve}
    for name, run in cases.items():
        if options.only in (None, name):
            started = time.monotonic()
            counted = run(options.deaths, Random(options.seed))
            print(f"{name}: {options.deaths} deaths in {time.monotonic() - started:.0f} s; {dict(counted)}", flush=True)


def plan(deaths: int, random: Random) -> Iterator[tuple[str, str]]:
    ways = list(WAYS)
    for n in range(deaths):
        yield ways[n % len(ways)], random.choice(MOMENTS)


def in_the_window(deaths: int, random: Random) -> Counter[str]:
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    counted: Counter[str] = Counter()
    with home() as places, tempfile.TemporaryDirectory() as models:
        target, draft = make_pair(Path(models))
        choice = choice_of(target, draft, SETTINGS, SETTINGS, draft_type="model", draft_max=3)
        with window_with(
            places, choice, ThemeManager(application), lambda: SubprocessEngine(places, IMPATIENT)
        ) as controller:
            for way, moment in plan(deaths, random):
                counted[die_in_the_window(controller, choice, way, moment, random)] += 1
                again(controller, choice)
                before = len(controller.session.path)
                ask(controller, "And now?", 8)
                wait_until(lambda: controller.answers.current() is None, f"no answer after {way}, {moment}")
                assert len(controller.session.path) == before + 2, (way, moment)
                assert controller.session.path[-1].text, (way, moment)
                controller.chat_list.new_chat()
        assert not engines_below(os.getpid()), "left"
        assert not list(places.cache.rglob("*.new")), "half-written files"
    return counted


def die_in_the_window(controller: AppController, choice: PairChoice, way: str, moment: str, random: Random) -> str:
    """How it went, to be counted."""
    kill = WAYS[way]
    if moment == "rest":
        kill(engine_of(os.getpid()))
        return "at rest"
    died: list[str] = []
    after = random.randint(1, 40)

    def now(*_: object) -> None:
        nonlocal after
        after -= 1
        if not died and (moment != "answer" or after <= 0) and engines_below(os.getpid()):
            running = controller.answers.current()
            died.append(running.streamed.text if running is not None else "")
            kill(engine_of(os.getpid()))

    connected = {
        "load": controller.pair.load_progressed,
        "prompt": controller.answers.prompt_read,
        "answer": controller.answers.updated,
    }[moment]
    connected.connect(now)
    try:
        if moment == "load":
            controller.pair.load(choice)
            wait_until(lambda: not controller.pair.is_loading, "still loading")
        else:
            ask(controller, QUESTION, N_TOKENS)
            wait_until(lambda: controller.answers.current() is None, "still answering")
    finally:
        connected.disconnect(now)
    if not died:
        return "too late"
    kept = controller.session.path[-1].text if moment == "answer" and controller.session.path else ""
    assert kept.startswith(died[0]) or moment != "answer", (died[0][-80:], kept[-80:])
    return f"at {moment}"


def again(controller: AppController, choice: PairChoice) -> None:
    """It comes back by itself, or when it is asked to."""
    wait_until(lambda: not controller.pair.is_loading, "still loading")
    if controller.session.pair is None:
        controller.window.problem.dismiss()
        controller.pair.load(choice)
        wait_until(lambda: not controller.pair.is_loading, "still loading")
        if controller.session.pair is None:
            again(controller, choice)


def ask(controller: AppController, question: str, n_tokens: int) -> None:
    wait_until(lambda: controller.session.pair is not None, "no pair")
    controller.chat.change_settings(ConversationSettings(sampling=SamplingParams(temperature=0), max_tokens=n_tokens))
    controller.window.composer.sent.emit(question, ())


def in_serve(deaths: int, random: Random) -> Counter[str]:
    counted: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        target, draft = make_pair(Path(folder))
        arguments = ("-m", target, "-md", draft, "-c", "2048", "--idle-unload", "3600")
        with serving_process(Path(folder) / "home", *arguments) as (process, api):
            expected = answered(api).json["choices"]
            for way, moment in plan(deaths, random):
                counted[die_in_serve(api, process.pid, way, moment, random)] += 1
                assert answered(api).json["choices"] == expected, (way, moment)
            children = engines_below(process.pid)
            assert len(children) == 1, children
            process.send_signal(signal.SIGTERM)
            assert process.wait(30) == 0
    assert not any(child.is_running() for child in children), "left"
    return counted


def die_in_serve(api: Api, server: int, way: str, moment: str, random: Random) -> str:
    if moment == "load":  # which is what comes after a death
        WAYS["KILL"](engine_of(server))
        asking = threading.Thread(target=answered, args=[api])
        asking.start()
        while not engines_below(server) and asking.is_alive():
            time.sleep(0.01)
        time.sleep(random.uniform(0, 0.6))
        strike(server, way)
        asking.join()
        return "at load"
    if moment == "rest":
        strike(server, way)
        return "at rest"
    answers: list[Response] = []
    asking = threading.Thread(target=lambda: answers.append(api.complete(QUESTION, max_tokens=N_TOKENS)))
    asking.start()
    time.sleep(random.uniform(0, 0.01 if moment == "prompt" else 0.3))
    strike(server, way)
    asking.join()
    assert answers[0].status in (200, 503), answers[0].body
    return f"{moment}: {answers[0].status}"


def strike(server: int, way: str) -> None:
    for engine in engines_below(server):
        WAYS[way](engine.pid)


def answered(api: Api) -> Response:
    while True:
        response = api.complete("hello", max_tokens=8, temperature=0)
        if response.status == 200:
            return response
        assert response.status == 503, response.body
        assert response.headers["retry-after"] == "1"
        time.sleep(0.1)


def engine_of(parent: int) -> int:
    (engine,) = engines_below(parent)
    return int(engine.pid)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deaths", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=["window", "serve"])
    return parser.parse_args()


if __name__ == "__main__":
    main()
