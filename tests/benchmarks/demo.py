"""How much faster the demo answers with its draft than alone, in the window: 20 of its own questions, by turns.

python tests/benchmarks/demo.py [--rounds 3]
"""

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).parents[1]))

from support.windows import Listener, home, wait_until, window_with

from specchat.domain.types import PairChoice
from specchat.services.models.demo_pair import demo_choice
from specchat.services.settings.preset_service import PRECISE
from specchat.ui.app_controller import AppController
from specchat.ui.start.application import ThemeManager, make_application

QUESTIONS = (
    "What is a draft model?",
    "What does the acceptance rate mean?",
    "Which draft fits my model?",
    "What do I do when VRAM runs out?",
    "What does the overlay show?",
    "How do I download a model?",
    "What is exact mode?",
    "Does the draft change the answer?",
    "What is the bonus token?",
    "How does prompt lookup work?",
    "What is the KV cache?",
    "Which quantisation should I choose?",
    "Why is my draft incompatible?",
    "How do I turn speculation off?",
    "What is a gated model?",
    "Where are my chats kept?",
    "How do I export a chat?",
    "Which commands are there?",
    "How do I start the server?",
    "How do I run a benchmark?",
)
MOST_TOKENS = 160


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds: int = parser.parse_args().rounds
    demo = demo_choice()
    if demo is None:
        sys.exit("The demo pair is missing.")
    ways = {"plain": replace(demo, draft=None, draft_type="none"), "with its draft": demo}
    speeds: dict[str, list[float]] = {name: [] for name in ways}
    with home() as places, window_with(places, demo, ThemeManager(make_application())) as controller:
        listener = Listener(controller)
        for number in range(-1, rounds):  # the first one warms up
            for name in ways if number % 2 else reversed(ways):
                found = answered(controller, listener, ways[name])
                speeds[name] += found if number >= 0 else []
    ratios = [fast / plain for plain, fast in zip(speeds["plain"], speeds["with its draft"], strict=True)]
    for name, found in speeds.items():
        print(f"{name}: {median(found):.0f} tokens/s at the median of {len(found)} answers")
    slower = sum(ratio < 1 for ratio in ratios)
    print(f"{median(ratios):.2f} times as fast at the median, {min(ratios):.2f} to {max(ratios):.2f}; slower: {slower}")


def answered(controller: AppController, listener: Listener, choice: PairChoice) -> list[float]:
    """Tokens per second of each answer."""
    if controller.pair.choice != choice:
        controller.pair.load(choice)
        wait_until(lambda: controller.pair.choice == choice, "the pair is not loaded")
    speeds = []
    for question in QUESTIONS:
        controller.chat.start_chat(replace(PRECISE, max_tokens=MOST_TOKENS))
        controller.window.composer.sent.emit(question, ())
        speeds.append(listener.end().answer.stats.tokens_per_s)
    return speeds


if __name__ == "__main__":
    main()
