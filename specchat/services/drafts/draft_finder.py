"""Finds drafts for a target on this computer, among known pairs and on the Hub."""

import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubAccessError, HubNotFoundError, ModelFileError, UserError
from specchat.domain.hub import RemoteModel
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import PairChoice
from specchat.services.bench.measured_pairs import SpeedLookup, no_measurements
from specchat.services.drafts.draft_candidates import DraftCandidate, DraftSearchResult, ModelLocation
from specchat.services.drafts.draft_evaluator import DraftEvaluator, DraftToCheck, unusable_candidate
from specchat.services.drafts.known_pairs import KnownPair, KnownPairs
from specchat.services.drafts.ranking import rank_candidates
from specchat.services.hub.hub import Hub
from specchat.services.hub.relatives import RelativeQuery, find_relatives
from specchat.services.lazy import Lazy
from specchat.services.memory.measurable_files import open_measurable
from specchat.services.models.file_choice import choose_model
from specchat.services.models.model_files import command_reference, pin_reference
from specchat.services.models.model_library import ModelLibrary, may_draft_for
from specchat.services.models.model_names import normalize_name, parse_parameters, split_reference
from specchat.services.models.pair_fit import DraftVerdict, LocalModel, Origin, PairFit

log = logging.getLogger(__name__)

OnCandidates = Callable[[Sequence[DraftCandidate]], None]

_KNOWN_LOOKED_INTO = 8
_SAME_TOKENS = (DraftVerdict.IDENTICAL, DraftVerdict.COMPATIBLE)


class DraftFinder:
    def __init__(
        self,
        library: ModelLibrary,
        known: KnownPairs,
        hub: Callable[[], Hub],
        fit: Callable[[PairChoice], PairFit],
        measured_here: SpeedLookup = no_measurements,
    ) -> None:
        """`fit`: as `Fits.fit` answers."""
        self._library = library
        self._known = known
        self._hub = hub
        self._fit = fit
        self._measured_here = measured_here

    def find(
        self, target: str, cancel: CancelToken, found: OnCandidates = lambda candidates: None
    ) -> DraftSearchResult:
        """`found` hears of all candidates so far, ranked, whenever there is more to say: what is here first."""
        hub = Lazy(self._hub)
        target = pin_reference(target, hub, cancel)
        with open_measurable(target, hub, cancel) as file:
            judge = DraftEvaluator(file, self._fit, self._measured_here)
            pairs = self._known.drafts_for(target, judge.facts.name)
            search = _Search(target, judge, pairs, hub, cancel, found)
            search.here([model for model in self._library.models() if may_draft_for(model, file)])
            problem = search.on_the_hub()
            return DraftSearchResult(tuple(search.ranked), problem)


