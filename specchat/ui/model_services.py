"""What the model manager asks of the services. Costs nothing to import."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.services.bench.measured import MeasuredHere
from specchat.services.hub.download_jobs import Job, JobFile
from specchat.services.models.model_shelf import ModelShelf
from specchat.services.once import Once
from specchat.services.settings.pair_settings import PairSettings

if TYPE_CHECKING:  # they take their time to import
    from specchat.services.drafts.finder import DraftFinder
    from specchat.services.drafts.known_pairs import KnownPairs
    from specchat.services.hub.downloads import Downloads
    from specchat.services.hub.hub import Hub
    from specchat.services.hub.search import HubSearch
    from specchat.services.hub.token import HubToken
    from specchat.services.memory.fit import Fits
    from specchat.services.memory.runnable import Runnable
    from specchat.services.models.owned import Owned


@dataclass(frozen=True, slots=True)
class ModelServices:
    shelf: ModelShelf
    pair_settings: PairSettings
    fits: "Once[Fits]"
    token: "Once[HubToken]"
    hub: "Once[Hub]"
    hub_search: "Once[HubSearch]"
    draft_finder: "Once[DraftFinder]"
    known_pairs: "Once[KnownPairs]"
    runnable: "Once[Runnable]"
    measured_here: MeasuredHere
    owned: "Once[Owned]"
    download_jobs: JobFile
    make_downloads: "Callable[[Callable[[], None], Callable[[Job], None]], Downloads]"
    """Is given whom to tell of changes, and of jobs that have ended."""
    logs: Path
