"""Creates the services that the commands and the window share, each once and on first use."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.services.hub.download_jobs import DownloadJob, DownloadJobStore
from specchat.services.lazy import Lazy
from specchat.services.memory.gpu_switch import GpuSwitch
from specchat.services.settings.pair_settings import PairSettings
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile
from specchat.store.paths import Paths

if TYPE_CHECKING:  # most take their time to import
    from contextlib import AbstractContextManager

    from specchat.backends.backend_folder import BackendFolder
    from specchat.backends.rpc_servers import KnownRpcServers
    from specchat.domain.engine import Engine
    from specchat.domain.tool_servers import ToolHost
    from specchat.services.bench.measured_pairs import MeasuredPairs
    from specchat.services.chat.chat_salvage import ChatSalvage
    from specchat.services.chat.stored_chats import StoredChats
    from specchat.services.connections.connections import Connections
    from specchat.services.drafts.draft_finder import DraftFinder
    from specchat.services.drafts.early_exit_process import EarlyExitProcess
    from specchat.services.drafts.early_exit_search import EarlyExitSearch
    from specchat.services.drafts.known_pairs import KnownPairs
    from specchat.services.engines.in_process import InProcessEngine
    from specchat.services.generation.answer_history import ReadAnswers
    from specchat.services.generation.embedder_loader import EmbedderLoader
    from specchat.services.generation.pair_loader import PairLoader
    from specchat.services.hub.download_manager import DownloadManager
    from specchat.services.hub.hub import Hub
    from specchat.services.hub.hub_search import HubSearch
    from specchat.services.hub.hub_token import HubToken
    from specchat.services.hub.model_puller import ModelPuller
    from specchat.services.memory.fit_estimator import FitEstimator
    from specchat.services.memory.memory_estimates import MemoryEstimates
    from specchat.services.memory.offer_finder import OfferFinder
    from specchat.services.models.download_registry import DownloadRegistry
    from specchat.services.models.early_exit_store import EarlyExitStore
    from specchat.services.models.model_library import ModelLibrary
    from specchat.services.tools.tool_service import ToolService
    from specchat.sources.download import Downloader
    from specchat.sources.hub_cache import HubCache
    from specchat.sources.hugging_face import HuggingFace


def apply_graphics_settings(places: Paths) -> GpuSwitch:
    """Before llama.cpp is loaded, here or in a child."""
    return GpuSwitch(JsonFile(places.config / "graphics.json"))


class Container:
    def __init__(self, places: Paths) -> None:
        self.places = places
        apply_graphics_settings(places)
        self.backend_folder = self.load_further_backends()
        self.pair_loader = Lazy(self._pair_loader)
        self.rpc_servers = Lazy(self._rpc_servers)
        self.estimates = Lazy(self._estimates)
        self.fit_estimator = Lazy(self._fit_estimator)
        self.token = Lazy(self._token)
        self.hugging_face = Lazy(self._hugging_face)
        self.hub = Lazy(self._hub)
        self.hub_search = Lazy(self._hub_search)
        self.hub_cache = Lazy(self._hub_cache)
        self.downloader = Lazy(self._downloader)
        self.download_jobs = Lazy(lambda: DownloadJobStore(JsonFile(places.data / "downloads.json")))
        self.model_puller = Lazy(self._model_puller)
        self.pair_settings = Lazy(lambda: PairSettings(self._path_json_file(places.config / "pairs.json")))
        self.library = Lazy(self._library)
        self.download_registry = Lazy(self._download_registry)
        self.known_pairs = Lazy(self._known_pairs)
        self.measured_pairs = Lazy(self._measured_pairs)
        self.offer_finder = Lazy(self._offer_finder)
        self.draft_finder = Lazy(self._draft_finder)
        self.connections = Lazy(self._connections)
        self.early_exits = Lazy(self._early_exits)
        self.early_exit_process = Lazy(self._early_exit_process)
        self.early_exit_search = Lazy(self._early_exit_search)

    def load_further_backends(self, *, again: bool = False) -> "BackendFolder | None":
        """`again`: those that failed are tried once more. None: there is no such folder, as nearly always."""
        folder = self.places.backends
        if not os.path.isdir(folder):  # the Path's own method raises an error where nobody may look
            return None
        from specchat.backends.backend_folder import load_backend_folder

        return load_backend_folder(folder, self._json_cache("backends"), again=again)

    def downloads(self, changed: Callable[[], None], ended: Callable[[DownloadJob], None]) -> "DownloadManager":
        """Creates the download manager; it reports changes and ended jobs."""
        from specchat.services.hub.download_manager import DownloadManager

        def recorded(job: DownloadJob) -> None:
            self.download_registry().record(job)
            ended(job)

        return DownloadManager(self.downloader(), self.download_jobs(), changed, recorded)

    def tools(self, changed: Callable[[str], None] = lambda _: None) -> "ToolService":
        """The tools of MCP servers. `changed` is told, in a thread of theirs, which server's status has changed."""
        from specchat.services.tools.server_file import ServerFile
        from specchat.services.tools.tool_consents import ToolConsents
        from specchat.services.tools.tool_service import ToolService

        def make_host() -> "ToolHost":
            from specchat.backends.supervised_program import supervised_program
            from specchat.sources.mcp.tool_host import McpToolHost

            return McpToolHost(supervised_program, changed)

        consents = ToolConsents(JsonFile(self.places.data / "tools.json"))
        return ToolService(ServerFile(self.places.config / "mcp.json"), consents, make_host)

    def chats(self) -> "AbstractContextManager[StoredChats]":
        """Opens the stored chats in the thread that enters the context."""
        from specchat.services.chat.stored_chats import open_stored_chats

        return open_stored_chats(self.places.chats)

    def damaged_chats(self) -> "ChatSalvage":
        from specchat.services.chat.chat_salvage import ChatSalvage

        return ChatSalvage(self.places.chats)

    def engine(self, read_answers: "ReadAnswers" = lambda _: (), *, embeds: bool = False) -> "InProcessEngine":
        """Creates the engine in the thread that owns the models. Loads llama.cpp and can record its crashes.
        `embeds`: embedding models and rerankers can be loaded, too.
        """
        from specchat.backends.signal_stack import install_signal_stack

        install_signal_stack()
        os.environ.setdefault("GGML_NO_BACKTRACE", "1")  # which would call a debugger first
        from specchat.services.engines.in_process import InProcessEngine

        return InProcessEngine(
            self.pair_loader(),
            read_answers,
            lambda: self.connections().engine(reuses_prompts=False),
            self._embedder_loader() if embeds else None,
        )

    def engine_process(self, *, recalls: bool = False, embeds: bool = False) -> "Engine":
        """Creates an engine whose crash doesn't end this program. `recalls`: answers in other chats help to guess.
        `embeds`: embedding models and rerankers can be loaded, too.
        """
        from specchat.services.engines.routing_engine import RoutingEngine
        from specchat.services.engines.subprocess_engine import SubprocessEngine

        return RoutingEngine(
            lambda: SubprocessEngine(self.places, recalls=recalls, embeds=embeds), lambda: self.connections().engine()
        )

    def _embedder_loader(self) -> "EmbedderLoader":
        from specchat.services.generation.embedder_loader import EmbedderLoader

        return EmbedderLoader(self._json_cache("embedder-loads"))

    def _pair_loader(self) -> "PairLoader":
        from specchat.services.generation.pair_loader import PairLoader

        return PairLoader(
            passed_first_load=self._json_cache("first-loads"),
            selftests=self._json_cache("self-tests"),
            estimates=self.estimates(),
            learned=self._json_cache("learned"),
            taught=lambda *what: self.measured_pairs().record_observed(*what),
            measured=lambda *pair: self.measured_pairs().get_speed(*pair),
        )

    def _estimates(self) -> "MemoryEstimates":
        from specchat.services.memory.memory_estimates import MemoryEstimates

        return MemoryEstimates(self._json_cache("estimates"))

    def _fit_estimator(self) -> "FitEstimator":
        from specchat.backends.memory_measurer import MemoryMeasurer
        from specchat.services.memory.fit_estimator import FitEstimator

        return FitEstimator(MemoryMeasurer(servers=self.rpc_servers()), self.estimates())

    def _rpc_servers(self) -> "KnownRpcServers":
        from specchat.backends.rpc_servers import KnownRpcServers
        from specchat.services.memory.device_memory import known_devices

        return KnownRpcServers(in_use=known_devices)

    def _token(self) -> "HubToken":
        from specchat.services.hub.hub_token import HubToken

        return HubToken(lambda *asked: self.hugging_face().whoami(*asked))

    def _hugging_face(self) -> "HuggingFace":
        from specchat.sources.hugging_face import HuggingFace

        token = self.token()
        return HuggingFace(token, cache=self.places.cache / "headers", doubted=token.report_rejection)

    def _hub(self) -> "Hub":
        from specchat.services.hub.hub import Hub

        return Hub(self.hugging_face())

    def _hub_search(self) -> "HubSearch":
        from specchat.services.hub.hub_search import HubSearch

        return HubSearch(self.hub, lambda: self.library().models(), lambda model: self.hub_cache().holds(model))

    def _hub_cache(self) -> "HubCache":
        from specchat.sources.hub_cache import HubCache

        return HubCache()

    def _downloader(self) -> "Downloader":
        from specchat.sources.download import Downloader

        return Downloader(self.hub_cache(), self.hugging_face().location)

    def _model_puller(self) -> "ModelPuller":
        from specchat.services.hub.model_puller import ModelPuller

        return ModelPuller(self.hub(), self.downloader(), self.download_registry())

    def _library(self) -> "ModelLibrary":
        from specchat.services.models.demo_pair import demo_files
        from specchat.services.models.model_discovery import external_finders
        from specchat.services.models.model_library import ModelLibrary

        return ModelLibrary(
            added=self._path_json_file(self.places.config / "models.json"),
            folder=self.places.data / "models",
            facts=self._json_cache("model-facts"),
            verdicts=self._json_cache("verdicts"),
            demo=demo_files(),
            finders=[*external_finders(self.hub_cache), self.early_exits().found_files],
            ours=lambda: self.download_registry().paths(),
            measured_here=self.measured_pairs().get_speed,
        )

    def _download_registry(self) -> "DownloadRegistry":
        from specchat.services.models.download_registry import DownloadRegistry

        return DownloadRegistry(self._path_json_file(self.places.data / "downloaded.json"), self.hub_cache())

    def _known_pairs(self) -> "KnownPairs":
        from specchat.services.drafts.known_pairs import KnownPairs, shipped_pairs_path

        return KnownPairs(shipped_pairs_path(), self._path_json_file(self.places.config / "known-pairs.json"))

    def _measured_pairs(self) -> "MeasuredPairs":
        from specchat.services.bench.measured_pairs import MeasuredPairs

        return MeasuredPairs(self._json_cache("measured"))

    def _offer_finder(self) -> "OfferFinder":
        from specchat.services.memory.offer_finder import OfferFinder

        return OfferFinder(self.library(), self.known_pairs(), self.measured_pairs().get_speed)

    def _draft_finder(self) -> "DraftFinder":
        from specchat.services.drafts.draft_finder import DraftFinder

        library, known, measured_here = self.library(), self.known_pairs(), self.measured_pairs().get_speed
        return DraftFinder(library, known, self.hub, lambda choice: self.fit_estimator().fit(choice), measured_here)

    def _connections(self) -> "Connections":
        from specchat.services.connections.connection_registry import ConnectionRegistry
        from specchat.services.connections.connections import Connections
        from specchat.services.connections.engine_keys import EngineKeys
        from specchat.sources.engine_http import EngineHttp

        registry = ConnectionRegistry(JsonFile(self.places.config / "engines.json"))
        return Connections(EngineHttp(), registry, EngineKeys())

    def _early_exits(self) -> "EarlyExitStore":
        from specchat.services.models.early_exit_store import EarlyExitStore

        return EarlyExitStore(self.places.cache / "early-exits", self.places.moves_with)

    def _early_exit_search(self) -> "EarlyExitSearch":
        from specchat.services.drafts.early_exit_search import EarlyExitSearch

        facts = self._json_cache("early-exits")
        return EarlyExitSearch(self.early_exits(), self.pair_loader, self.measured_pairs, facts)

    def _early_exit_process(self) -> "EarlyExitProcess":
        from specchat.services.drafts.early_exit_process import EarlyExitProcess

        return EarlyExitProcess(self.places, self.early_exits)

    def _path_json_file(self, path: Path) -> JsonFile:
        return JsonFile(path, self.places.moves_with)

    def _json_cache(self, name: str) -> JsonCache:
        return JsonCache(self.places.cache / f"{name}.json")
