"""The options that name another engine."""

import argparse

from specchat.cli import App
from specchat.cli.model_options import ArgumentContainer
from specchat.cli.output import one_line, print_note
from specchat.domain.model_ref import ServedModel

_LOCAL = {
    "model_draft": "-md",
    "ctx_size": "-c",
    "gpu_layers": "-ngl",
    "gpu_layers_draft": "-ngld",
    "target_device": "-dev",
    "device_draft": "-devd",
    "rpc": "--rpc",
    "split_mode": "-sm",
    "tensor_split": "-ts",
    "threads": "-t",
    "cache_type": "--cache-type",
    "flash_attn": "-fa",
    "draft_type": "--draft-type",
    "draft_max": "--draft-max",
    "ngram_size": "--ngram-size",
    "ngram_tokens": "--ngram-tokens",
    "exact": "--exact",
    "mmproj": "--mmproj",
    "no_mmproj": "--no-mmproj",
}
"""Options about how models are loaded here."""


def add_engine_option(parser: ArgumentContainer) -> None:
    words = "use another engine, given by its address or saved name; -m then selects one of its models"
    parser.add_argument("--engine", metavar="URL|NAME", help=words)
    parser.set_defaults(default_of=parser.get_default)


def require_model_or_engine(arguments: argparse.Namespace) -> None:
    if arguments.engine is None and arguments.model is None:
        raise argparse.ArgumentError(None, "one of the arguments -m/--model --engine is required")


def require_no_local_options(arguments: argparse.Namespace) -> None:
    for name, option in _LOCAL.items():
        if getattr(arguments, name, argparse.SUPPRESS) != arguments.default_of(name):
            raise argparse.ArgumentError(
                None, f"{option} can't be combined with --engine: the engine decides how it loads its models"
            )


def served_model(named: str, app: App, model: str = "") -> ServedModel:
    """`named`: its address or its name, perhaps with #MODEL."""
    connections = app.connections()
    engine, _, of_engine = named.partition("#")
    address = connections.address(engine)
    if warning := connections.warning(address):
        print_note(f"Note: {one_line(warning)}")
    return ServedModel(str(address), model or of_engine)
