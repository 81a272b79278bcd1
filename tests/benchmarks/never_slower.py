"""Is auto never slower than plain decoding, about as good as the best fixed length, and ahead of llama-server?

python tests/benchmarks/never_slower.py FOLDER --target T.gguf --draft good=A.gguf --draft hopeless=B.gguf \
    --server PATH_TO_llama-server [--prompts questions.jsonl] [--demo] [--busy TRIES]

Each draft is measured by `specchat bench`, everything interleaved in one run, into FOLDER/NAME.json; what is there
already is only reported. A cell is a draft and a kind of prompt; its figures are medians over prompts and rounds of
ratios within a round. llama-server's draft reads the prompt before the first token, ours after it: what its first
token comes later than without the draft counts as part of its answer.

--prompts   other prompts than those that ship with the program, such as Spec-Bench's
--demo      one more cell: the demo pair with eight of its own questions
--busy      three more cells for the first draft: a computer that is busy for a while, as in busy_minutes.py
"""

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, exp, log
from pathlib import Path
from statistics import fmean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks import busy_minutes

from specchat.engine.stop_rules import POLICIES

PLAIN, AUTO, PEER_DEFAULT = "plain", "auto", "llama-server default"
PEER_PLAIN = "llama-server"
BUSY_PROGRAMS = 4
DEMO = {
    "target": "demo-target",
    "prompts": str(Path(__file__).parents[2] / "packaging" / "demo" / "evaluation" / "prompts.jsonl"),
    "workload": "guide",
    "per_workload": 8,
    "repeat": 2,
    "k": "0,4,auto",
}
UNLIKELY = 0.07
"""How often the truth may lie elsewhere: five rounds are just enough."""
Run = tuple[str, int, int]
"""Which way, prompt and round."""


@dataclass(frozen=True)
class Cell:
    draft: str
    workload: str
    auto: float
    """Against plain, as all that follow."""
    likely: tuple[float, float]
    """Between these auto is in truth, in 19 of 20 cells."""
    fixed: dict[str, float]
    peer: dict[str, float]
    same_text: bool

    @property
    def best_fixed(self) -> float:
        return max(self.fixed.values(), default=1.0)

    @property
    def best_peer(self) -> float | None:
        swept = [value for name, value in self.peer.items() if name != PEER_PLAIN]
        return max(swept, default=None)


def main() -> None:
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    cells = [cell for name, draft in options.draft for cell in cells_of(name, measured(name, draft, options))]
    if options.demo:
        cells += cells_of("demo", measured("demo", "demo-draft", replaced(options, **DEMO)))
    if options.busy:
        cells += busy_cells(options)
    _print_table(cells)
    _print_verdicts(cells)
    for name, draft in options.draft:
        _print_regrets(name, measured(name, draft, options))


def measured(name: str, draft: str, options: argparse.Namespace) -> dict[str, Any]:
    file: Path = options.folder / f"{name}.json"
    if not file.exists():
        command = [sys.executable, "-m", "specchat", "bench", "-m", options.target, "-md", draft, "--k", options.k]
        command += ["-n", str(options.n), "--repeat", str(options.repeat), "--per-workload", str(options.per_workload)]
        command += ["--temp", str(options.temp), "--policy", options.policy, "--out", str(file)]
        command += ["--peer", options.server] if options.server else []
        command += ["--exact"] if options.exact else []
        command += ["--workload", options.workload] if options.workload else []
        command += ["--prompts", str(_first_of_each_kind(name, options))] if options.prompts else []
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


def _first_of_each_kind(name: str, options: argparse.Namespace) -> Path:
    kinds: dict[str, list[str]] = defaultdict(list)
    for line in Path(options.prompts).read_text(encoding="utf-8").splitlines():
        kinds[json.loads(line)["category"]].append(line)
    chosen = [line for lines in kinds.values() for line in lines[: options.per_workload]]
    file: Path = options.folder / f"{name}-prompts.jsonl"
    file.write_text("\n".join(chosen), encoding="utf-8")
    return file


