"""The options of `specchat bench`."""

import argparse
import secrets
from functools import partial
from pathlib import Path

from specchat.cli import App
from specchat.cli.argument_types import MAX_GUESSES, integer_in_range, number_in_range, parse_draft_length
from specchat.cli.device_options import add_device_options, place_draft, place_target
from specchat.cli.engine_arguments import served_model
from specchat.cli.model_options import MODEL_HELP, add_context_option, add_layer_options, add_threads_option
from specchat.cli.option_notes import (
    note_large_context,
    note_larger_draft,
    note_many_threads,
    note_rpc,
    note_small_context,
)
from specchat.domain.benchmark import BenchPlan, BenchPrompt
from specchat.domain.errors import SettingError
from specchat.domain.types import SAMPLING_LIMITS, ModelSettings, SamplingParams
from specchat.services.bench.plan import (
    DEFAULT_LENGTHS,
    POLICIES,
    Pairs,
    find_server,
    plan_engines,
    plan_methods,
    resolve_pairs,
)
from specchat.services.bench.prompt_files import read_prompt_file
from specchat.services.bench.workloads import workload_names, workload_prompts


def add_bench_arguments(parser: argparse.ArgumentParser) -> None:
    _add_models(parser)
    _add_prompts(parser)
    add = parser.add_argument
    lengths = f"guesses per pass to compare, up to {MAX_GUESSES}; 0: plain decoding (default: 0,2,4,8,auto)"
    add("--k", type=_lengths, default=DEFAULT_LENGTHS, metavar="K,...", help=lengths)
    policies = (
        f"how to decide the number of guesses if K is auto: {', '.join(POLICIES)}; compare several with commas. "
        "chain: auto without branches. tree: for each other K, also a second candidate for each guess"
    )
    add("--policy", type=_names, default=POLICIES[:1], metavar="POLICY,...", help=f"{policies} (default: auto)")
    add("--draft-type", default="auto", metavar="TYPE", help="draft type, as in specchat chat (default: auto)")
    tokens = "maximum tokens per answer (default: 128)"
    add("-n", "--predict", type=integer_in_range(1, 1 << 24), default=128, metavar="N", help=tokens)
    rounds = "rounds; in each, every method answers every prompt (default: 5)"
    add("--repeat", type=integer_in_range(1, 10_000), default=5, metavar="R", help=rounds)
    add(
        "--temp",
        type=number_in_range(*SAMPLING_LIMITS["temperature"]),
        default=0.0,
        metavar="T",
        help="temperature (default: 0)",
    )
    seed = "random seed for sampling (default: random)"
    add("-s", "--seed", type=integer_in_range(*SAMPLING_LIMITS["seed"]), default=-1, metavar="S", help=seed)
    add("--ignore-eos", action="store_true", help="always generate N tokens, ignoring end-of-generation tokens")
    add("--exact", action="store_true", help="use exact mode: every method must give the same text")
    add("--peer", metavar="PATH", help="also measure this llama-server on the same files")
    add("--out", type=Path, metavar="FILE", help="write results to FILE.json, or one row per answer to FILE.csv")
    add("--plot", type=Path, metavar="FILE.png", help="plot the results")


