"""The options that choose devices, named as in llama.cpp, and the settings that they make."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from specchat.cli.model_options import ArgumentContainer
from specchat.domain.errors import SettingError
from specchat.domain.rpc import parse_rpc_servers, rpc_for_draft
from specchat.domain.tensor_split import parse_tensor_split
from specchat.domain.types import ModelSettings, SplitMode

T = TypeVar("T")


def add_device_options(parser: ArgumentContainer, *, names: Sequence[str] = ("-dev", "--device")) -> None:
    """`names`: of the target's, where --device is taken."""
    add = parser.add_argument
    known = "as listed by specchat devices; separate several with commas"
    add(*names, dest="target_device", metavar="NAME", help=f"device for the target, {known}")
    for_draft = "device for the draft (default: same as the target, but no other machine)"
    add("-devd", "--device-draft", metavar="NAME", help=for_draft)
    add_rpc_option(parser)
    modes = [str(mode) for mode in SplitMode]
    how = "how to split the target across several devices: none (use one), layer, row, or tensor (default: layer)"
    add("-sm", "--split-mode", choices=modes, help=how)
    shares = "proportion of the target for each device, such as 3,1 (default: by free memory)"
    add("-ts", "--tensor-split", type=_parsed_by(parse_tensor_split), default=(), metavar="N0,N1,...", help=shares)


def add_rpc_option(parser: ArgumentContainer) -> None:
    words = "also use the devices of other machines that run ggml-rpc-server; only on a network that you trust"
    parser.add_argument("--rpc", type=_parsed_by(parse_rpc_servers), default=(), metavar="HOST:PORT,...", help=words)


def _parsed_by(parse: Callable[[str], T]) -> Callable[[str], T]:
    def parsed(text: str) -> T:
        try:
            return parse(text)
        except SettingError as error:
            raise argparse.ArgumentTypeError(f"{error.message} {error.hint}") from None

    return parsed


def place_target(settings: ModelSettings, arguments: argparse.Namespace) -> ModelSettings:
    return replace(
        settings,
        gpu_layers=arguments.gpu_layers,
        device=arguments.target_device,
        rpc=arguments.rpc,
        split_mode=arguments.split_mode and SplitMode(arguments.split_mode),
        tensor_split=arguments.tensor_split,
    )


def place_draft(settings: ModelSettings, arguments: argparse.Namespace) -> ModelSettings:
    device = arguments.device_draft or arguments.target_device
    rpc = rpc_for_draft(arguments.rpc, device)
    return replace(settings, gpu_layers=arguments.gpu_layers_draft, device=device, rpc=rpc)
