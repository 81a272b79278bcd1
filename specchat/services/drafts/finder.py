"""Drafts for a target: here, among the known pairs, and on the Hub. What the headers say decides."""

import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import HubAbsentError, HubAccessError, ModelFileError, UserError
from specchat.domain.hub import RemoteModel
from specchat.domain.said import Said
from specchat.domain.types import PairChoice
from specchat.services.bench.measured import MeasuredHere, never_measured
from specchat.services.drafts.judge import Draft, Judge, unusable
from specchat.services.drafts.known_pairs import KnownPair, KnownPairs
from specchat.services.drafts.ranking import ranked
from specchat.services.drafts.values import DraftCandidate, FoundDrafts, Where
from specchat.services.hub.hub import Hub
from specchat.services.hub.relatives import Wanted, relatives
from specchat.services.memory.measurable import measurable
from specchat.services.models.file_choice import choose
from specchat.services.models.found_models import is_same
from specchat.services.models.model_files import pinned, reference_of
from specchat.services.models.model_names import bare, parameters_named, places_of
from specchat.services.models.model_shelf import ModelShelf
from specchat.services.models.pair_values import DraftVerdict, Origin, PairFit, ShelfModel
from specchat.services.once import Once

log = logging.getLogger(__name__)

Told = Callable[[Sequence[DraftCandidate]], None]

_KNOWN_LOOKED_INTO = 8


class DraftFinder:
    def __init__(
        self,
        shelf: ModelShelf,
        known: KnownPairs,
        hub: Callable[[], Hub],
        fit: Callable[[PairChoice], PairFit],
        measured_here: MeasuredHere = never_measured,
    ) -> None:
        """`fit`: as `Fits.fit` answers."""
        self._shelf = shelf
        self._known = known
        self._hub = hub
        self._fit = fit
        self._measured_here = measured_here

    def find(self, target: str, cancel: CancelToken, found: Told = lambda candidates: None) -> FoundDrafts:
        """`found` hears of all candidates so far, ranked, whenever there is more to say: what is here first."""
        hub = Once(self._hub)
        target = pinned(target, hub, cancel)
        with measurable(target, hub, cancel) as file:
            judge = Judge(file, self._fit, self._measured_here)
            pairs = self._known.drafts_for(target, judge.facts.name)
            search = _Search(target, judge, pairs, hub, cancel, found)
            search.here([model for model in self._shelf.models() if not is_same(model.path, file)])
            problem = search.on_the_hub()
            return FoundDrafts(tuple(search.ranked), problem)