def replaced(options: argparse.Namespace, **changed: object) -> argparse.Namespace:
    return argparse.Namespace(**{**vars(options), **changed})


def busy_cells(options: argparse.Namespace) -> Iterator[Cell]:
    name, draft = options.draft[0]
    server = Path(options.server) if options.server else None
    changed = {"target": Path(options.target), "draft": Path(draft), "server": server, "programs": BUSY_PROGRAMS}
    found: dict[str, list[busy_minutes.Speeds]] = defaultdict(list)
    for _ in range(options.busy):
        for case, speeds in busy_minutes.one_try(replaced(options, **changed)):
            found[case].append(speeds)
    for case, tries in found.items():
        auto = sorted(busy_minutes.ratio(speeds, PLAIN) for speeds in tries)
        peer = [median(speeds[PEER_DEFAULT]) / median(speeds[PLAIN]) for speeds in tries if PEER_DEFAULT in speeds]
        peers = {PEER_DEFAULT: median(peer)} if peer else {}
        yield Cell(name, case, median(auto), likely(auto), {PLAIN: 1.0}, peers, same_text=True)


def cells_of(draft: str, report: dict[str, Any]) -> Iterator[Cell]:
    runs = report["runs"]
    for workload in dict.fromkeys(run["workload"] for run in runs):
        here = [run for run in runs if run["workload"] == workload]
        stats = {(run["name"], run["prompt"], run["round"]): run["stats"] for run in here}
        speeds = {key: _speed(key, stats) for key in stats}
        found = {name: _ratios(speeds, name) for name in dict.fromkeys(run["name"] for run in here)}
        ratios = {name: median(values) for name, values in found.items()}
        peer = {name: ratio for name, ratio in ratios.items() if name.startswith("llama-server")}
        fixed = {name: ratio for name, ratio in ratios.items() if name.startswith("K=")}
        same = all(run["same_as_plain"] is not False for run in here)
        yield Cell(draft, workload, ratios[AUTO], likely(found[AUTO]), {PLAIN: 1.0, **fixed}, peer, same)


def _speed(key: Run, stats: Mapping[Run, dict[str, float]]) -> float:
    found, (name, prompt, round_) = stats[key], key
    speed, follow = found["tokens_per_s"], found["n_generated"] - 1
    without = stats.get((PEER_PLAIN, prompt, round_))
    if without is None or not name.startswith(PEER_PLAIN) or not speed or follow < 1:
        return speed
    read = max(0.0, found["ttft_s"] - without["ttft_s"])
    return follow / (follow / speed + read)


def _ratios(speeds: Mapping[Run, float], name: str) -> list[float]:
    return sorted(
        speed / speeds[PLAIN, prompt, round_]
        for (way, prompt, round_), speed in speeds.items()
        if way == name and speeds.get((PLAIN, prompt, round_))
    )


def likely(ratios: Sequence[float]) -> tuple[float, float]:
    """Where the median lies, whatever the distribution: so many on each side are left out as chance allows."""
    n = len(ratios)
    left_out = 0
    while 2 * sum(comb(n, k) for k in range(left_out + 2)) <= UNLIKELY * 2**n:
        left_out += 1
    return ratios[left_out], ratios[n - 1 - left_out]


def _print_table(cells: Sequence[Cell]) -> None:
    names = list(dict.fromkeys(name for cell in cells for name in [*cell.fixed, *cell.peer] if name != PLAIN))
    heads = [name.replace("llama-server", "peer") for name in names]
    columns = f"{'draft':<10} {'prompts':<16} {'auto':>6} {'likely':>12} {'/best':>6} "
    print(columns + " ".join(f"{head:>12}" for head in heads))
    for cell in cells:
        values = {**cell.fixed, **cell.peer}
        figures = " ".join(f"{values[name]:>12.2f}" if name in values else " " * 12 for name in names)
        ratio = cell.auto / cell.best_fixed
        likely = "{:.2f} to {:.2f}".format(*cell.likely)
        print(f"{cell.draft:<10} {cell.workload:<16} {cell.auto:>6.2f} {likely:>12} {ratio:>6.2f} {figures}")


