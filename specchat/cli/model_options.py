"""Options that several commands have, as llama.cpp names them."""

import argparse

from specchat.cli.numbers import integer
from specchat.domain.computing import DEFAULT_CONTEXT

_LAYERS = integer(-1, 10_000)


def add_context(parser: argparse.ArgumentParser) -> None:
    words = f"context in tokens (default: up to {DEFAULT_CONTEXT})"
    parser.add_argument("-c", "--ctx-size", type=integer(1, 1 << 24), metavar="N", help=words)


def add_layers(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("-ngl", "--gpu-layers", type=_LAYERS, metavar="N", help="target layers on the GPU (default: all)")
    add("-ngld", "--gpu-layers-draft", type=_LAYERS, metavar="N", help="draft layers on the GPU (default: all)")


def add_threads(parser: argparse.ArgumentParser) -> None:
    words = "CPU threads (default: physical cores)"
    parser.add_argument("-t", "--threads", type=integer(1, 1024), metavar="N", help=words)
