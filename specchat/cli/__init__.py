"""The command line: a module for each command, which parses and prints and leaves the rest to services."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from specchat.backends.backend_folder import BackendFolder
    from specchat.backends.rpc_servers import KnownRpcServers
    from specchat.domain.benchmark import BenchReport
    from specchat.domain.engine import Engine
    from specchat.services.bench.measured_pairs import MeasuredPairs
    from specchat.services.chat.chat_salvage import ChatSalvage
    from specchat.services.chat.stored_chats import StoredChats
    from specchat.services.connections.connections import Connections
    from specchat.services.drafts.draft_finder import DraftFinder
    from specchat.services.drafts.early_exit_search import EarlyExitSearch
    from specchat.services.engines.queued_completions import Serve
    from specchat.services.engines.serving_models import ServeModels
    from specchat.services.generation.pair_loader import PairLoader
    from specchat.services.hub.hub import Hub
    from specchat.services.hub.hub_search import HubSearch
    from specchat.services.hub.model_puller import ModelPuller
    from specchat.services.memory.fit_estimator import FitEstimator
    from specchat.services.memory.offer_finder import OfferFinder
    from specchat.services.models.download_registry import DownloadRegistry
    from specchat.services.models.early_exit_store import EarlyExitStore
    from specchat.services.models.model_library import ModelLibrary
    from specchat.services.program.server_run import ServerRun
    from specchat.services.tools.tool_service import ToolService
    from specchat.sources.hub_cache import HubCache


@dataclass(frozen=True, slots=True)
class App:
    """What a command may use, made when it is used: `specchat inspect` never loads llama.cpp."""

    pair_loader: "Callable[[], PairLoader]"
    engine_process: "Callable[[], Engine]"
    rpc_servers: "Callable[[], KnownRpcServers]"
    backend_folder: "Callable[[], BackendFolder | None]"
    retry_backends: "Callable[[], BackendFolder | None]"
    fit_estimator: "Callable[[], FitEstimator]"
    hub: "Callable[[], Hub]"
    hub_search: "Callable[[], HubSearch]"
    cache: "Callable[[], HubCache]"
    model_puller: "Callable[[], ModelPuller]"
    library: "Callable[[], ModelLibrary]"
    download_registry: "Callable[[], DownloadRegistry]"
    offer_finder: "Callable[[], OfferFinder]"
    draft_finder: "Callable[[], DraftFinder]"
    early_exits: "Callable[[], EarlyExitStore]"
    early_exit_search: "Callable[[], EarlyExitSearch]"
    measured_pairs: "Callable[[], MeasuredPairs]"
    connections: "Callable[[], Connections]"
    tools: "Callable[[], ToolService]"
    chats: "Callable[[], AbstractContextManager[StoredChats]]"
    damaged_chats: "Callable[[], ChatSalvage]"
    plot: "Callable[[], Callable[[BenchReport, Path], None]]"
    serve: "Callable[[], Serve]"
    serve_models: "Callable[[], ServeModels]"
    server_run: "Callable[[], AbstractContextManager[ServerRun]]"


class Command(Protocol):
    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def run(self, arguments: argparse.Namespace, app: App) -> int: ...


def _chat() -> Command:
    from specchat.cli.chat import ChatCommand

    return ChatCommand()


def _inspect() -> Command:
    from specchat.cli.inspect import InspectCommand

    return InspectCommand()


def _compat() -> Command:
    from specchat.cli.compat import CompatCommand

    return CompatCommand()


def _fit() -> Command:
    from specchat.cli.fit import FitCommand

    return FitCommand()


def _models() -> Command:
    from specchat.cli.models import ModelsCommand

    return ModelsCommand()


def _chats() -> Command:
    from specchat.cli.chats import ChatsCommand

    return ChatsCommand()


def _engines() -> Command:
    from specchat.cli.engines import EnginesCommand

    return EnginesCommand()


def _mcp() -> Command:
    from specchat.cli.mcp import McpCommand

    return McpCommand()


def _selftest() -> Command:
    from specchat.cli.selftest import SelfTestCommand

    return SelfTestCommand()


def _devices() -> Command:
    from specchat.cli.devices import DevicesCommand

    return DevicesCommand()


def _bench() -> Command:
    from specchat.cli.bench import BenchCommand

    return BenchCommand()


def _serve() -> Command:
    from specchat.cli.serve import ServeCommand

    return ServeCommand()


def _rpc_server() -> Command:
    from specchat.cli.rpc_server import RpcServerCommand

    return RpcServerCommand()


def _completion() -> Command:
    from specchat.cli.completion import CompletionCommand

    return CompletionCommand()


COMMANDS: dict[str, tuple[str, Callable[[], Command]]] = {
    "chat": ("answer a prompt or chat interactively, sped up by a draft", _chat),
    "inspect": ("show what a model file contains", _inspect),
    "compat": ("check whether a draft works with a target", _compat),
    "fit": ("check whether a pair fits in memory", _fit),
    "chats": ("list, search, show, export, import, and recover chats", _chats),
    "models": ("list, search, download, and remove models", _models),
    "engines": ("save, test, and find other engines, such as llama-server", _engines),
    "mcp": ("list MCP servers, whose tools models can call in the window", _mcp),
    "serve": ("start a server with the APIs of OpenAI, Anthropic, Ollama and llama-server", _serve),
    "bench": ("measure how much speculation speeds up a model", _bench),
    "selftest": ("test whether speculation leaves answers unchanged on this computer", _selftest),
    "devices": ("list the devices that models can run on", _devices),
    "rpc-server": ("lend this computer's devices to specchat on another computer", _rpc_server),
    "completion": ("print a script that completes commands in a shell", _completion),
}
