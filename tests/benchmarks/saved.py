"""Whether what an answer is said to have saved is what plain answers right before and after it took longer.

python tests/benchmarks/saved.py TARGET DRAFT [--busy 0,3,0,1,0]

Each answer is a command of its own, all with one home, which so remembers what it learned at busy times. `--busy`: how
many other programs that compute without end run beside it, by turns. "rough": the answer says that the time saved is a
rough estimate.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.busy_programs import others

PROMPTS = ("What is a draft model?", "Explain how speculative decoding works and how I choose a good draft.")
WAYS = {"auto": [], "4 guesses": ["--draft-max", "4"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("draft", type=Path)
    parser.add_argument("--busy", type=lambda text: list(map(int, text.split(","))), default=[0, 3, 0, 1, 0])
    options = parser.parse_args()
    print(f"{'busy':<6}{'guesses':<12}{'took':>8}{'saved':>8}{'said':>8}   seconds", flush=True)
    with tempfile.TemporaryDirectory() as home:
        for n_busy in options.busy:
            with others(n_busy):
                for prompt in PROMPTS:
                    _compare(Path(home), n_busy, ["-m", str(options.target), "-p", prompt], options.draft)


def _compare(home: Path, n_busy: int, asked: list[str], draft: Path) -> None:
    before, *_ = answer(home, [*asked, "--draft-type", "none"])
    guessed = {way: answer(home, [*asked, "-md", str(draft), *given]) for way, given in WAYS.items()}
    after, *_ = answer(home, [*asked, "--draft-type", "none"])
    plain = (before + after) / 2
    for way, (took, said, is_rough) in guessed.items():
        rough = "rough" if is_rough else ""
        print(f"{n_busy:<6}{way:<12}{took:>8.2f}{plain - took:>8.2f}{said:>8.2f}   {rough}", flush=True)


def answer(home: Path, arguments: list[str]) -> tuple[float, float, bool]:
    """Seconds from the first token to the last, what is said to be saved, and whether that is a rough estimate."""
    command = [sys.executable, "-m", "specchat", "chat", "--temp", "0", "--json", *arguments]
    environment = os.environ | {"SPECCHAT_HOME": str(home)}
    done = subprocess.run(command, env=environment, check=True, capture_output=True)
    stats = json.loads(done.stdout)["stats"]
    return (stats["n_generated"] - 1) / stats["tokens_per_s"], stats["saved_s"], stats["saved_is_rough"]


if __name__ == "__main__":
    main()