class _Search:
    def __init__(
        self,
        target: str,
        judge: DraftEvaluator,
        pairs: Sequence[KnownPair],
        hub: Callable[[], Hub],
        cancel: CancelToken,
        found: OnCandidates,
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
        return rank_candidates(self._candidates.values(), self._judge.facts.size)

    def here(self, models: Sequence[LocalModel]) -> None:
        drafts = {model.path: self._draft_here(model) for model in models}
        drafts |= {path: draft for path, draft in self._own_files() if path not in drafts}
        shipped = {model.path for model in models if model.origin is Origin.DEMO}
        judged = {}
        for path, draft in drafts.items():
            self._cancel.check()
            candidate = self._judge.evaluate(draft, path)
            if candidate.verdict in _SAME_TOKENS or path not in shipped:  # the demo knows too little to suit others
                judged[path] = candidate
                self._keep(candidate)
        self._report()
        for path, candidate in judged.items():
            self._cancel.check()
            self._keep(self._judge.add_memory_fit(candidate, path))
        self._report()

    def on_the_hub(self) -> TranslatableText | None:
        """Why it could not be asked for everything."""
        try:
            for model, known in self._remote():
                self._keep(self._looked_into(model, known))
                self._report()
        except UserError as error:
            return TranslatableText("Couldn't query the Hub: {reason}", reason=error.message)
        return None

    def _draft_here(self, model: LocalModel) -> DraftToCheck:
        reference = command_reference(model)
        known = next((pair for pair in self._pairs if pair.draft.matches(reference, model.name)), None)
        self._names |= set() if model.problems else {normalize_name(model.path.name), normalize_name(model.name)}
        problem = next(iter(model.problems), "")
        name = model.name_as_draft
        return DraftToCheck(reference, name, model.size, model.quantization, ModelLocation.HERE, known, problem)

    def _own_files(self) -> Iterator[tuple[Path, DraftToCheck]]:
        """Of the user's own pairs, wherever they lie."""
        for pair in self._pairs:
            path = Path(pair.draft.reference)
            if not pair.draft.repo and path.is_file():
                name = pair.draft.name or path.stem
                yield (
                    path,
                    DraftToCheck(
                        str(path), name, path.stat().st_size, pair.draft.quantization, ModelLocation.HERE, pair
                    ),
                )

    def _remote(self) -> Iterator[tuple[RemoteModel, KnownPair | None]]:
        yield from ((head, None) for head in self._heads())
        missing = [pair for pair in self._pairs if pair.draft.repo and not self._is_here(pair)]
        for pair in missing[:_KNOWN_LOOKED_INTO]:
            draft = pair.draft
            yield from ((m, pair) for m in self._find_models(draft.repo, draft.parameters, draft.file))
        for model in find_relatives(self._relative(), self._hub(), self._cancel):
            if normalize_name(model.repo) not in self._names:
                yield from ((m, None) for m in self._find_models(model.repo, model.parameters))

    def _heads(self) -> Iterator[RemoteModel]:
        """Beside the target, in its own repository."""
        repo, _ = split_reference(self._target)
        if not repo:
            return
        try:
            models = self._hub().fetch_listing(repo, None, self._cancel).models
        except (HubNotFoundError, HubAccessError) as error:
            log.info("Couldn't check the head in %s: %s", repo, error)
            return
        yield from (model for model in models if model.kind.is_head and str(model.reference) not in self._candidates)

    def _relative(self) -> RelativeQuery:
        repo, file = split_reference(self._target)
        names = [name for name in (repo.partition("/")[2], self._judge.facts.name, file) if name]
        query = next((name for name in names if parse_parameters(name)), names[0])
        return RelativeQuery(query, self._judge.facts.architecture, self._judge.facts.side.parameters)

    def _is_here(self, pair: KnownPair) -> bool:
        usable = [each for each in self._candidates.values() if each.verdict is not DraftVerdict.UNUSABLE]
        return any(each.known and pair.draft.matches(each.reference, each.name) for each in usable)

    def _find_models(self, repo: str, parameters: int, file: str | None = None) -> Iterator[RemoteModel]:
        self._cancel.check()
        try:
            models = self._hub().fetch_listing(repo, None, self._cancel).models
        except (HubNotFoundError, HubAccessError) as error:
            log.info("Couldn't check the draft in %s: %s", repo, error)
            return
        if chosen := choose_model(models, parameters, is_draft=True, file=file):
            self._names |= {normalize_name(repo), normalize_name(chosen.first.path)}
            if str(chosen.reference) != self._target:
                yield chosen

    def _looked_into(self, model: RemoteModel, known: KnownPair | None) -> DraftCandidate:
        name = known.draft.name if known and known.draft.name else PurePosixPath(model.first.path).stem
        draft = DraftToCheck(str(model.reference), name, model.size, model.quantization, ModelLocation.HUB, known)
        try:
            with open_measurable(draft.reference, self._hub, self._cancel) as path:
                return self._judge.add_memory_fit(self._judge.evaluate(draft, path), path)
        except (HubNotFoundError, HubAccessError, ModelFileError) as error:
            return unusable_candidate(draft, error.message)

    def _keep(self, candidate: DraftCandidate) -> None:
        self._candidates[candidate.reference] = candidate

    def _report(self) -> None:
        self._found(self.ranked)
