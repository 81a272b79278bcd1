"""Options that several commands have, as llama.cpp names them."""

import argparse

from specchat.cli.numbers import integer
from specchat.domain.computing import CONTEXT_STEP, DEFAULT_CONTEXT

Arguments = argparse._ActionsContainer
"""A parser, or a group of its options."""

MODEL = "a .gguf file, owner/repo:Q4_K_M as downloaded from the Hub, or demo"
MODEL_ANYWHERE = "a .gguf file, owner/repo:Q4_K_M on the Hub (its header alone is read), or demo"
CACHE = "numbers that a model keeps of the text; q8_0: half the memory, nearly as exact (default: f16)"
_LAYERS = integer(-1, 10_000)


def add_context(parser: Arguments) -> None:
    room = f"at least {CONTEXT_STEP}; default: up to {DEFAULT_CONTEXT}"
    words = f"context: room for so many tokens of question and answer ({room})"
    parser.add_argument("-c", "--ctx-size", type=integer(1, 1 << 24), metavar="N", help=words)


def add_layers(parser: Arguments) -> None:
    add = parser.add_argument
    add("-ngl", "--gpu-layers", type=_LAYERS, metavar="N", help="target layers on the GPU (default: all)")
    add("-ngld", "--gpu-layers-draft", type=_LAYERS, metavar="N", help="draft layers on the GPU (default: all)")


def add_threads(parser: Arguments) -> None:
    words = "CPU threads (default: physical cores)"
    parser.add_argument("-t", "--threads", type=integer(1, 1024), metavar="N", help=words)
