"""Is auto never slower than plain decoding, about as good as the best fixed length, and ahead of llama-server?

python tests/benchmarks/never_slower.py FOLDER --target T.gguf --draft good=A.gguf --draft hopeless=B.gguf \
    --server PATH_TO_llama-server

Each draft is measured by `specchat bench`, everything interleaved in one run, into FOLDER/NAME.json; what is there
already is only reported. A cell is a draft and a kind of prompt; its figures are medians over prompts and rounds of
ratios within a round. llama-server's draft reads the prompt before the first token, ours after it: what its first
token comes later than without the draft counts as part of its answer.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import comb, exp, log
from pathlib import Path
from statistics import median
from typing import Any

PLAIN, AUTO, PEER_DEFAULT = "plain", "auto", "llama-server default"
PEER_PLAIN = "llama-server"
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
    _print_table(cells)
    _print_verdicts(cells)


def measured(name: str, draft: str, options: argparse.Namespace) -> dict[str, Any]:
    file: Path = options.folder / f"{name}.json"
    if not file.exists():
        command = [sys.executable, "-m", "specchat", "bench", "-m", options.target, "-md", draft, "--k", options.k]
        command += ["-n", str(options.n), "--repeat", str(options.repeat), "--per-workload", str(options.per_workload)]
        command += ["--temp", str(options.temp), "--out", str(file)]
        command += ["--peer", options.server] if options.server else []
        command += ["--exact"] if options.exact else []
        command += ["--workload", options.workload] if options.workload else []
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found


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
        yield Cell(draft, workload, ratios[AUTO], _likely(found[AUTO]), {PLAIN: 1.0, **fixed}, peer, same)


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


def _likely(ratios: Sequence[float]) -> tuple[float, float]:
    """Where the median lies, whatever the distribution: so many on each side are left out as chance allows."""
    n = len(ratios)
    left_out = 0
    while 2 * sum(comb(n, k) for k in range(left_out + 2)) <= UNLIKELY * 2**n:
        left_out += 1
    return ratios[left_out], ratios[n - 1 - left_out]


def _print_table(cells: Sequence[Cell]) -> None:
    names = list(dict.fromkeys(name for cell in cells for name in [*cell.fixed, *cell.peer] if name != PLAIN))
    heads = [name.replace("llama-server", "peer") for name in names]
    columns = f"{'draft':<10} {'prompts':<10} {'auto':>6} {'likely':>12} {'/best':>6} "
    print(columns + " ".join(f"{head:>12}" for head in heads))
    for cell in cells:
        values = {**cell.fixed, **cell.peer}
        figures = " ".join(f"{values[name]:>12.2f}" if name in values else " " * 12 for name in names)
        ratio = cell.auto / cell.best_fixed
        likely = "{:.2f} to {:.2f}".format(*cell.likely)
        print(f"{cell.draft:<10} {cell.workload:<10} {cell.auto:>6.2f} {likely:>12} {ratio:>6.2f} {figures}")


def _print_verdicts(cells: Sequence[Cell]) -> None:
    below, surely = sum(cell.auto < 0.98 for cell in cells), sum(cell.likely[1] < 0.98 for cell in cells)
    print(f"lowest against plain: {min(cell.auto for cell in cells):.3f} (at least 0.98)")
    print(f"below 0.98: {below} of {len(cells)} cells, {surely} of them beyond doubt")
    print(f"lowest against the best fixed length of its cell: {_lowest(cells):.3f} (at least 0.95)")
    common = set.intersection(*(set(cell.fixed) for cell in cells))
    best = max(common, key=lambda name: mean(cell.fixed[name] for cell in cells))
    print(f"over all cells: auto {mean(c.auto for c in cells):.3f}, {best} {mean(c.fixed[best] for c in cells):.3f}")
    _against(cells, "llama-server's default", lambda cell: cell.peer.get(PEER_DEFAULT), 1.25)
    _against(cells, "llama-server's best length of each cell", lambda cell: cell.best_peer, 1.10)
    print("the same text as plain decoding in every run" if all(c.same_text for c in cells) else "texts differ")


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
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--temp", type=float, default=0.0)
    return parser.parse_args()


if __name__ == "__main__":
    main()
