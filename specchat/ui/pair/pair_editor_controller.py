"""Controls the pair editor: checks, measures, downloads and loads the selected pair."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.memory import CPU
from specchat.domain.model_ref import parse_model_ref
from specchat.domain.types import ModelSettings, PairChoice
from specchat.services.bench.measured_pairs import SpeedLookup
from specchat.services.hub.download_jobs import DownloadStatus
from specchat.services.models.demo_pair import is_demo
from specchat.services.models.model_description import ModelDescription
from specchat.services.models.model_refs import is_same_model, ref_for_path
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.pair.draft_search_controller import DraftSearchController, FindDrafts
from specchat.ui.pair.early_exit_controller import EarlyExitController
from specchat.ui.pair.load_options import DEFAULT_CONTEXT, with_cache_type, with_context
from specchat.ui.pair.next_step import DraftAlternative, PairDownloads, PairStatus, StepAction, next_step
from specchat.ui.pair.pair_editor import PairEditor
from specchat.ui.pair.pair_fit_model import PairFitModel
from specchat.ui.pair.pair_lookup import PairLookup
from specchat.ui.threads.latest_task import LatestTask, PostCallback
from specchat.ui.threads.task_queue import TaskQueue

if TYPE_CHECKING:  # they take their time to import
    from specchat.services.drafts.early_exit_process import EarlyExitProcess
    from specchat.services.drafts.known_pairs import KnownPairs
    from specchat.services.hub.hub import Hub
    from specchat.services.memory.fit_estimator import FitEstimator
    from specchat.services.models.model_library import ModelLibrary


class PairEditorController(QObject):
    changed = Signal(str, str)
    """The references of target and draft; empty where there is none."""
    download_requested = Signal(object)
    """A list of references."""
    chat_requested = Signal(object)
    """A PairChoice."""

    def __init__(
        self,
        editor: PairEditor,
        requests: ManagerRequests,
        hub: "Callable[[], Hub]",
        fits: "Callable[[], FitEstimator]",
        library: "ModelLibrary",
        find_drafts: FindDrafts,
        logs: Path,
        loaded: Callable[[], PairChoice | None],
        chosen: Callable[[], PairChoice | None],
        parent: QObject | None = None,
        *,
        settings: PairSettings,
        known: "Callable[[], KnownPairs]",
        measured_here: SpeedLookup,
        early_exit: "Callable[[], EarlyExitProcess]",
    ) -> None:
        """`loaded`: the pair that would make room for this one; `chosen`: the same as it was chosen, maybe with an
        automatic draft; `settings`: how pairs were used last.
        """
        super().__init__(parent)
        self._pair_editor, self._requests, self._loaded, self._chosen = editor, requests, loaded, chosen
        self._tasks, self._searches = TaskQueue(logs, self), TaskQueue(logs, self)
        self._lookup = PairLookup(self._tasks, hub, library, settings, known, measured_here, logs, self)
        self._model = PairFitModel(self._tasks, fits, library, loaded, self, suggests=True)
        self._choosing = LatestTask(self._tasks, parent=self)
        self._search = DraftSearchController(editor.drafts, self._searches, find_drafts, self)
        self.early_exit = EarlyExitController(
            editor.drafts, TaskQueue(logs, self), early_exit, self._target_settings, self
        )
        self._instead = DraftAlternative.NOT_CHOSEN
        self._opened: tuple[str | None, str | None] = (None, None)
        """The references of the pair that settings were chosen for last."""
        self._followed: PairChoice | None = None
        """What is loaded, as it was chosen, while it is what is shown here."""
        self._seen: PairChoice | None = None
        """What was loaded when it was last looked at."""
        self._is_untouched = True
        self._has_gpu = self._has_failed = self._chats_soon = False
        self._downloads = PairDownloads()
        self._connect()
        self._show()

    def use_target(self, reference: str) -> None:
        """The loaded one keeps its draft, unless another is chosen."""
        lookup, loaded = self._lookup, self._loaded()
        is_loaded = loaded is not None and is_same_model(parse_model_ref(reference), loaded.target)
        has_draft = lookup.draft is not None or self._instead is not DraftAlternative.NOT_CHOSEN
        if is_loaded and (self._followed is not None or not has_draft):
            self._follow_loaded()
        else:
            self._use(reference, lookup.draft, self._instead)

    def use_draft(self, reference: str) -> None:
        self._use(self._lookup.target, reference)

    def use_pair(self, target: str, draft: str | None) -> None:
        """Without a draft, guesses come from earlier text."""
        self._use(target, draft, DraftAlternative.EARLIER_TEXT if draft is None else DraftAlternative.NOT_CHOSEN)

    def show_loaded(self) -> None:
        """Where something else was loaded since: in place of what was loaded before, or of the same models with other
        settings, but not of other models that are being chosen. The demo's pair is nobody's choice.
        """
        pair, chosen = self._loaded(), self._chosen()
        if pair is None or chosen == self._seen:
            return
        self._seen = chosen
        is_first_choice = self._is_untouched and not is_demo(pair.target)
        if is_first_choice or self._followed is not None or self._shows_models_of(pair):
            self._follow_loaded()

    def _shows_models_of(self, pair: PairChoice) -> bool:
        shown = self._model.choice if self._model.is_open else None
        return shown is not None and (shown.target, shown.draft) == (pair.target, pair.draft)

    def _follow_loaded(self) -> None:
        pair = self._loaded()
        if pair is None:
            return
        target, draft = str(pair.target), str(pair.draft) if pair.draft is not None else None
        if pair.draft_type == "none":
            self._use(target, None, DraftAlternative.NOTHING)
        else:
            self.use_pair(target, draft)
        self._followed, self._opened = self._chosen(), (None, None)

    def start_chat_when_ready(self) -> None:
        """As soon as that can be done without a warning, unless something else is chosen by then."""
        self._chats_soon = True
        self._show_step()

    def refresh(self) -> None:
        """What is on this computer may have changed."""
        self._load_details(anew=True)

    def refresh_speeds(self) -> None:
        self._lookup.refresh_speed()

    def show_downloads(self, jobs: Sequence[DownloadStatus]) -> None:
        if self._downloads.update_jobs(jobs, self.references):
            self.refresh()
        self._show_step()

    def close(self) -> None:
        for newest in (self._choosing, self._model, self._search):
            newest.stop()
        self._lookup.close()
        self.early_exit.close()
        for tasks in (self._searches, self._tasks):
            tasks.close()
        self._lookup.close_files()

    @property
    def references(self) -> list[str]:
        return self._lookup.references

    def _use(
        self, target: str | None, draft: str | None, instead: DraftAlternative = DraftAlternative.NOT_CHOSEN
    ) -> None:
        self._lookup.choose(target, draft)
        self._instead, self._followed = instead, None
        self._is_untouched = self._chats_soon = False
        self._close_search()
        self._tell_references()
        self._load_details()

    def _tell_references(self) -> None:
        self.changed.emit(self._lookup.target or "", self._lookup.draft or "")

    def _load_details(self, *, anew: bool = False) -> None:
        anew, self._has_failed = anew or self._has_failed, False
        self._model.reset()
        self._choosing.stop()
        self._pair_editor.memory.show_note(self.tr("Estimating memory…"))
        self._lookup.load_details(anew=anew)
        self._show()

    def _show_opened(self, used: PairChoice) -> None:
        """Another target begins as it was used last; with another draft, context and cache stay. What is loaded begins
        as it is loaded.
        """
        if self._followed is not None:
            draft_type = self._followed.draft_type if used.draft is None else used.draft_type
            used = replace(self._followed, target=used.target, draft=used.draft, draft_type=draft_type)
        before, self._opened = self._opened, (self._lookup.target, self._lookup.draft)
        now, target = self._model.choice, self._lookup.model(self._lookup.target)
        longest = target.n_ctx_train if target else None
        n_ctx = used.target_settings.n_ctx or DEFAULT_CONTEXT
        choice = with_context(used, min(n_ctx, longest or n_ctx))
        choice = with_cache_type(choice, used.target_settings.cache_type)
        if now is not None and before == self._opened:
            choice = replace(now, target=used.target, draft=used.draft)
        elif now is not None and before[0] == self._opened[0]:
            choice = with_context(choice, now.target_settings.n_ctx or n_ctx)
            choice = with_cache_type(choice, now.target_settings.cache_type)
        self._model.open(choice)
        self._show_settings()

    def _show_settings(self) -> None:
        target, choice = self._lookup.model(self._lookup.target), self._model.choice
        if choice is not None:
            self._pair_editor.memory.show_choice(choice, target.n_ctx_train if target else None)

    def _target_settings(self) -> ModelSettings:
        return self._model.choice.target_settings if self._model.choice is not None else ModelSettings()

    def _settings_changed(self) -> None:
        if self._model.choice is not None:
            self._model.change(self._pair_editor.memory.applied_to(self._model.choice))

    def _show_fit(self) -> None:
        if (fit := self._model.fit) is not None:
            self._has_gpu = self._has_gpu or any(device.name != CPU for device in fit.devices)
            self._pair_editor.memory.show_fit(fit, has_gpu=self._has_gpu)
        self._has_failed = False
        self._show()

    def _fail(self, error: UserError) -> None:
        self._has_failed = True
        self._show()
        self._pair_editor.show_problem(error)

    def _fail_to_fit(self, error: UserError) -> None:
        """Other settings may not fail."""
        self._fail(error)
        self._pair_editor.memory.show()

    def _show(self) -> None:
        editor, lookup = self._pair_editor, self._lookup
        target, draft = lookup.model(lookup.target), lookup.model(lookup.draft)
        editor.show_target(target)
        has_target = target is not None and target.here is not None
        editor.show_draft(draft, has_target=has_target, instead=self._instead)
        if not self._has_failed:
            editor.show_parts(verdict=bool(target and draft), memory=target is not None and not lookup.is_incompatible)
        if lookup.compatibility is not None:
            editor.verdict.show_verdict(lookup.compatibility, self._note_on_sizes(target, draft), lookup.expected)
        else:
            editor.verdict.show_checking()
        self._show_step()

    def _show_step(self) -> None:
        step = next_step(self._status())
        self._pair_editor.step.show_step(step)
        if self._chats_soon and step.act is StepAction.CHAT and self._model.fit is not None and not step.warns:
            self._act(step.act)

    def _status(self) -> PairStatus:
        lookup, fit = self._lookup, self._model.fit
        obstacle = ""
        if lookup.is_incompatible:
            obstacle = self.tr("These models are incompatible. Choose another draft, or continue without one.")
        elif self._has_failed:
            obstacle = self.tr("Resolve the problem above to continue.")
        return PairStatus(
            target=lookup.model(lookup.target),
            draft=lookup.model(lookup.draft),
            instead=self._instead,
            checked=lookup.is_done,
            obstacle=obstacle,
            fit=fit.verdict if fit is not None else None,
            suggestion=self._model.suggestion,
            changed=self._model.changes,
            downloads=self._downloads.unfinished_jobs(self.references),
        )

    def _note_on_sizes(self, target: ModelDescription | None, draft: ModelDescription | None) -> str:
        if self._lookup.is_incompatible or target is None or draft is None or not 0 < target.size <= draft.size:
            return ""
        return self.tr("The draft is not smaller than the target, so speculation will cost more time than it saves.")

    def _act(self, act: StepAction) -> None:
        match act:
            case StepAction.DOWNLOAD:
                self.download_requested.emit([model.reference for model in self._status().to_download])
            case StepAction.RESUME:
                for number in self._downloads.failed_job_numbers(self.references):
                    self._requests.resume_requested.emit(number)
            case StepAction.SHOW_DOWNLOADS:
                self._requests.pane_requested.emit(ManagerSection.DOWNLOADS)
            case StepAction.USE_SUGGESTION:
                self._model.use_suggestion()
            case StepAction.CHAT:
                self._chat()

    def _chat(self) -> None:
        """Once it is known how the pair was used last."""
        self._chats_soon = not self._model.is_open
        chosen, references = self._model.choice, self.references
        if self._chats_soon or chosen is None:
            return
        if self._instead is DraftAlternative.NOTHING:
            chosen = replace(chosen, draft_type="none")

        followed = self._followed

        def resolve(_: CancelToken, post: PostCallback) -> None:
            from specchat.services.models.model_files import resolve_path

            target, *draft = [ref_for_path(resolve_path(reference)) for reference in references]
            choice = replace(chosen, target=target, draft=draft[0] if draft else None)
            if followed is not None:
                choice = replace(choice, draft=followed.draft, draft_type=followed.draft_type)
            post(lambda: self._request_chat(choice))

        self._choosing.start(resolve, self._fail)

    def _request_chat(self, choice: PairChoice) -> None:
        self._followed = choice
        self.chat_requested.emit(choice)

    def _find_drafts(self) -> None:
        target = self._lookup.model(self._lookup.target)
        if target is not None:
            self._pair_editor.show_drafts(shown=True)
            self._search.begin(target.reference, target.name)
            self.early_exit.begin(target.reference, target.name)

    def _close_search(self) -> None:
        self._search.stop()
        self.early_exit.stop()
        self._pair_editor.show_drafts(shown=False)

    def _connect(self) -> None:
        editor, lookup, model = self._pair_editor, self._lookup, self._model
        editor.target.removed.connect(lambda: self._use(None, lookup.draft))
        editor.draft.removed.connect(lambda: self._use(lookup.target, None))
        for without in (editor.no_draft_requested, editor.verdict.no_draft_requested, editor.drafts.no_draft_requested):
            without.connect(lambda: self._use(lookup.target, None, DraftAlternative.EARLIER_TEXT))
        for finding in (editor.drafts_requested, editor.verdict.drafts_requested):
            finding.connect(self._find_drafts)
        self.early_exit.kept.connect(self._find_drafts)
        self.early_exit.kept.connect(self._requests.local_refresh_requested)
        editor.step.action_requested.connect(self._act)
        editor.memory.changed.connect(self._settings_changed)
        editor.drafts.closed.connect(self._close_search)
        editor.drafts.draft_chosen.connect(self.use_draft)
        editor.problem.retry_requested.connect(self.refresh)
        for problem in (editor.problem, editor.drafts.problem):
            problem.web_page_requested.connect(self._requests.web_page_requested)
            problem.token_requested.connect(self._requests.token_requested)
        lookup.changed.connect(self._show)
        lookup.settled.connect(self._tell_references)
        lookup.opened.connect(self._show_opened)
        lookup.failed.connect(self._fail)
        model.choice_changed.connect(self._show_settings)
        model.fit_changed.connect(self._show_fit)
        model.failed.connect(self._fail_to_fit)