class _Search:
    def __init__(
        self,
        target: str,
        judge: Judge,
        pairs: Sequence[KnownPair],
        hub: Callable[[], Hub],
        cancel: CancelToken,
        found: Told,
    ) -> None:
        self._target = target
        self._judge = judge
        self._pairs = pairs
        self._hub = hub
        self._cancel = cancel
        self._found = found
        self._candidates: dict[str, DraftCandidate] = {}
        self._names: set[str] = set()
        """Of models that need not be looked for any more, whoever published them."""

    @property
    def ranked(self) -> list[DraftCandidate]:
        return ranked(self._candidates.values())

    def here(self, models: Sequence[ShelfModel]) -> None:
        drafts = {model.path: self._draft_here(model) for model in models}
        drafts |= {path: draft for path, draft in self._own_files() if path not in drafts}
        shipped = {model.path for model in models if model.origin is Origin.DEMO}
        judged = {}
        for path, draft in drafts.items():
            self._cancel.check()
            candidate = self._judge.judged(draft, path)
            if candidate.expected or path not in shipped:  # that the demo suits nothing else surprises nobody
                judged[path] = candidate
                self._keep(candidate)
        self._tell()
        for path, candidate in judged.items():
            self._cancel.check()
            self._keep(self._judge.measured(candidate, path))
        self._tell()

    def on_the_hub(self) -> Said | None:
        """Why it could not be asked for everything."""
        try:
            for model, known in self._remote():
                self._keep(self._looked_into(model, known))
                self._tell()
        except UserError as error:
            return Said("The Hub could not be asked: {reason}", reason=error.message)
        return None

    def _draft_here(self, model: ShelfModel) -> Draft:
        reference = reference_of(model)
        known = next((pair for pair in self._pairs if pair.draft.is_meant(reference, model.name)), None)
        self._names |= set() if model.problems else {bare(model.path.name), bare(model.name)}
        problem = next(iter(model.problems), "")
        return Draft(reference, model.name, model.size, model.quantization, Where.HERE, known, problem)

    def _own_files(self) -> Iterator[tuple[Path, Draft]]:
        """Of the user's own pairs, wherever they lie."""
        for pair in self._pairs:
            path = Path(pair.draft.reference)
            if not pair.draft.repo and path.is_file():
                name = pair.draft.name or path.stem
                yield path, Draft(str(path), name, path.stat().st_size, pair.draft.quantization, Where.HERE, pair)

    def _remote(self) -> Iterator[tuple[RemoteModel, KnownPair | None]]:
        yield from ((head, None) for head in self._heads())
        missing = [pair for pair in self._pairs if pair.draft.repo and not self._is_here(pair)]
        for pair in missing[:_KNOWN_LOOKED_INTO]:
            draft = pair.draft
            yield from ((m, pair) for m in self._chosen(draft.repo, draft.parameters, draft.file))
        for model in relatives(self._relative(), self._hub(), self._cancel):
            if bare(model.repo) not in self._names:
                yield from ((m, None) for m in self._chosen(model.repo, model.parameters))

    def _heads(self) -> Iterator[RemoteModel]:
        """Beside the target, in its own repository."""
        repo, _ = places_of(self._target)
        if not repo:
            return
        try:
            models = self._hub().look(repo, None, self._cancel).models
        except (HubAbsentError, HubAccessError) as error:
            log.info("No head from %s: %s", repo, error)
            return
        yield from (model for model in models if model.kind.is_head and str(model.reference) not in self._candidates)

    def _relative(self) -> Wanted:
        repo, file = places_of(self._target)
        names = [name for name in (repo.partition("/")[2], self._judge.facts.name, file) if name]
        telling = next((name for name in names if parameters_named(name)), names[0])
        return Wanted(telling, self._judge.facts.architecture, self._judge.facts.side.parameters)

    def _is_here(self, pair: KnownPair) -> bool:
        usable = [each for each in self._candidates.values() if each.verdict is not DraftVerdict.UNUSABLE]
        return any(each.known and pair.draft.is_meant(each.reference, each.name) for each in usable)

    def _chosen(self, repo: str, parameters: int, file: str | None = None) -> Iterator[RemoteModel]:
        self._cancel.check()
        try:
            models = self._hub().look(repo, None, self._cancel).models
        except (HubAbsentError, HubAccessError) as error:
            log.info("No draft from %s: %s", repo, error)
            return
        if chosen := choose(models, parameters, is_draft=True, file=file):
            self._names |= {bare(repo), bare(chosen.first.path)}
            if str(chosen.reference) != self._target:
                yield chosen

    def _looked_into(self, model: RemoteModel, known: KnownPair | None) -> DraftCandidate:
        name = known.draft.name if known and known.draft.name else PurePosixPath(model.first.path).stem
        draft = Draft(str(model.reference), name, model.size, model.quantization, Where.HUB, known)
        try:
            with measurable(draft.reference, self._hub, self._cancel) as path:
                return self._judge.measured(self._judge.judged(draft, path), path)
        except (HubAbsentError, HubAccessError, ModelFileError) as error:
            return unusable(draft, error.message)

    def _keep(self, candidate: DraftCandidate) -> None:
        self._candidates[candidate.reference] = candidate

    def _tell(self) -> None:
        self._found(self.ranked)
