from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from support.ggufs import ModelRecipe
from support.vocabularies import BpeVocab, SpmVocab

from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import PairChoice
from specchat.services.bench.measured_pairs import SpeedLookup, no_measurements
from specchat.services.drafts.draft_candidates import DraftCandidate, DraftSearchResult
from specchat.services.drafts.draft_finder import DraftFinder
from specchat.services.drafts.known_pairs import KnownPairs
from specchat.services.hub.hub import Hub
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import PairFit
from specchat.sources.http_requests import RetryPolicy
from specchat.sources.hugging_face import HuggingFace
from specchat.store.json_cache import JsonCache
from specchat.store.json_file import JsonFile

TARGET = ModelRecipe(n_layer=16, name="Sea 8B Instruct")
SMALL = replace(TARGET, n_layer=1, n_ff=64, name="Sea 1B Instruct")
MEDIUM = replace(TARGET, n_layer=6, name="Sea 3B Instruct")
STRANGER = replace(SMALL, vocab=SpmVocab(), name="Lake 1B")
COUSIN = replace(SMALL, vocab=BpeVocab(pre="gpt-2"), name="Pond 1B")


Files = Callable[[ModelRecipe], Path]


@dataclass
class Bench:
    """A finder with what it looks at."""

    folder: Path
    known: KnownPairs
    endpoint: str
    fit: Callable[[PairChoice], PairFit]
    demo: Sequence[Path] = ()
    measured_here: SpeedLookup = no_measurements

    def find(
        self, target: str | Path, found: Callable[[Sequence[DraftCandidate]], None] | None = None
    ) -> DraftSearchResult:
        return self.finder.find(str(target), CancelToken(), *([found] if found else []))

    @property
    def finder(self) -> DraftFinder:
        cache = self.folder.parent
        facts, verdicts = (JsonCache(cache / f"{name}.json") for name in ("facts", "verdicts"))
        library = ModelLibrary(JsonFile(cache / "added.json"), self.folder, facts, verdicts, self.demo)
        patience = RetryPolicy(tries=1, silence=5)
        source = HuggingFace(lambda: None, self.endpoint, cache / "headers", patience)
        return DraftFinder(library, self.known, lambda: Hub(source), self.fit, self.measured_here)

    def here(self, path: Path) -> Path:
        link = self.folder / path.name
        link.hardlink_to(path)
        return link


def names(found: DraftSearchResult) -> list[str]:
    return [draft.name for draft in found.drafts]
