"""Options shared by several commands, named as in llama.cpp."""

import argparse
from pathlib import Path

from specchat.cli.argument_types import integer_in_range
from specchat.domain.compute_settings import CONTEXT_STEP, DEFAULT_CONTEXT
from specchat.services.models.model_files import resolve_typed_path

ArgumentContainer = argparse._ActionsContainer
"""A parser, or a group of its options."""

MODEL_HELP = "a .gguf file, a downloaded model such as owner/repo:Q4_K_M, or demo"
HUB_MODEL_HELP = "a .gguf file, owner/repo:Q4_K_M on the Hub (reads only its header), or demo"
CACHE_TYPE_HELP = "KV cache type; q8_0 needs half the memory and is nearly as precise (default: f16)"
GPU_LAYERS = integer_in_range(-1, 10_000)


def add_context_option(parser: ArgumentContainer) -> None:
    room = f"at least {CONTEXT_STEP}; default: up to {DEFAULT_CONTEXT}"
    words = f"context size in tokens ({room})"
    size = integer_in_range(1, 1 << 24, least=CONTEXT_STEP)
    parser.add_argument("-c", "--ctx-size", type=size, metavar="N", help=words)


def add_layer_options(parser: ArgumentContainer) -> None:
    add = parser.add_argument
    add("-ngl", "--gpu-layers", type=GPU_LAYERS, metavar="N", help="target layers on the GPU (default: all)")
    add("-ngld", "--gpu-layers-draft", type=GPU_LAYERS, metavar="N", help="draft layers on the GPU (default: all)")


def add_picture_options(parser: ArgumentContainer) -> None:
    add = parser.add_mutually_exclusive_group().add_argument
    words = "file with which the target reads pictures or audio (default: the one beside the target, if any)"
    add("-mm", "--mmproj", metavar="FILE", help=words)
    add("--no-mmproj", action="store_true", help="load the target without pictures and audio")


def mmproj_settings(arguments: argparse.Namespace) -> tuple[Path | None, bool]:
    """The file that is named, and whether none is wanted."""
    file = None if arguments.mmproj is None else resolve_typed_path(arguments.mmproj)
    return file, arguments.no_mmproj


def add_threads_option(parser: ArgumentContainer) -> None:
    words = "CPU threads (default: physical cores)"
    parser.add_argument("-t", "--threads", type=integer_in_range(1, 1024), metavar="N", help=words)
