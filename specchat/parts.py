"""What commands and the window are made of: each part once, when it is first needed."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.services.hub.download_jobs import Job, JobFile
from specchat.services.memory.graphics import Graphics
from specchat.services.once import Once
from specchat.services.settings.pair_settings import PairSettings
from specchat.store.json_file import JsonFile
from specchat.store.paths import Paths
from specchat.store.remembered import Remembered

if TYPE_CHECKING:  # most take their time to import
    from contextlib import AbstractContextManager

    from specchat.domain.engine import Engine
    from specchat.services.bench.measured import MeasuredPairs
    from specchat.services.chat.damaged_chats import DamagedChats
    from specchat.services.chat.kept_chats import KeptChats
    from specchat.services.drafts.finder import DraftFinder
    from specchat.services.drafts.known_pairs import KnownPairs
    from specchat.services.generation.loading import PairLoader
    from specchat.services.generation.past import ReadAnswers
    from specchat.services.hub.downloads import Downloads
    from specchat.services.hub.hub import Hub
    from specchat.services.hub.pulls import Pulls
    from specchat.services.hub.search import HubSearch
    from specchat.services.hub.token import HubToken
    from specchat.services.memory.estimates import Estimates
    from specchat.services.memory.fit import Fits
    from specchat.services.memory.runnable import Runnable
    from specchat.services.models.model_shelf import ModelShelf
    from specchat.services.models.owned import Owned
    from specchat.sources.download import Downloader
    from specchat.sources.hub_cache import HubCache
    from specchat.sources.hugging_face import HuggingFace


def graphics_at(places: Paths) -> Graphics:
    """Before llama.cpp is loaded, here or in a child."""
    return Graphics(JsonFile(places.config / "graphics.json"))


class Parts:
    def __init__(self, places: Paths) -> None:
        self.places = places
        graphics_at(places)
        self.pair_loader = Once(self._pair_loader)
        self.estimates = Once(self._estimates)
        self.fits = Once(self._fits)
        self.token = Once(self._token)
        self.hugging_face = Once(self._hugging_face)
        self.hub = Once(self._hub)
        self.hub_search = Once(self._hub_search)
        self.cache = Once(self._cache)
        self.downloader = Once(self._downloader)
        self.download_jobs = Once(lambda: JobFile(JsonFile(places.data / "downloads.json")))
        self.pulls = Once(self._pulls)
        self.pair_settings = Once(lambda: PairSettings(self._naming_files(places.config / "pairs.json")))
        self.shelf = Once(self._shelf)
        self.owned = Once(self._owned)
        self.known_pairs = Once(self._known_pairs)
        self.measured = Once(self._measured)
        self.runnable = Once(self._runnable)
        self.draft_finder = Once(self._draft_finder)

    def downloads(self, changed: Callable[[], None], ended: Callable[[Job], None]) -> "Downloads":
        """Whom to tell of changes, and of jobs that have ended."""
        from specchat.services.hub.downloads import Downloads

        def recorded(job: Job) -> None:
            self.owned().record(job)
            ended(job)

        return Downloads(self.downloader(), self.download_jobs(), changed, recorded)

    def chats(self) -> "AbstractContextManager[KeptChats]":
        """In the thread that enters it."""
        from specchat.services.chat.kept_chats import kept_chats

        return kept_chats(self.places.chats)

    def damaged_chats(self) -> "DamagedChats":
        from specchat.services.chat.damaged_chats import DamagedChats

        return DamagedChats(self.places.chats)

    def engine(self, read_answers: "ReadAnswers" = lambda _: ()) -> "Engine":
        """In the thread that is to own the models: llama.cpp is loaded here. A crash of it can be recorded."""
        from specchat.backends.signal_stack import give_signal_stack

        give_signal_stack()
        os.environ.setdefault("GGML_NO_BACKTRACE", "1")  # which would call a debugger first
        from specchat.services.engines.in_process import InProcessEngine

        return InProcessEngine(self.pair_loader(), read_answers)

    def engine_process(self, *, recalls: bool = False) -> "Engine":
        """For who must not end when llama.cpp does. `recalls`: what was answered in other chats helps to guess."""
        from specchat.services.engines.process import EngineProcess

        return EngineProcess(self.places, recalls=recalls)

    def _pair_loader(self) -> "PairLoader":
        from specchat.services.generation.loading import PairLoader

        return PairLoader(
            passed_first_load=self._remembered("first-loads"),
            selftests=self._remembered("self-tests"),
            estimates=self.estimates(),
            learned=self._remembered("learned"),
            taught=lambda *what: self.measured().learned(*what),
        )

    def _estimates(self) -> "Estimates":
        from specchat.services.memory.estimates import Estimates

        return Estimates(self._remembered("estimates"))

    def _fits(self) -> "Fits":
        from specchat.backends.measure import Measurer
        from specchat.services.memory.fit import Fits

        return Fits(Measurer(), self.estimates())

    def _token(self) -> "HubToken":
        from specchat.services.hub.token import HubToken

        return HubToken(lambda *asked: self.hugging_face().who(*asked))

    def _hugging_face(self) -> "HuggingFace":
        from specchat.sources.hugging_face import HuggingFace

        token = self.token()
        return HuggingFace(token, cache=self.places.cache / "headers", doubted=token.doubt)

    def _hub(self) -> "Hub":
        from specchat.services.hub.hub import Hub

        return Hub(self.hugging_face())

    def _hub_search(self) -> "HubSearch":
        from specchat.services.hub.search import HubSearch

        return HubSearch(self.hub, lambda: self.shelf().models(), lambda model: self.cache().holds(model))

    def _cache(self) -> "HubCache":
        from specchat.sources.hub_cache import HubCache

        return HubCache()

    def _downloader(self) -> "Downloader":
        from specchat.sources.download import Downloader

        return Downloader(self.cache(), self.hugging_face().location)

    def _pulls(self) -> "Pulls":
        from specchat.services.hub.pulls import Pulls

        return Pulls(self.hub(), self.downloader(), self.owned())

    def _shelf(self) -> "ModelShelf":
        from specchat.services.models.demo_pair import demo_files
        from specchat.services.models.found_models import everywhere
        from specchat.services.models.model_shelf import ModelShelf

        return ModelShelf(
            added=self._naming_files(self.places.config / "models.json"),
            folder=self.places.data / "models",
            facts=self._remembered("model-facts"),
            verdicts=self._remembered("verdicts"),
            demo=demo_files(),
            finders=everywhere(self.cache),
            ours=lambda: self.owned().places(),
            measured_here=self.measured().of,
        )

    def _owned(self) -> "Owned":
        from specchat.services.models.owned import Owned

        return Owned(self._naming_files(self.places.data / "downloaded.json"), self.cache())

    def _known_pairs(self) -> "KnownPairs":
        from specchat.services.drafts.known_pairs import KnownPairs, shipped_pairs

        return KnownPairs(shipped_pairs(), self._naming_files(self.places.config / "known-pairs.json"))

    def _measured(self) -> "MeasuredPairs":
        from specchat.services.bench.measured import MeasuredPairs

        return MeasuredPairs(self._remembered("measured"))

    def _runnable(self) -> "Runnable":
        from specchat.services.memory.runnable import Runnable

        return Runnable(self.shelf(), self.known_pairs(), self.measured().of)

    def _draft_finder(self) -> "DraftFinder":
        from specchat.services.drafts.finder import DraftFinder

        shelf, known, measured_here = self.shelf(), self.known_pairs(), self.measured().of
        return DraftFinder(shelf, known, self.hub, lambda choice: self.fits().fit(choice), measured_here)

    def _naming_files(self, path: Path) -> JsonFile:
        return JsonFile(path, self.places.moves_with)

    def _remembered(self, name: str) -> Remembered:
        return Remembered(self.places.cache / f"{name}.json")
