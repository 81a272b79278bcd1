"""A database of 25 chats is overwritten in random places: whatever is whole must be listed, found, exported, salvaged.

python tests/benchmarks/damaged_databases.py --seeds 200
"""

import argparse
import contextlib
import io
import json
import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.commands import Outcome, run_process
from support.damage import KINDS, Chat, add_to_log, chats_with_pages, copied, make_chats, overwrite, texts_of

from specchat import bootstrap

_WRONG_ENDS = ("Traceback", "hit an internal error")


@dataclass
class Found:
    whole: int = 0
    """Chats, of all databases."""
    lacking: list[str] = field(default_factory=list)
    commands: int = 0
    ends: Counter[str] = field(default_factory=Counter)


class Trial:
    def __init__(self, home: Path, whole: list[Chat], found: Found, *, as_process: bool) -> None:
        self.home, self.whole, self.found = home, whole, found
        self._as_process = as_process

    def run(self, *arguments: str | Path) -> Outcome:
        self.found.commands += 1
        try:
            outcome = run_process(self.home, *arguments) if self._as_process else _run(self.home, *arguments)
        except AssertionError as error:
            self.found.lacking.append(f"{self.home.name} {arguments[1]}: {error}")
            return Outcome(1, b"{}\n", b"")
        self.found.ends[f"{arguments[1]} {outcome.code}"] += 1
        if outcome.code not in (0, 1) or any(sign in outcome.err for sign in _WRONG_ENDS):
            self.found.lacking.append(f"{self.home.name} {arguments[1]}: ended with {outcome.code}: {outcome.err}")
        return outcome

    def check(self, seed: str) -> None:
        listed = {each["id"] for each in self.run("chats", "list", "--json").json.get("chats", [])}
        self._require(seed, "list", [chat.id for chat in self.whole if chat.id not in listed])
        self._check_export(seed, "export")
        for chat in self.whole[:: max(1, len(self.whole) // 3)]:
            hits = self.run("chats", "search", f"word{chat.id} ", "--json").json.get("hits", [])
            self._require(seed, "search", [chat.id] if chat.id not in {hit["chat"] for hit in hits} else [])
        self.run("chats", "salvage", "--json")
        self._check_export(seed, "export after salvage")

    def _check_export(self, seed: str, what: str) -> None:
        path = self.home / "exported.json"
        path.unlink(missing_ok=True)
        outcome = self.run("chats", "export", path, "--json")
        texts = texts_of(json.loads(path.read_text("utf-8"))) if path.exists() else {}
        lacking = [chat.id for chat in self.whole if texts.get(f"Tides {chat.id}") != chat.messages]
        self._require(seed, what, lacking, outcome.err)

    def _require(self, seed: str, what: str, lacking: list[int], why: str = "") -> None:
        self.found.whole += len(self.whole) if what == "export" else 0
        if lacking:
            self.found.lacking.append(f"{seed} {what}: {lacking} {why}")


def _run(home: Path, *arguments: str | Path) -> Outcome:
    """In this process, which is quicker."""
    os.environ["SPECCHAT_HOME"] = str(home)
    out, err = io.TextIOWrapper(io.BytesIO()), io.TextIOWrapper(io.BytesIO())
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = bootstrap.run([str(argument) for argument in arguments])
    out.flush()
    err.flush()
    return Outcome(code, out.buffer.getvalue(), err.buffer.getvalue())


def trials(folder: Path, seeds: range, *, processes_every: int = 10) -> Iterator[Found]:
    original = folder / "original" / "chats.db"
    make_chats(original)
    chats = chats_with_pages(original)
    logged = copied(original, folder / "logged")
    connection = add_to_log(logged)
    in_log = {3, 9}
    for seed in seeds:
        dice = random.Random(seed)
        kind = KINDS[seed % len(KINDS)]
        home = folder / f"seed {seed}"
        path = copied(logged if kind == "log" else original, home / "data")
        hit = overwrite(path, dice, kind)
        without = in_log if kind == "log" else set()
        whole = [chat for chat in chats if not chat.pages & hit and chat.id not in without]
        found = Found()
        Trial(home, whole, found, as_process=seed % processes_every == 0).check(f"{seed} ({kind}, pages {sorted(hit)})")
        yield found
    connection.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    arguments = parser.parse_args()
    total = Found()
    with tempfile.TemporaryDirectory() as folder:
        for found in trials(Path(folder), range(arguments.first, arguments.first + arguments.seeds)):
            total.whole += found.whole
            total.commands += found.commands
            total.ends += found.ends
            total.lacking += found.lacking
            print("\n".join(found.lacking), end="\n" if found.lacking else "", flush=True)
    print(f"{arguments.seeds} databases, {total.whole} whole chats, {total.commands} commands, {dict(total.ends)}")
    print(f"{len(total.lacking)} failures")
    return 1 if total.lacking else 0


if __name__ == "__main__":
    sys.exit(main())
