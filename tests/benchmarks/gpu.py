"""specchat against llama-server on a graphics card, with models and heads that are grown from small ones.

python tests/benchmarks/gpu.py FOLDER --peer PATH/llama-server [--target-mb 8000] [--n-vocab 151936]
       [--heads EAGLE3.gguf,...] [--mtp WITH_MTP.gguf] [--draft-mb 300 | --no-draft] [--policy auto,chain,tree]
       [--lookahead 7,15] [--clients 1,4,8,16] [--no-bench]

Both must see the card: llama.cpp built for it, or GGML_BACKEND_PATH naming the backend, which both load. The result of
each `specchat bench` goes to FOLDER as JSON; the table at the end has them all, with the time of one step.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.grown import grow, grow_head, growth_to

ROOT = Path(__file__).parents[2]
MB = 10**6
THREADS = min(os.cpu_count() or 1, 8)


@dataclass(frozen=True)
class Recipe:
    """A target to grow, and who guesses for it: heads, a smaller model, or its own MTP layers."""

    source: Path
    target: Path
    size: int
    dtype: str
    noise: float
    n_vocab: int | None
    heads: Sequence[Path] = ()
    draft_size: int = 0
    """0: no model guesses."""


def main() -> None:
    options = _options()
    options.folder.mkdir(parents=True, exist_ok=True)
    _show_devices(options.peer)
    started = time.monotonic()
    with ProcessPoolExecutor() as processes:
        grown = list(processes.map(_grow, _recipes(options)))
    print(f"grown in {time.monotonic() - started:.0f} s", flush=True)
    results = []
    for target, drafts in grown:
        for draft in drafts:
            if options.clients and draft:
                _ask_at_once(options, target, draft)
            if options.no_bench:
                continue
            results.append(options.folder / f"{target.stem}-{draft.stem if draft else 'mtp'}.json")
            files = ["-m", str(target), *(["-md", str(draft)] if draft else [])]
            _run("bench", *files, *_ways(options, options.k), "--out", str(results[-1]))
            _print_table(results[-1])
        if options.lookahead:
            results.append(options.folder / f"{target.stem}-lookahead.json")
            ways = [*_ways(options, options.lookahead), "--draft-type", "lookahead"]
            _run("bench", "-m", str(target), *ways, "--out", str(results[-1]))
            _print_table(results[-1])


def _recipes(options: argparse.Namespace) -> Iterator[Recipe]:
    for size in options.target_mb:
        folder, shape = options.folder, (size * MB, options.dtype, options.noise, options.n_vocab)
        if options.heads or not options.no_draft:
            target = folder / f"target-{size}.gguf"
            draft = 0 if options.no_draft else options.draft_mb or size // 10
            yield Recipe(options.source, target, *shape, options.heads, draft * MB)
        if options.mtp:
            yield Recipe(options.mtp, folder / f"with-mtp-{size}.gguf", *shape)


def _grow(recipe: Recipe) -> tuple[Path, list[Path | None]]:
    dtype, n_vocab = recipe.dtype, recipe.n_vocab
    growth = growth_to(recipe.source, recipe.size, dtype, recipe.noise, f"Grown {recipe.size // MB} MB", n_vocab)
    grow(recipe.source, recipe.target, growth, THREADS)
    drafts: list[Path | None] = []
    for head in recipe.heads:
        grown = recipe.target.with_name(f"{recipe.target.stem}-{head.name}")
        drafts.append(grow_head(head, grown, growth.widen, dtype, n_vocab))
    if recipe.draft_size:
        draft = recipe.target.with_name(f"{recipe.target.stem}-draft.gguf")
        drafts.append(
            grow(
                recipe.source,
                draft,
                growth_to(recipe.source, recipe.draft_size, dtype, 0.0, "Grown draft", n_vocab),
            )
        )
    return recipe.target, drafts or [None]


def _show_devices(peer: Path) -> None:
    for command in ([sys.executable, "-m", "specchat", "devices"], [str(peer), "--list-devices"]):
        shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        print(f"{Path(command[0]).name}: {shown.stdout[-600:]}", flush=True)


def _ways(options: argparse.Namespace, lengths: str) -> list[str]:
    ways = ["--k", lengths, "--policy", options.policy, "-n", str(options.n), "--ignore-eos"]
    prompts = ["--workload", options.workload, "--per-workload", str(options.per_workload)]
    return [*ways, *prompts, "--repeat", str(options.rounds), "--temp", "0", "--peer", str(options.peer)]


def _ask_at_once(options: argparse.Namespace, target: Path, draft: Path) -> None:
    script, table = Path(__file__).with_name("several_clients.py"), options.folder / f"{draft.stem}-clients.json"
    files = [str(target), str(draft), "--server", str(options.peer), "--json", str(table)]
    load = ["--clients", options.clients, "-n", str(options.n), "--rounds", str(options.rounds)]
    started = time.monotonic()
    subprocess.run([sys.executable, str(script), *files, *load], cwd=ROOT, check=False)
    print(f"{time.monotonic() - started:.0f} s", flush=True)


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


def _print_table(result: Path) -> None:
    """What one step takes tells the programs apart, however many guesses were accepted."""
    if not result.exists():
        return
    print(f"{result.stem:36} {'tokens/s':>9} {'a step':>7} {'ms a step':>10}")
    for row in json.loads(result.read_text(encoding="utf-8"))["rows"]:
        if row["workload"] is None and row["tokens_per_s"]:
            length = row["mean_accepted_length"]
            step = 1000 * length / row["tokens_per_s"]
            print(f"{row['name']:36} {row['tokens_per_s']:9.1f} {length:7.2f} {step:10.2f}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--peer", type=Path, required=True, help="llama-server")
    parser.add_argument("--source", type=Path, default=ROOT / "resources" / "demo-target.gguf", help="what grows")
    parser.add_argument("--target-mb", type=lambda text: [int(one) for one in text.split(",")], default=[8000])
    parser.add_argument("--n-vocab", type=int, help="with so many tokens, as large models have")
    parser.add_argument("--heads", type=lambda text: [Path(one) for one in text.split(",")], default=[])
    parser.add_argument("--mtp", type=Path, help="a small model with MTP layers, grown as a target of its own")
    parser.add_argument("--draft-mb", type=int, help="of the model that guesses; a tenth of the target's size")
    parser.add_argument("--no-draft", action="store_true", help="without a model that guesses")
    parser.add_argument("--lookahead", default="", metavar="K,...", help="columns of lookahead to be measured, too")
    parser.add_argument("--clients", default="", metavar="N,...", help="answers at once to be measured, too")
    parser.add_argument("--no-bench", action="store_true", help="measure only answers at once")
    parser.add_argument("--dtype", choices=["F16", "Q8_0", "Q4_0"], default="Q8_0")
    parser.add_argument("--noise", type=float, default=0.5, help="of the target: more, and fewer guesses are accepted")
    parser.add_argument("--k", default="0,3,auto")
    parser.add_argument("--policy", default="auto", help="auto, chain, tree and others, as for bench")
    parser.add_argument("--per-workload", type=int, default=4)
    parser.add_argument("-n", type=int, default=128)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workload", default="chat")
    return parser.parse_args()


if __name__ == "__main__":
    main()
