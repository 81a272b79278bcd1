"""Where early exit pays: what each number of layers would bring, what the program chooses, and what that brings.

python tests/benchmarks/early_exit.py FOLDER [TARGET ...] [--noise 0,2,4,8] [--size-mb 300] [--repeat 3]

Without targets, some are grown from the demo's draft: the first layers know what to say, and those added after them
blur it, by so much noise. A row is printed for each target: "kept" tells what the program itself would have done. Its
draft is then measured in any case, in exact mode, where no token may differ from plain decoding.
"""

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.grown import grow, growth_to

from specchat.container import Container
from specchat.domain.benchmark import BenchPlan, BenchRow
from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import SamplingParams
from specchat.services.bench.plan import plan_methods
from specchat.services.bench.runner import Benchmark
from specchat.services.bench.workloads import workload_prompts
from specchat.services.drafts.early_exit_offer import EarlyExitReport, offer_early_exit
from specchat.services.drafts.early_exit_search import GAINS
from specchat.store.paths import Paths

ROOT = Path(__file__).parents[2]
WORKLOADS = ("chat", "code", "list")


def main() -> None:
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    home = options.folder / "home"
    parts = Container(Paths(*(home / name for name in ("data", "config", "cache", "logs"))))
    for target in options.targets or grown_targets(options):
        search = parts.early_exit_search()
        report = search.search(offer_early_exit(target), CancelToken(), keep_any=True)
        made = search.store.find(target)
        assert made is not None
        row = measured(parts, target, made.path, options)
        print(_line(target, report, row), flush=True)


def grown_targets(options: argparse.Namespace) -> Iterator[Path]:
    source = ROOT / "resources" / "demo-draft.gguf"
    shape = growth_to(source, options.size_mb * 10**6, "Q8_0", 0.0, "Grown")
    for noise in options.noise:
        path = options.folder / f"noise-{noise:g}.gguf"
        yield path if path.exists() else grow(source, path, replace(shape, noise=noise))


def measured(parts: Container, target: Path, draft: Path, options: argparse.Namespace) -> BenchRow:
    plan = BenchPlan(
        methods=plan_methods([(target, draft)], (None,), "model"),
        prompts=workload_prompts(WORKLOADS, 2),
        repeat=options.repeat,
        max_tokens=options.tokens,
        sampling=SamplingParams(temperature=0.0),
        exact=True,
    )
    report = Benchmark(plan, parts.pair_loader(), CancelToken()).run()
    return next(row for row in report.rows if row.workload is None and not row.method.is_plain)


def _line(target: Path, report: EarlyExitReport, row: BenchRow) -> str:
    best = report.best
    tried = ", ".join(f"{trial.n_layers}: {trial.speedup:.2f} ({trial.acceptance:.0%})" for trial in report.trials)
    found = f"{row.ratio.median:.2f} ({row.ratio.lowest:.2f} to {row.ratio.highest:.2f})" if row.ratio else "?"
    chosen = "kept" if best.speedup >= GAINS else "not kept"
    return (
        f"{target.stem}, {report.n_layers} layers | {tried} | {best.n_layers}, {chosen} | "
        f"auto {found} | same tokens {row.n_same} of {row.n_compared}"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("targets", type=Path, nargs="*", metavar="TARGET")
    parser.add_argument("--noise", type=lambda text: [float(part) for part in text.split(",")], default=[0, 2, 4, 8])
    parser.add_argument("--size-mb", type=int, default=300)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=64)
    return parser.parse_args()


if __name__ == "__main__":
    main()
