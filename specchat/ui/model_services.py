"""Bundles the services that the model views use; cheap to import."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.services.bench.measured_pairs import SpeedLookup
from specchat.services.hub.download_jobs import DownloadJob, DownloadJobStore
from specchat.services.lazy import Lazy
from specchat.services.models.model_library import ModelLibrary
from specchat.services.settings.pair_settings import PairSettings

if TYPE_CHECKING:  # they take their time to import
    from specchat.backends.rpc_servers import KnownRpcServers
    from specchat.services.connections.connections import Connections
    from specchat.services.drafts.draft_finder import DraftFinder
    from specchat.services.drafts.early_exit_process import EarlyExitProcess
    from specchat.services.drafts.known_pairs import KnownPairs
    from specchat.services.hub.download_manager import DownloadManager
    from specchat.services.hub.hub import Hub
    from specchat.services.hub.hub_search import HubSearch
    from specchat.services.hub.hub_token import HubToken
    from specchat.services.memory.fit_estimator import FitEstimator
    from specchat.services.memory.offer_finder import OfferFinder
    from specchat.services.models.download_registry import DownloadRegistry
    from specchat.services.models.early_exit_store import EarlyExitStore


@dataclass(frozen=True, slots=True)
class ModelServices:
    library: ModelLibrary
    pair_settings: PairSettings
    fit_estimator: "Lazy[FitEstimator]"
    token: "Lazy[HubToken]"
    hub: "Lazy[Hub]"
    hub_search: "Lazy[HubSearch]"
    draft_finder: "Lazy[DraftFinder]"
    known_pairs: "Lazy[KnownPairs]"
    offer_finder: "Lazy[OfferFinder]"
    speed_lookup: SpeedLookup
    download_registry: "Lazy[DownloadRegistry]"
    early_exits: "Lazy[EarlyExitStore]"
    early_exit_process: "Lazy[EarlyExitProcess]"
    connections: "Lazy[Connections]"
    rpc_servers: "Lazy[KnownRpcServers]"
    download_jobs: DownloadJobStore
    make_download_manager: "Callable[[Callable[[], None], Callable[[DownloadJob], None]], DownloadManager]"
    """Is given whom to tell of changes, and of jobs that have ended."""
    logs: Path
