"""What damaged model files cost: memory and time of each command, its children counted, and what they leave behind.

python tests/benchmarks/mutations.py [--seeds 2000] [--from 0] [--jobs 2] [--keep FOLDER]

Small models of three families (SentencePiece's vocabulary, GPT-2's, RWKV's) are changed at random, the same way for the
same seed: in two of three the metadata (values, types, lengths, the kind of tokenizer against its lists), in the third
the bytes (offsets, lengths, bits, the end). Each goes through `inspect`, `compat`, `fit` and `chat`. Every tenth has
commands of its own, started as in a terminal; the others run in forks of this process, which saves the start of the
interpreter and nothing else: what a command starts is the same.

Allowed: no command above twice its file and 600 MB with all that it starts; no more than 10 seconds, which for `chat`
counts the whole command, answer included; no process left behind; an end with 0, 1 or 3; and where it is 1, a reason.
`--keep` gets the files that break a rule.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.header_mutants import Family, families, write_mutant
from support.mutants import Original, mutants
from support.watched_commands import Run, run_watched

COMMANDS = ("inspect", "compat", "fit", "chat")
PROMPTS = ("Hello, wörld 世界 <|im_end|>", "the of and to in is it you that he " * 30)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=2000)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    runs: list[Run] = []
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        lab = Laboratory(Path(folder), options.keep)
        with ThreadPoolExecutor(options.jobs) as jobs:
            for done in jobs.map(lab.try_seed, range(options.first, options.first + options.seeds)):
                runs += done
                for run in done:
                    if run.faults:
                        print(f"BROKEN ({', '.join(run.faults)}): {run}", flush=True)
                if done[0].seed % 100 == 99:
                    print(f"seed {done[0].seed} after {time.monotonic() - start:.0f} s", flush=True)
    report(runs)
    sys.exit(any(run.faults for run in runs))


class Laboratory:
    def __init__(self, folder: Path, keep: Path | None) -> None:
        self._folder = folder
        self._keep = keep
        self._families = families()
        self._whole = [each.write(folder / f"{each.name}.gguf", each.metadata()) for each in self._families]
        self._originals = [Original.of(path.read_bytes()) for path in self._whole]

    def try_seed(self, seed: int) -> list[Run]:
        at = seed % len(self._families)
        path = self._folder / f"{seed}.gguf"
        done = f"{self._families[at].name}: {self._write(path, self._families[at], seed, at)}"
        try:
            runs = [self._run(seed, done, name, path, self._whole[at]) for name in COMMANDS]
            if self._keep is not None and any(run.faults for run in runs):
                self._keep.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, self._keep)
        finally:
            path.unlink()
        return runs

    def _write(self, path: Path, family: Family, seed: int, at: int) -> str:
        if seed // len(self._families) % 3 < 2:
            return write_mutant(path, family, seed)
        ((done, data),) = mutants([self._originals[at]], 1, seed, first=seed // 9)
        path.write_bytes(data)
        return done

    def _run(self, seed: int, what: str, name: str, path: Path, whole: Path) -> Run:
        arguments = {
            "inspect": ["inspect", str(path)],
            "compat": ["compat", str(path), str(whole)] if seed % 2 else ["compat", str(whole), str(path)],
            "fit": ["fit", str(path), "-c", "512"],
            "chat": ["chat", "-m", str(path), "-t", "1", "-c", "512", "-n", "2", "-s", "1"],
        }[name]
        if name == "chat":
            arguments += ["-p", PROMPTS[seed % 2], *(["--raw"] if seed % 4 else [])]
        return run_watched(self._folder, seed, what, name, arguments, 2 * path.stat().st_size)


def report(runs: list[Run]) -> None:
    print(f"\n{len({run.seed for run in runs})} files, {len(runs)} commands")
    print(f"{'':<9}{'0':>6}{'1':>6}{'3':>6}{'other':>7}{'most s':>9}{'most MB':>9}{'beyond 2x file':>16}{'broken':>8}")
    for name in COMMANDS:
        of_name = [run for run in runs if run.command == name]
        codes = Counter(run.code for run in of_name)
        others = len(of_name) - codes[0] - codes[1] - codes[3]
        print(
            f"{name:<9}{codes[0]:>6}{codes[1]:>6}{codes[3]:>6}{others:>7}"
            f"{max(run.seconds for run in of_name):>9.1f}{max(run.memory for run in of_name) / 2**20:>9.0f}"
            f"{max(run.beyond for run in of_name) / 2**20:>16.0f}{sum(bool(run.faults) for run in of_name):>8}"
        )
    print(f"left behind: {sum(run.left for run in runs)}")
    for title, worst in (("slowest", "seconds"), ("largest", "beyond")):
        print(f"\n{title}:")
        for run in sorted(runs, key=lambda run: float(getattr(run, worst)), reverse=True)[:5]:
            last = run.reason.strip().rpartition("\nhint")[0].rpartition("\n")[2][:120]
            print(
                f"  {run.seed} {run.what}: {run.command} {run.seconds:.1f} s {run.memory >> 20} MB, {run.code}: {last}"
            )


if __name__ == "__main__":
    main()
