"""specchat against llama-server on a graphics card, with pairs and heads that are grown from the demo's files.

python tests/benchmarks/gpu.py FOLDER --peer PATH/llama-server [--target-mb 1000,4000] [--heads HEAD.gguf,...]

Both must see the card: llama.cpp built for it, or GGML_BACKEND_PATH naming the backend, which both load. The result of
each `specchat bench` goes to FOLDER as JSON; the card's use while it runs is printed where nvidia-smi is installed.
"""

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.grown import Growth, grow, grow_head, growth_to

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "resources"
MB = 10**6


def main() -> None:
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    _run("bench", "-m", "demo", *_ways(options), "--out", str(options.folder / "demo.json"))
    started = time.monotonic()
    with ProcessPoolExecutor() as processes:
        pairs = list(processes.map(_grown, *zip(*_pairs(options), strict=True)))
    print(f"grown in {time.monotonic() - started:.0f} s", flush=True)
    for target, drafts in pairs:
        for draft in drafts:
            out = options.folder / f"{target.stem}-{draft.stem}.json"
            _run("bench", "-m", str(target), "-md", str(draft), *_ways(options), "--out", str(out))


def _pairs(options: argparse.Namespace) -> Iterator[tuple[Path, Growth, list[Path]]]:
    for size in options.target_mb:
        growth = growth_to(DEMO / "demo-target.gguf", size * MB, options.dtype, options.noise, f"Grown {size} MB")
        yield options.folder / f"target-{size}.gguf", growth, options.heads


def _grown(target: Path, growth: Growth, heads: list[Path]) -> tuple[Path, list[Path]]:
    """The target with what guesses for it: a model a tenth as large, and the heads widened as much."""
    grow(DEMO / "demo-target.gguf", target, growth)
    size = target.stat().st_size // 10
    draft = target.with_name(f"{target.stem}-draft.gguf")
    grow(DEMO / "demo-target.gguf", draft, growth_to(DEMO / "demo-target.gguf", size, growth.dtype, 0.0, "Grown draft"))
    grown = [grow_head(head, target.with_name(f"{target.stem}-{head.name}"), growth.widen) for head in heads]
    return target, [draft, *grown]


def _ways(options: argparse.Namespace) -> list[str]:
    ways = ["--k", options.k, "-n", str(options.n), "--ignore-eos", "--repeat", str(options.rounds)]
    return [*ways, "--workload", options.workload, "--temp", "0", "--peer", str(options.peer)]


def _run(*arguments: str) -> None:
    print(f"\nspecchat {' '.join(arguments)}", flush=True)
    started = time.monotonic()
    with subprocess.Popen([sys.executable, "-m", "specchat", *arguments], cwd=ROOT) as bench:
        used = list(_use_of_the_card(bench))
    print(f"{time.monotonic() - started:.0f} s; the card at its busiest: {max(used, default='not seen')}", flush=True)


def _use_of_the_card(process: "subprocess.Popen[bytes]") -> Iterator[str]:
    ask = ["nvidia-smi", "--query-gpu=utilization.gpu,memory.used", "--format=csv,noheader"]
    while process.poll() is None:
        if shutil.which(ask[0]):
            said = subprocess.run(ask, capture_output=True, text=True, check=False).stdout.strip()
            yield f"{said.partition(' ')[0]:>3} %, {said.partition(', ')[2]}"
        time.sleep(1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--peer", type=Path, required=True, help="llama-server")
    parser.add_argument("--target-mb", type=lambda text: [int(one) for one in text.split(",")], default=[1000, 4000])
    parser.add_argument("--heads", type=lambda text: [Path(one) for one in text.split(",")], default=[])
    parser.add_argument("--dtype", choices=["F16", "Q8_0", "Q4_0"], default="Q8_0")
    parser.add_argument("--noise", type=float, default=0.5, help="of the target: more, and fewer guesses are accepted")
    parser.add_argument("--k", default="0,3,7,auto")
    parser.add_argument("-n", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workload", default="chat")
    return parser.parse_args()


if __name__ == "__main__":
    main()
