"""Each part of the estimate against what a real load allocates, and what an estimate costs.

python tests/benchmarks/fit_accuracy.py [--largest GIB] [CASE ...]

The files have the sizes of real models and no weights; the real load maps and rearranges zeros. Loads that would take
more than what is allowed are left out, and the estimate stands alone.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent))
from support.choices import choice_of
from support.real_loads import load_elsewhere
from support.sparse import SHAPES, Mix, make_sparse

from specchat.backends.memory_measurer import MemoryMeasurer
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import CacheType, ModelSettings, PairChoice
from specchat.services.generation.drafter_choice import build_draft_settings, build_target_settings
from specchat.services.memory.fit_estimator import FitEstimator
from specchat.services.memory.memory_estimates import MemoryEstimates
from specchat.services.models.model_refs import path_for_ref
from specchat.services.models.pair_fit import EstimateMethod
from specchat.store.json_cache import JsonCache

MIB, GIB = 2**20, 2**30
SLACK = 0.006 * MIB
"""The log has two decimals."""


@dataclass(frozen=True)
class Case:
    target: str
    mix: Mix
    n_ctx: int
    cache_type: CacheType = CacheType.F16
    draft: str | None = None
    exact: bool = False

    @property
    def name(self) -> str:
        parts = [self.target, self.mix, f"{self.n_ctx // 1024}k", str(self.cache_type), self.draft or "no draft"]
        return " ".join([*parts, *["exact"] * self.exact])

    def choice(self, folder: Path) -> PairChoice:
        common = ModelSettings(cache_type=self.cache_type, exact=self.exact, threads=1)
        draft = _file(folder, self.draft, "Q8_0") if self.draft else None
        target = _file(folder, self.target, self.mix)
        return choice_of(target, draft, replace(common, n_ctx=self.n_ctx), common)


Q8 = CacheType.Q8_0
CASES = [
    Case("qwen2-0.5b", "F16", 2048),
    Case("qwen2-0.5b", "Q8_0", 32768, Q8),
    Case("qwen3-0.6b", "Q4_K_M", 8192),
    Case("qwen3-0.6b", "F16", 32768, exact=True),
    Case("gemma3-1b", "Q4_K_M", 8192),
    Case("gemma3-1b", "F16", 32768, Q8),
    Case("llama-1b", "Q8_0", 8192, Q8),
    Case("llama-1.1b", "Q4_K_M", 2048),
    Case("llama-1.1b", "F16", 8192, Q8, exact=True),
    Case("moe-7b", "Q4_K_M", 8192),
    Case("moe-7b", "Q4_K_M", 2048, Q8, exact=True),
    Case("llama-7b", "Q4_K_M", 2048, draft="llama-1.1b"),
    Case("llama-7b", "Q8_0", 8192, Q8, draft="llama-1.1b"),
    Case("qwen2-7b", "Q4_K_M", 8192, draft="qwen2-0.5b"),
    Case("qwen2-7b", "Q8_0", 32768, Q8, draft="qwen2-0.5b"),
    Case("llama-8b", "Q4_K_M", 8192, draft="llama-1b"),
    Case("llama-8b", "Q4_K_M", 32768, Q8, draft="llama-1b", exact=True),
    Case("llama-8b", "Q8_0", 2048),
]


@dataclass(frozen=True)
class Row:
    case: str
    who: str
    device: str
    estimated: MemoryBreakdown
    loaded: MemoryBreakdown | None
    n_outputs: int

    def worst(self) -> float:
        """Of all parts: how far the estimate is off. A real load tells the size of one output only."""
        assert self.loaded is not None
        guess, real = self.estimated, self.loaded
        return max(
            _off(guess.weights, real.weights, SLACK),
            _off(guess.kv, real.kv, SLACK),
            _off(guess.compute, real.compute, SLACK),
            _off(guess.output, real.output, self.n_outputs * SLACK),
        )


def _off(guess: int, real: int, slack: float) -> float:
    return max(0.0, abs(guess - real) - slack) / max(real, 1)


@dataclass(frozen=True)
class Cost:
    """Of the estimate of one pair, in a process that was not there before, and of one with another context."""

    seconds: float
    """Longer on a busy machine; on an idle one less than the processors' time, which two processes share."""
    cpu_seconds: float
    peak: int
    again_s: float