def _add_models(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    several = f"target model: {MODEL_HELP}; compare several with commas or repeated -m"
    add("-m", "--model", action="append", default=[], metavar="TARGET", help=several)
    drafts = "draft model, or none to guess from earlier text only; compare several with commas or repeated -md"
    add("-md", "--model-draft", action="append", default=[], metavar="DRAFT", help=drafts)
    engines = "also measure an engine, given by its address or saved name, optionally with #MODEL; may be repeated"
    add("--engine", action="append", default=[], metavar="URL|NAME", help=engines)
    add_context_option(parser)
    add_layer_options(parser)
    add_device_options(parser)
    add_threads_option(parser)


def _add_prompts(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    own = 'your own prompts: one {"prompt": "...", "workload": "..."} per line, or one prompt per line in .txt or .md'
    add("--prompts", type=Path, metavar="FILE", help=own)
    names = ", ".join(workload_names())
    add("--workload", metavar="NAME,...", help=f"kinds of prompts (default: all): {names}")
    add(
        "--per-workload",
        type=integer_in_range(1, 1000),
        default=2,
        metavar="N",
        help="prompts per kind (default: 2)",
    )


def bench_plan(arguments: argparse.Namespace, app: App) -> BenchPlan:
    if not (arguments.model or arguments.engine):
        raise argparse.ArgumentError(None, "one of the arguments -m/--model --engine is required")
    if not arguments.model and (arguments.peer or arguments.model_draft):
        raise argparse.ArgumentError(None, "-md and --peer need -m: they are for models on this computer")
    if arguments.peer and arguments.rpc:
        raise argparse.ArgumentError(None, "--peer and --rpc can't be combined: an RPC server serves one program")
    note_rpc(arguments.rpc)
    engines = [served_model(each, app) for each in arguments.engine]
    pairs = _pairs(arguments, app) if arguments.model else ()
    note_small_context(arguments.ctx_size)
    note_many_threads(arguments.threads)
    for target in dict.fromkeys(target for target, _ in pairs):
        note_large_context(arguments.ctx_size, target)
    for target, draft in pairs:
        note_larger_draft(target, draft)
    peer = None if arguments.peer is None else find_server(arguments.peer)
    return BenchPlan(
        methods=(
            *plan_methods(pairs, arguments.k, arguments.draft_type, peer, arguments.policy),
            *plan_engines(pairs, engines),
        ),
        prompts=_prompts(arguments),
        repeat=arguments.repeat,
        max_tokens=arguments.predict,
        sampling=SamplingParams(
            temperature=arguments.temp, seed=arguments.seed if arguments.seed >= 0 else secrets.randbits(32)
        ),
        n_ctx=arguments.ctx_size,
        gpu_layers=arguments.gpu_layers,
        draft_gpu_layers=arguments.gpu_layers_draft,
        target_settings=place_target(ModelSettings(), arguments),
        draft_settings=place_draft(ModelSettings(), arguments),
        threads=arguments.threads,
        exact=arguments.exact,
        ignore_eos=arguments.ignore_eos,
    )


def _pairs(arguments: argparse.Namespace, app: App) -> Pairs:
    targets = _listed(arguments.model) or [""]  # which is no name, and refused
    drafts = _listed(arguments.model_draft)
    draft_for = partial(app.early_exits().draft_for, arguments.draft_type, is_named=bool(drafts))
    return [(target, draft_for(target, draft)) for target, draft in resolve_pairs(targets, drafts)]


def _prompts(arguments: argparse.Namespace) -> tuple[BenchPrompt, ...]:
    """Of a file, those of the kinds that are asked for."""
    wanted = tuple(filter(None, (arguments.workload or "").split(",")))
    if arguments.prompts is not None:
        return _of_kinds(arguments.prompts, wanted)
    unknown = [name for name in wanted if name not in workload_names()]
    if unknown:
        known = ", ".join(workload_names())
        raise argparse.ArgumentError(None, f"unknown workload {unknown[0]!r} (choose from {known})")
    return workload_prompts(wanted or workload_names(), arguments.per_workload)


def _of_kinds(file: Path, wanted: tuple[str, ...]) -> tuple[BenchPrompt, ...]:
    found = read_prompt_file(file)
    chosen = tuple(prompt for prompt in found if not wanted or prompt.workload in wanted)
    if not chosen:
        kinds = ", ".join(dict.fromkeys(prompt.workload for prompt in found))
        raise SettingError(
            "{file} contains no prompts for --workload {wanted}.",
            "Omit --workload, or choose from: {kinds}",
            file=file.name,
            wanted=",".join(wanted),
            kinds=kinds,
        )
    return chosen


def _listed(given: list[str]) -> list[str]:
    """A comma may also be part of a file's name."""
    return [name for each in given for name in ([each] if Path(each).exists() else each.split(",")) if name]


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, (part.strip() for part in text.split(",")))))


def _lengths(text: str) -> tuple[int | None, ...]:
    return tuple(dict.fromkeys(parse_draft_length(part.strip()) for part in text.split(",")))
