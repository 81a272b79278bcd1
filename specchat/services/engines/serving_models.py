"""Serves all models on this computer by name."""

from collections.abc import Callable, Sequence
from pathlib import Path

from specchat.domain.completions import MakeServer, OnWaiting, ServerSettings
from specchat.domain.engine import Engine
from specchat.domain.types import PairChoice
from specchat.services.engines.model_pool import ModelPool
from specchat.services.engines.pair_session import OnLoadingEvent
from specchat.services.engines.queued_completions import run_server
from specchat.services.models.model_library import ModelLibrary
from specchat.services.settings.pair_chooser import PairChooser
from specchat.services.settings.pair_settings import PairSettings

ChangeChoice = Callable[[PairChoice], PairChoice]
OnModels = Callable[[Sequence[str], str], None]
ServeModels = Callable[[ChangeChoice, ServerSettings, OnLoadingEvent, OnModels, OnWaiting], None]


def serve_models(
    change: ChangeChoice,
    settings: ServerSettings,
    on_event: OnLoadingEvent,
    ready: OnModels,
    waits: OnWaiting,
    *,
    library: ModelLibrary,
    pair_settings: PairSettings,
    make_engine: Callable[[], Engine],
    make_server: MakeServer,
    logs: Path,
) -> None:
    """Serves models until the program is asked to end. `change`: applies options that override a pair's remembered
    settings. `ready`: called with the names and the server's URL. `waits`: called when the end has to wait for an
    answer, with whether it was Ctrl-C.
    """
    chooser = PairChooser(library, pair_settings, change)
    pool = ModelPool(library, chooser, make_engine, settings, logs, on_event)
    server = make_server(settings, pool)
    pool.on_mistake = server.stop

    def look_around() -> None:
        pool.refresh()
        ready([model.name for model in pool.models()], server.url)

    run_server(server, look_around, pool.close, waits)
