"""Looks up target and draft, on this computer or on the Hub, and compares them."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.types import NGRAM, PairChoice
from specchat.services.bench.measured_pairs import SpeedLookup
from specchat.services.drafts.draft_candidates import SpeedupEstimate
from specchat.services.models.model_description import (
    ModelDescription,
    describe_model,
    describe_reference,
    resolve_choice,
)
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.model_refs import ref_for_path
from specchat.services.models.pair_fit import DraftVerdict
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.threads.latest_task import LatestTask, PostCallback
from specchat.ui.threads.task_queue import TaskQueue

if TYPE_CHECKING:  # they take their time to import
    from specchat.gguf.compatibility import Compatibility
    from specchat.services.drafts.known_pairs import KnownPairs
    from specchat.services.hub.hub import Hub

_HUB_TASKS = 3


class PairLookup(QObject):
    changed = Signal()
    """More is known."""
    settled = Signal()
    """A reference was replaced by one that says more: a repository by its usual file."""
    opened = Signal(object)
    """A PairChoice of files that llama.cpp can look into, with the settings that were used last."""
    failed = Signal(UserError)

    def __init__(
        self,
        tasks: TaskQueue,
        hub: "Callable[[], Hub]",
        library: ModelLibrary,
        settings: PairSettings,
        known: "Callable[[], KnownPairs]",
        measured_here: SpeedLookup,
        logs: Path,
        parent: QObject,
    ) -> None:
        """`tasks`: the thread that files are opened and measured in. `settings`: how pairs were used last."""
        super().__init__(parent)
        self._hub, self._library, self._settings = hub, library, settings
        self._known_pairs, self._measured_here = known, measured_here
        self._hub_tasks = TaskQueue(logs, self, parallel=_HUB_TASKS)
        self._loading = LatestTask(self._hub_tasks, parent=self)
        self._opening, self._expecting = LatestTask(tasks, parent=self), LatestTask(tasks, parent=self)
        self._files = _Files(hub)
        self._described: dict[str, ModelDescription] = {}
        self.target: str | None = None
        self.draft: str | None = None
        self.compatibility: Compatibility | None = None
        self.expected: SpeedupEstimate | None = None
        """How fast the draft makes the target."""
        self.is_done = False
        """All there is to know about the two is known."""

    @property
    def references(self) -> list[str]:
        return [each for each in (self.target, self.draft) if each is not None]

    @property
    def is_incompatible(self) -> bool:
        return self.compatibility is not None and not self.compatibility.is_possible

    def model(self, reference: str | None) -> ModelDescription | None:
        return self._described.get(reference, describe_reference(reference)) if reference is not None else None

    def choose(self, target: str | None, draft: str | None) -> None:
        """See `load_details`."""
        self.target, self.draft = target, draft
        self._described = {each: self._described[each] for each in self.references if each in self._described}

    def load_details(self, *, anew: bool = False) -> None:
        """For what is not known yet: of the models, of the two together, and what they need."""
        wanted, known = (self.target, self.draft), set() if anew else set(self._described)
        self.compatibility, self.expected, self.is_done = None, None, False
        for outdated in (self._opening, self._expecting):
            outdated.stop()

        def describe_models(cancel: CancelToken, post: PostCallback) -> None:
            target, draft = (
                reference and resolve_choice(reference, self._hub, cancel, is_draft=is_draft)
                for reference, is_draft in zip(wanted, (False, True), strict=True)
            )
            post(partial(self._settle, target, draft))
            references = [each for each in (target, draft) if each is not None]
            found = (describe_model(each, self._library, self._hub, cancel) for each in references if each not in known)
            for model in chain.from_iterable(zip_longest(*found)):  # the sizes of both before what may be refused
                if model is not None:
                    post(partial(self._describe, model))
            if target is not None and draft is not None:
                from specchat.services.models.model_files import compare_models

                post(partial(self._compare, compare_models(target, draft, self._hub, cancel)))
            post(self._finish)

        self._loading.start(describe_models, self.failed.emit)

    def refresh_speed(self) -> None:
        """A benchmark may have told what the draft brings."""
        if not self.is_done or self.target is None or self.draft is None or self.is_incompatible:
            return
        references = [self.target, self.draft]

        def estimate(cancel: CancelToken, post: PostCallback) -> None:
            files = self._files.open_paths(references, cancel)
            post(partial(self._expect, self._expected_speed(references, files)))

        self._expecting.start(estimate, self.failed.emit)

    def close(self) -> None:
        for newest in (self._loading, self._opening, self._expecting):
            newest.stop()
        self._hub_tasks.close()

    def close_files(self) -> None:
        """When nothing looks into them any more."""
        self._files.close()

    def _settle(self, target: str | None, draft: str | None) -> None:
        if (target, draft) != (self.target, self.draft):
            self.target, self.draft = target, draft
            self.settled.emit()

    def _describe(self, model: ModelDescription) -> None:
        self._described[model.reference] = model
        self.changed.emit()

    def _compare(self, found: "Compatibility") -> None:
        self.compatibility = found
        self.changed.emit()

    def _expect(self, expected: SpeedupEstimate | None) -> None:
        self.expected = expected
        self.changed.emit()

    def _finish(self) -> None:
        self.is_done = True
        self.changed.emit()
        self._open([] if self.target is None or self.is_incompatible else self.references)

    def _open(self, references: Sequence[str]) -> None:
        """The files, in the one thread that they belong to; those of other models go."""

        def open_files(cancel: CancelToken, post: PostCallback) -> None:
            files = self._files.open_paths(references, cancel)
            if files:
                post(partial(self.opened.emit, self._used_last(*files)))
                post(partial(self._expect, self._expected_speed(references, files)))

        self._opening.start(open_files, self.failed.emit)

    def _used_last(self, target: Path, draft: Path | None = None) -> PairChoice:
        """Without a draft, guesses come from earlier text."""
        models = ref_for_path(target), ref_for_path(draft) if draft is not None else None
        draft_type = "auto" if draft is not None else NGRAM
        used = self._settings.recall(*models, draft_type)
        return replace(used, target=models[0], draft=models[1], draft_type=draft_type)

    def _expected_speed(self, references: Sequence[str], files: Sequence[Path]) -> SpeedupEstimate | None:
        """`files`: the models, or files with their headers alone."""
        from specchat.services.drafts.draft_evaluator import estimate_for_files
        from specchat.services.drafts.speedup import apply_measurement

        compared = self.compatibility
        if len(files) < 2 or compared is None:
            return None
        (target, draft), verdict = files, DraftVerdict(compared.verdict)
        known = self._known_pairs().pairs()
        expected = estimate_for_files(references[0], references[1], (target, draft), verdict, known, compared.overlap)
        return apply_measurement(expected, self._measured_here(target, draft))


@dataclass(frozen=True, slots=True)
class _Opened:
    path: Path
    is_made: bool
    """It holds a header from the Hub."""
    stack: ExitStack


class _Files:
    """What llama.cpp can look into: models that are here, and for those on the Hub files with their headers, which are
    made for this and go again. Used in one thread at a time.
    """

    def __init__(self, hub: "Callable[[], Hub]") -> None:
        self._hub = hub
        self._opened: dict[str, _Opened] = {}

    def open_paths(self, references: Sequence[str], cancel: CancelToken) -> list[Path]:
        """Those of other models go, and those that stand for what has arrived here."""
        for gone in [each for each in self._opened if each not in references or self._is_outdated(each)]:
            self._opened.pop(gone).stack.close()
        return [self._path(reference, cancel) for reference in references]

    def close(self) -> None:
        while self._opened:
            self._opened.popitem()[1].stack.close()

    def _is_outdated(self, reference: str) -> bool:
        return self._opened[reference].is_made is not _is_to_be_made(reference)

    def _path(self, reference: str, cancel: CancelToken) -> Path:
        from specchat.services.memory.measurable_files import open_measurable

        if reference not in self._opened:
            is_made = _is_to_be_made(reference)
            with ExitStack() as stack:
                path = stack.enter_context(open_measurable(reference, self._hub, cancel))
                self._opened[reference] = _Opened(path, is_made, stack.pop_all())
        return self._opened[reference].path


def _is_to_be_made(reference: str) -> bool:
    from specchat.services.models.model_files import parse_remote

    return parse_remote(reference) is not None