def measured(case: Case, folder: Path, largest: float) -> tuple[list[Row], Cost]:
    choice = case.choice(folder)
    measurer = MemoryMeasurer()
    fits = FitEstimator(measurer, MemoryEstimates(JsonCache(folder / "estimates.json")))
    try:
        start, own = time.monotonic(), time.process_time()
        found = fits.fit(choice)
        seconds, own = time.monotonic() - start, time.process_time() - own
        assert found.method is not EstimateMethod.FORMULA
        cost = _cost(measurer, seconds, own, choice, fits)
    finally:
        fits.close()
    settings = {"target": build_target_settings(choice), "draft": build_draft_settings(choice, found.n_ctx)}
    loads = _loads(choice, settings, largest * GIB > sum(device.needed for device in found.devices))
    n_outputs = {who: how.max_draft + 1 for who, how in settings.items()}
    return [
        Row(case.name, who, device.name, getattr(device, who), loads[who].get(device.name), n_outputs[who])
        for device in found.devices
        for who in ("target", "draft")
        if getattr(device, who).total
    ], cost


def _cost(measurer: MemoryMeasurer, seconds: float, own: float, choice: PairChoice, fits: FitEstimator) -> Cost:
    child = psutil.Process(measurer._child.pid)
    used = child.cpu_times()
    peak = next(
        int(line.split()[1]) * 1024
        for line in Path(f"/proc/{child.pid}/status").read_text().splitlines()
        if line.startswith("VmHWM")
    )
    start = time.monotonic()
    fits.fit(replace(choice, target_settings=replace(choice.target_settings, n_ctx=4096)))
    return Cost(seconds, own + used.user + used.system, peak, time.monotonic() - start)


def _loads(
    choice: PairChoice, settings: Mapping[str, ModelSettings], allowed: bool
) -> dict[str, Mapping[str, MemoryBreakdown]]:
    models = {"target": choice.target, "draft": choice.draft}
    return {
        who: load_elsewhere(path_for_ref(ref), settings[who]) if ref and allowed else {} for who, ref in models.items()
    }


def _file(folder: Path, name: str, mix: Mix) -> Path:
    path = folder / f"{name}-{mix}.gguf"
    return path if path.exists() else make_sparse(path, SHAPES[name], mix)


def main() -> None:
    options = arguments()
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            if options.case and not any(name in case.name for name in options.case):
                continue
            rows, cost = measured(case, Path(folder), options.largest)
            worst = max([worst, *(row.worst() for row in rows if row.loaded)])
            print("\n".join(lines(rows, cost)), flush=True)
    print(f"worst part: {worst:.2%}")
    sys.exit(worst > 0.01)


def lines(rows: list[Row], cost: Cost) -> Iterator[str]:
    took = f"{cost.seconds:.2f} s ({cost.cpu_seconds:.2f} s of CPU), {cost.peak / MIB:.0f} MiB"
    yield f"{rows[0].case}: {took}, again {cost.again_s:.3f} s"
    for row in rows:
        for part, size in asdict(row.estimated).items():
            real = "       -" if row.loaded is None else f"{asdict(row.loaded)[part] / MIB:10.2f}"
            yield f"    {row.device} {row.who:6} {part:7} {size / MIB:10.2f} {real} MiB"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", nargs="*", help="words that a case's name has")
    parser.add_argument("--largest", type=float, default=4.0, metavar="GIB", help="the largest real load")
    return parser.parse_args()


if __name__ == "__main__":
    main()
