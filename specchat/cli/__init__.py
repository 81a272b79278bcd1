"""The commands, one file each, listed here. They parse and print; what they do is in the services."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from specchat.domain.benchmarking import BenchReport
    from specchat.services.bench.measured import MeasuredPairs
    from specchat.services.chat.damaged_chats import DamagedChats
    from specchat.services.chat.kept_chats import KeptChats
    from specchat.services.drafts.finder import DraftFinder
    from specchat.services.engines.serving import Serve
    from specchat.services.generation.loading import PairLoader
    from specchat.services.hub.hub import Hub
    from specchat.services.hub.pulls import Pulls
    from specchat.services.hub.search import HubSearch
    from specchat.services.memory.fit import Fits
    from specchat.services.memory.runnable import Runnable
    from specchat.services.models.model_shelf import ModelShelf
    from specchat.services.models.owned import Owned
    from specchat.services.program.server_run import ServerRun
    from specchat.sources.hub_cache import HubCache


@dataclass(frozen=True, slots=True)
class App:
    """What a command may use, made when it is used: `specchat inspect` never loads llama.cpp."""

    pair_loader: "Callable[[], PairLoader]"
    fits: "Callable[[], Fits]"
    hub: "Callable[[], Hub]"
    hub_search: "Callable[[], HubSearch]"
    cache: "Callable[[], HubCache]"
    pulls: "Callable[[], Pulls]"
    shelf: "Callable[[], ModelShelf]"
    owned: "Callable[[], Owned]"
    runnable: "Callable[[], Runnable]"
    draft_finder: "Callable[[], DraftFinder]"
    measured: "Callable[[], MeasuredPairs]"
    chats: "Callable[[], AbstractContextManager[KeptChats]]"
    damaged_chats: "Callable[[], DamagedChats]"
    plot: "Callable[[], Callable[[BenchReport, Path], None]]"
    serve: "Callable[[], Serve]"
    server_run: "Callable[[], AbstractContextManager[ServerRun]]"


class Command(Protocol):
    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def run(self, arguments: argparse.Namespace, app: App) -> int: ...


def _chat() -> Command:
    from specchat.cli.chat import Chat

    return Chat()


def _inspect() -> Command:
    from specchat.cli.inspect import Inspect

    return Inspect()


def _compat() -> Command:
    from specchat.cli.compat import Compat

    return Compat()


def _fit() -> Command:
    from specchat.cli.fit import FitCommand

    return FitCommand()


def _models() -> Command:
    from specchat.cli.models import Models

    return Models()


def _chats() -> Command:
    from specchat.cli.chats import Chats

    return Chats()


def _selftest() -> Command:
    from specchat.cli.selftest import SelfTestCommand

    return SelfTestCommand()


def _devices() -> Command:
    from specchat.cli.devices import Devices

    return Devices()


def _bench() -> Command:
    from specchat.cli.bench import Bench

    return Bench()


def _serve() -> Command:
    from specchat.cli.serve import ServeCommand

    return ServeCommand()


COMMANDS: dict[str, tuple[str, Callable[[], Command]]] = {
    "chat": ("answer a prompt, a draft making the target faster", _chat),
    "inspect": ("what a model file is, from its header", _inspect),
    "compat": ("whether a draft can guess for a target, and why", _compat),
    "fit": ("whether a pair fits into memory, before it is loaded", _fit),
    "chats": ("the chats of the window: list, search, show, export, import, salvage", _chats),
    "models": ("models: on this computer, on the Hub, and pairs of them", _models),
    "serve": ("the models for other programs, over OpenAI's HTTP API", _serve),
    "bench": ("how much faster guessing makes a model here", _bench),
    "selftest": ("whether speculation leaves the answer unchanged here", _selftest),
    "devices": ("the devices that models can be loaded on", _devices),
}