def _print_verdicts(cells: Sequence[Cell]) -> None:
    worst = min(cells, key=lambda cell: cell.auto)
    likely = "{:.2f} to {:.2f}".format(*worst.likely)
    print(f"worst cell: {worst.auto:.2f} of plain (likely {likely}), {worst.draft}, {worst.workload}")
    below, surely = sum(cell.auto < 0.98 for cell in cells), sum(cell.likely[1] < 0.98 for cell in cells)
    print(f"below 0.98: {below} of {len(cells)} cells, {surely} of them beyond doubt")
    print(f"lowest against the best fixed length of its cell: {_lowest(cells):.3f} (at least 0.95)")
    swept = [cell for cell in cells if cell.fixed.keys() - {PLAIN}] or cells
    common = set.intersection(*(set(cell.fixed) for cell in swept))
    best = max(common, key=lambda name: mean(cell.fixed[name] for cell in swept))
    print(f"over all cells: auto {mean(c.auto for c in swept):.3f}, {best} {mean(c.fixed[best] for c in swept):.3f}")
    _against(cells, "llama-server's default", lambda cell: cell.peer.get(PEER_DEFAULT), 1.25)
    _against(cells, "llama-server's best length of each cell", lambda cell: cell.best_peer, 1.10)
    print("the same text as plain decoding in every run" if all(c.same_text for c in cells) else "texts differ")


def _print_regrets(draft: str, report: dict[str, Any]) -> None:
    for policy, regret in regrets(report).items():
        print(f"regret of {policy} with {draft}: {regret:.1%} of the best fixed length of each prompt")


def regrets(report: dict[str, Any]) -> dict[str, float]:
    """How far each policy stays behind the fixed length, plain decoding among them, that is best for each prompt."""
    speeds: dict[tuple[str, int], list[float]] = defaultdict(list)
    for run in report["runs"]:
        speeds[run["name"], run["prompt"]].append(run["stats"]["tokens_per_s"])
    usual = {key: median(found) for key, found in speeds.items()}
    policies = [name for name in dict.fromkeys(run["name"] for run in report["runs"]) if name in POLICIES]
    return {
        policy: fmean(_regret(policy, prompt, usual) for name, prompt in usual if name == policy) for policy in policies
    }


def _regret(policy: str, prompt: int, usual: Mapping[tuple[str, int], float]) -> float:
    fixed = [speed for (name, at), speed in usual.items() if at == prompt and (name == PLAIN or name.startswith("K="))]
    return 1 - usual[policy, prompt] / max(fixed)


def _lowest(cells: Sequence[Cell]) -> float:
    return min(cell.auto / cell.best_fixed for cell in cells)


def _against(cells: Sequence[Cell], what: str, of: Callable[[Cell], float | None], goal: float) -> None:
    ratios = [cell.auto / value for cell in cells if (value := of(cell))]
    if ratios:
        print(f"against {what}: {mean(ratios):.3f}, lowest {min(ratios):.3f} (at least {goal} in the mean)")


def mean(values: Iterable[float]) -> float:
    """Geometric."""
    logs = [log(value) for value in values]
    return exp(sum(logs) / len(logs))


def _named(text: str) -> tuple[str, str]:
    name, _, path = text.partition("=")
    return name, path


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--target", required=True)
    parser.add_argument("--draft", type=_named, action="append", required=True, metavar="NAME=FILE")
    parser.add_argument("--server")
    parser.add_argument("--k", default="0,1,2,3,5,8,auto")
    parser.add_argument("-n", type=int, default=128)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--per-workload", type=int, default=1)
    parser.add_argument("--workload", default="")
    parser.add_argument("--prompts")
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--busy", type=int, default=0, metavar="TRIES")
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--temp", type=float, default=0.0)
    parser.add_argument("--policy", default="auto", metavar="POLICY,...")
    return parser.parse_args()


if __name__ == "__main__":
    main()
