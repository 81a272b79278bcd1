"""Controls the pair editor: checks, measures, downloads and loads the selected pair."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import PairChoice
from specchat.services.bench.measured_pairs import SpeedLookup, no_measurements
from specchat.services.drafts.draft_candidates import SpeedupEstimate
from specchat.services.hub.download_jobs import DownloadStatus
from specchat.services.models.demo_pair import is_demo
from specchat.services.models.model_description import (
    ModelDescription,
    describe_model,
    describe_reference,
    resolve_choice,
)
from specchat.services.models.model_refs import ref_for_path
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.pair.draft_search_controller import DraftSearchController, FindDrafts
from specchat.ui.pair.load_settings import LoadSettings
from specchat.ui.pair.next_step import DraftAlternative, PairStatus, StepAction, next_step
from specchat.ui.pair.pair_downloads import PairDownloads
from specchat.ui.pair.pair_editor import PairEditor
from specchat.ui.pair.pair_files import PairFiles
from specchat.ui.pair.pair_fit_controller import PairFitController
from specchat.ui.pair.pair_history import PairHistory, PairReferences
from specchat.ui.threads.latest_task import LatestTask, PostCallback
from specchat.ui.threads.task_queue import TaskQueue

if TYPE_CHECKING:  # they take their time to import
    from specchat.gguf.compatibility import Compatibility
    from specchat.services.drafts.known_pairs import KnownPairs
    from specchat.services.hub.hub import Hub
    from specchat.services.memory.fit_estimator import FitEstimator
    from specchat.services.models.model_library import ModelLibrary

_HUB_TASKS = 3


class PairEditorController(QObject):
    changed = Signal(str, str)
    """The references of target and draft; empty where there is none."""
    download_requested = Signal(object)
    """A list of references."""
    resume_requested = Signal(int)
    """The number of a download that failed."""
    show_downloads_requested = Signal()
    """To be seen."""
    chat_requested = Signal(object)
    """A PairChoice."""
    web_page_requested = Signal(str)
    """To be opened in the browser."""
    token_requested = Signal()

    def __init__(
        self,
        tray: PairEditor,
        hub: "Callable[[], Hub]",
        fits: "Callable[[], FitEstimator]",
        library: "ModelLibrary",
        find_drafts: FindDrafts,
        logs: Path,
        loaded: Callable[[], PairChoice | None] = lambda: None,
        parent: QObject | None = None,
        *,
        settings: PairSettings | None = None,
        known: "Callable[[], KnownPairs] | None" = None,
        measured_here: SpeedLookup = no_measurements,
    ) -> None:
        """`loaded`: the pair that would make room for this one; `settings`: how pairs were used last."""
        super().__init__(parent)
        self._tray, self._hub, self._library = tray, hub, library
        self._loaded, self._past = loaded, PairHistory(settings, known, measured_here)
        self._tasks, self._searches = TaskQueue(logs, self), TaskQueue(logs, self)
        self._hub_tasks = [TaskQueue(logs, self) for _ in range(_HUB_TASKS)]
        self._looking = LatestTask(*self._hub_tasks, parent=self)
        self._opening, self._choosing, self._expecting = (LatestTask(self._tasks, parent=self) for _ in range(3))
        self._files = PairFiles(hub)
        self._fit = PairFitController(tray.memory, self._tasks, fits, loaded, self)
        self._search = DraftSearchController(tray.drafts, self._searches, find_drafts, self)
        self._target: str | None = None
        self._draft: str | None = None
        self._instead = DraftAlternative.NOT_CHOSEN
        self._is_untouched = True
        self._known: dict[str, ModelDescription] = {}
        self._compatibility: Compatibility | None = None
        self._expected: SpeedupEstimate | None = None
        self._checked = False
        self._problem = self._chats_soon = False
        self._downloads = PairDownloads()
        self._connect()
        self._show()

    def use_target(self, reference: str) -> None:
        self._use(reference, self._draft, self._instead)

    def use_draft(self, reference: str) -> None:
        self._use(self._target, reference)

    def use_pair(self, target: str, draft: str | None) -> None:
        """Without a draft, guesses come from earlier text."""
        self._use(target, draft, DraftAlternative.EARLIER_TEXT if draft is None else DraftAlternative.NOT_CHOSEN)

    def show_loaded(self) -> None:
        """Until something is chosen. The demo's pair is nobody's choice."""
        pair = self._loaded()
        if self._is_untouched and pair is not None and not is_demo(pair.target):
            if pair.draft_type == "none":
                self._use(str(pair.target), None, DraftAlternative.NOTHING)
            else:
                self.use_pair(str(pair.target), str(pair.draft) if pair.draft is not None else None)

    def start_chat_when_ready(self) -> None:
        """As soon as that can be done without a warning, unless something else is chosen by then."""
        self._chats_soon = True
        self._show_step()

    def refresh(self) -> None:
        """What is on this computer may have changed."""
        self._look(anew=True)

    def refresh_speeds(self) -> None:
        """A benchmark may have told what the draft brings."""
        if not self._checked or self._target is None or self._draft is None or self._is_incompatible:
            return
        pair, verdict = (self._target, self._draft), self._verdict

        def look(cancel: CancelToken, tell: PostCallback) -> None:
            target, draft = self._files.open_paths(list(pair), cancel)
            tell(partial(self._expect, self._past.expected_speed(pair, target, draft, verdict)))

        self._expecting.start(look, self._fail)

    def show_downloads(self, jobs: Sequence[DownloadStatus]) -> None:
        if self._downloads.update_jobs(jobs, self.references):
            self.refresh()
        self._show_step()

    def close(self) -> None:
        for newest in (self._looking, self._opening, self._choosing, self._expecting, self._fit, self._search):
            newest.stop()
        for tasks in (*self._hub_tasks, self._searches, self._tasks):
            tasks.close()
        self._files.close()

    @property
    def references(self) -> list[str]:
        return [each for each in (self._target, self._draft) if each is not None]

    def _use(
        self, target: str | None, draft: str | None, instead: DraftAlternative = DraftAlternative.NOT_CHOSEN
    ) -> None:
        self._target, self._draft, self._instead, self._is_untouched = target, draft, instead, False
        self._chats_soon = False
        self._known = {reference: self._known[reference] for reference in self.references if reference in self._known}
        self._close_search()
        self.changed.emit(target or "", draft or "")
        self._look()

    def _look(self, *, anew: bool = False) -> None:
        """What is not known yet: of the models, of the two together, and what they need."""
        wanted, known = (self._target, self._draft), set() if anew or self._problem else set(self._known)
        self._compatibility, self._expected, self._checked, self._problem = None, None, False, False
        self._fit.reset()
        for outdated in (self._opening, self._choosing, self._expecting):
            outdated.stop()

        def look(cancel: CancelToken, tell: PostCallback) -> None:
            target, draft = (
                reference and resolve_choice(reference, self._hub, cancel, is_draft=is_draft)
                for reference, is_draft in zip(wanted, (False, True), strict=True)
            )
            tell(partial(self._settle, target, draft))
            references = [each for each in (target, draft) if each is not None]
            looks = (describe_model(each, self._library, self._hub, cancel) for each in references if each not in known)
            for model in chain.from_iterable(zip_longest(*looks)):  # the sizes of both before what may be refused
                if model is not None:
                    tell(partial(self._know, model))
            if target is not None and draft is not None:
                from specchat.services.models.model_files import compare_models

                tell(partial(self._compared, compare_models(target, draft, self._hub, cancel)))
            tell(self._looked)

        self._looking.start(look, self._fail)
        self._show()

    def _looked(self) -> None:
        self._checked = True
        self._show()
        self._open(None if self._target is None or self._is_incompatible else (self._target, self._draft))

    def _open(self, pair: PairReferences | None) -> None:
        """The files, in the one thread that they belong to; those of other models go."""
        verdict = self._verdict
        references = [each for each in pair or () if each is not None]

        def open_files(cancel: CancelToken, tell: PostCallback) -> None:
            files = self._files.open_paths(references, cancel)
            if pair is not None:
                target, draft = files[0], files[1] if len(files) > 1 else None
                models = ref_for_path(target), ref_for_path(draft) if draft is not None else None
                tell(partial(self._opened, pair, models, self._past.last_settings(*models)))
                tell(partial(self._expect, self._past.expected_speed(pair, target, draft, verdict)))

        self._opening.start(open_files, self._fail)

    def _settle(self, target: str | None, draft: str | None) -> None:
        if (target, draft) != (self._target, self._draft):
            self._target, self._draft = target, draft
            self.changed.emit(target or "", draft or "")

    def _know(self, model: ModelDescription) -> None:
        self._known[model.reference] = model
        self._show()

    def _compared(self, found: "Compatibility") -> None:
        self._compatibility = found
        self._show()

    def _opened(self, pair: PairReferences, models: tuple[ModelRef, ModelRef | None], last: LoadSettings) -> None:
        target = self._model(self._target)
        self._fit.begin(pair, models, last, target.n_ctx_train if target else None)

    def _expect(self, expected: SpeedupEstimate | None) -> None:
        self._expected = expected
        self._show()

    def _fail(self, error: UserError) -> None:
        self._problem = True
        self._show()
        self._tray.show_problem(error)

    def _fail_to_fit(self, error: UserError) -> None:
        """Other settings may not fail."""
        self._fail(error)
        self._tray.memory.show()

    def _fitted(self) -> None:
        self._problem = False
        self._show()

    def _show(self) -> None:
        tray, target, draft = self._tray, self._model(self._target), self._model(self._draft)
        tray.show_target(target)
        has_target = target is not None and target.here is not None
        tray.show_draft(draft, has_target=has_target, instead=self._instead)
        if not self._problem:
            tray.show_parts(verdict=bool(target and draft), memory=target is not None and not self._is_incompatible)
        if self._compatibility is not None:
            tray.verdict.show_verdict(self._compatibility, self._note_on_sizes(target, draft), self._expected)
        else:
            tray.verdict.show_checking()
        self._show_step()

    def _show_step(self) -> None:
        step = next_step(self._situation())
        self._tray.show_step(step)
        if self._chats_soon and step.act is StepAction.CHAT and self._fit.verdict is not None and not step.warns:
            self._act(step.act)

    def _situation(self) -> PairStatus:
        obstacle = ""
        if self._is_incompatible:
            obstacle = self.tr("These two do not go together. Choose another draft, or go on without one.")
        elif self._problem:
            obstacle = self.tr("Nothing can be done with this pair before the problem above is solved.")
        return PairStatus(
            target=self._model(self._target),
            draft=self._model(self._draft),
            instead=self._instead,
            checked=self._checked,
            obstacle=obstacle,
            fit=self._fit.verdict,
            suggestion=self._fit.suggestion,
            changed=self._fit.what_changed,
            downloads=self._downloads.unfinished_jobs(self.references),
        )

    @property
    def _verdict(self) -> str:
        return self._compatibility.verdict if self._compatibility is not None else ""

    @property
    def _is_incompatible(self) -> bool:
        return self._compatibility is not None and not self._compatibility.is_possible

    def _model(self, reference: str | None) -> ModelDescription | None:
        return self._known.get(reference, describe_reference(reference)) if reference is not None else None

    def _note_on_sizes(self, target: ModelDescription | None, draft: ModelDescription | None) -> str:
        if self._is_incompatible or target is None or draft is None or not 0 < target.size <= draft.size:
            return ""
        return self.tr("But the draft is not smaller than the target: guessing will cost more than it saves.")

    def _act(self, act: StepAction) -> None:
        match act:
            case StepAction.DOWNLOAD:
                self.download_requested.emit([model.reference for model in self._situation().to_download])
            case StepAction.RESUME:
                for number in self._downloads.failed_job_numbers(self.references):
                    self.resume_requested.emit(number)
            case StepAction.SHOW_DOWNLOADS:
                self.show_downloads_requested.emit()
            case StepAction.USE_SUGGESTION:
                self._fit.apply_suggestion()
            case StepAction.CHAT:
                self._chat()

    def _chat(self) -> None:
        """Once it is known how the pair was used last."""
        self._chats_soon = not self._fit.is_begun
        if self._chats_soon:
            return
        references = self.references

        def resolved(_: CancelToken, tell: PostCallback) -> None:
            from specchat.services.models.model_files import resolve_path

            target, *draft = [ref_for_path(resolve_path(reference)) for reference in references]
            choice = self._fit.choice(target, draft[0] if draft else None)
            choice = replace(choice, draft_type="none") if self._instead is DraftAlternative.NOTHING else choice
            tell(lambda: self.chat_requested.emit(choice))

        self._choosing.start(resolved, self._fail)

    def _find_drafts(self) -> None:
        target = self._model(self._target)
        if target is not None:
            self._tray.show_drafts(shown=True)
            self._search.begin(target.reference, target.name)

    def _close_search(self) -> None:
        self._search.stop()
        self._tray.show_drafts(shown=False)

    def _connect(self) -> None:
        tray = self._tray
        tray.target_removed.connect(lambda: self._use(None, self._draft))
        tray.draft_removed.connect(lambda: self._use(self._target, None))
        tray.no_draft_requested.connect(lambda: self._use(self._target, None, DraftAlternative.EARLIER_TEXT))
        tray.drafts_requested.connect(self._find_drafts)
        tray.action_requested.connect(self._act)
        tray.drafts.closed.connect(self._close_search)
        tray.drafts.draft_chosen.connect(self.use_draft)
        tray.problem.retry_requested.connect(self.refresh)
        for problem in (tray.problem, tray.drafts.problem):
            problem.web_page_requested.connect(self.web_page_requested)
            problem.token_requested.connect(self.token_requested)
        self._fit.changed.connect(self._fitted)
        self._fit.failed.connect(self._fail_to_fit)
