"""What becomes of the pair that is put together: looked at, measured, downloaded, chatted with."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import PairChoice
from specchat.services.bench.measured import MeasuredHere, never_measured
from specchat.services.drafts.values import Expected
from specchat.services.hub.download_jobs import ShownJob
from specchat.services.models.chosen_model import ChosenModel, at_first_sight, looked_up, settled
from specchat.services.models.demo_pair import is_demo
from specchat.services.models.model_refs import ref_of
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.manager.pair_plan_downloads import PlanDownloads
from specchat.ui.manager.pair_plan_files import PlanFiles
from specchat.ui.manager.pair_plan_fit import PlanFit
from specchat.ui.manager.pair_plan_past import Pair, PlanPast
from specchat.ui.manager.pair_plan_search import DraftSearch, FindDrafts
from specchat.ui.manager.pair_plan_settings import LoadSettings
from specchat.ui.manager.tray import PairTray
from specchat.ui.manager.tray_step import Act, Instead, Situation, next_step
from specchat.ui.threads.newest import Newest, Tell
from specchat.ui.threads.tasks import Tasks

if TYPE_CHECKING:  # they take their time to import
    from specchat.gguf.compatibility import Compatibility
    from specchat.services.drafts.known_pairs import KnownPairs
    from specchat.services.hub.hub import Hub
    from specchat.services.memory.fit import Fits
    from specchat.services.models.model_shelf import ModelShelf

_HUB_TASKS = 3


class PairPlan(QObject):
    changed = Signal(str, str)
    """The references of target and draft; empty where there is none."""
    downloadRequested = Signal(object)
    """A list of references."""
    resumeRequested = Signal(int)
    """The number of a download that failed."""
    downloadsRequested = Signal()
    """To be seen."""
    chatRequested = Signal(object)
    """A PairChoice."""
    pageRequested = Signal(str)
    """To be opened in the browser."""
    tokenRequested = Signal()

    def __init__(
        self,
        tray: PairTray,
        hub: "Callable[[], Hub]",
        fits: "Callable[[], Fits]",
        shelf: "ModelShelf",
        find_drafts: FindDrafts,
        logs: Path,
        loaded: Callable[[], PairChoice | None] = lambda: None,
        parent: QObject | None = None,
        *,
        settings: PairSettings | None = None,
        known: "Callable[[], KnownPairs] | None" = None,
        measured_here: MeasuredHere = never_measured,
    ) -> None:
        """`loaded`: the pair that would make room for this one; `settings`: how pairs were used last."""
        super().__init__(parent)
        self._tray, self._hub, self._shelf = tray, hub, shelf
        self._loaded, self._past = loaded, PlanPast(settings, known, measured_here)
        self._tasks, self._searches = Tasks(logs, self), Tasks(logs, self)
        self._hub_tasks = [Tasks(logs, self) for _ in range(_HUB_TASKS)]
        self._looking = Newest(*self._hub_tasks, parent=self)
        self._opening, self._choosing, self._expecting = (Newest(self._tasks, parent=self) for _ in range(3))
        self._files = PlanFiles(hub)
        self._fit = PlanFit(tray.memory, self._tasks, fits, loaded, self)
        self._search = DraftSearch(tray.drafts, self._searches, find_drafts, self)
        self._target: str | None = None
        self._draft: str | None = None
        self._instead = Instead.NOT_CHOSEN
        self._is_untouched = True
        self._known: dict[str, ChosenModel] = {}
        self._compatibility: Compatibility | None = None
        self._expected: Expected | None = None
        self._checked = False
        self._problem = self._chats_soon = False
        self._downloads = PlanDownloads()
        self._connect()
        self._show()

    def use_target(self, reference: str) -> None:
        self._use(reference, self._draft, self._instead)

    def use_draft(self, reference: str) -> None:
        self._use(self._target, reference)

    def use_pair(self, target: str, draft: str | None) -> None:
        """Without a draft, guesses come from earlier text."""
        self._use(target, draft, Instead.EARLIER_TEXT if draft is None else Instead.NOT_CHOSEN)

    def show_loaded(self) -> None:
        """Until something is chosen. The demo's pair is nobody's choice."""
        pair = self._loaded()
        if self._is_untouched and pair is not None and not is_demo(pair.target):
            if pair.draft_type == "none":
                self._use(str(pair.target), None, Instead.NOTHING)
            else:
                self.use_pair(str(pair.target), str(pair.draft) if pair.draft is not None else None)

    def chat(self) -> None:
        """As soon as that can be done without a warning, unless something else is chosen by then."""
        self._chats_soon = True
        self._show_step()

    def refresh(self) -> None:
        """What is on this computer may have changed."""
        self._look(anew=True)

    def look_at_speeds(self) -> None:
        """A benchmark may have told what the draft brings."""
        if not self._checked or self._target is None or self._draft is None or self._is_incompatible:
            return
        pair, verdict = (self._target, self._draft), self._verdict

        def look(cancel: CancelToken, tell: Tell) -> None:
            target, draft = self._files.of(list(pair), cancel)
            tell(partial(self._expect, self._past.expected(pair, target, draft, verdict)))

        self._expecting.begin(look, self._fail)

    def show_downloads(self, jobs: Sequence[ShownJob]) -> None:
        if self._downloads.take(jobs, self.references):
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

    def _use(self, target: str | None, draft: str | None, instead: Instead = Instead.NOT_CHOSEN) -> None:
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
        self._fit.forget()
        for outdated in (self._opening, self._choosing, self._expecting):
            outdated.stop()

        def look(cancel: CancelToken, tell: Tell) -> None:
            target, draft = (
                reference and settled(reference, self._hub, cancel, is_draft=is_draft)
                for reference, is_draft in zip(wanted, (False, True), strict=True)
            )
            tell(partial(self._settle, target, draft))
            references = [each for each in (target, draft) if each is not None]
            looks = (looked_up(each, self._shelf, self._hub, cancel) for each in references if each not in known)
            for model in chain.from_iterable(zip_longest(*looks)):  # the sizes of both before what may be refused
                if model is not None:
                    tell(partial(self._know, model))
            if target is not None and draft is not None:
                from specchat.services.models.model_files import compare

                tell(partial(self._compared, compare(target, draft, self._hub, cancel)))
            tell(self._looked)

        self._looking.begin(look, self._fail)
        self._show()

    def _looked(self) -> None:
        self._checked = True
        self._show()
        self._open(None if self._target is None or self._is_incompatible else (self._target, self._draft))

    def _open(self, pair: Pair | None) -> None:
        """The files, in the one thread that they belong to; those of other models go."""
        verdict = self._verdict
        references = [each for each in pair or () if each is not None]

        def open_files(cancel: CancelToken, tell: Tell) -> None:
            files = self._files.of(references, cancel)
            if pair is not None:
                target, draft = files[0], files[1] if len(files) > 1 else None
                models = ref_of(target), ref_of(draft) if draft is not None else None
                tell(partial(self._opened, pair, models, self._past.settings(*models)))
                tell(partial(self._expect, self._past.expected(pair, target, draft, verdict)))

        self._opening.begin(open_files, self._fail)

    def _settle(self, target: str | None, draft: str | None) -> None:
        if (target, draft) != (self._target, self._draft):
            self._target, self._draft = target, draft
            self.changed.emit(target or "", draft or "")

    def _know(self, model: ChosenModel) -> None:
        self._known[model.reference] = model
        self._show()

    def _compared(self, found: "Compatibility") -> None:
        self._compatibility = found
        self._show()

    def _opened(self, pair: Pair, models: tuple[ModelRef, ModelRef | None], last: LoadSettings) -> None:
        target = self._model(self._target)
        self._fit.begin(pair, models, last, target.n_ctx_train if target else None)

    def _expect(self, expected: Expected | None) -> None:
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
            tray.verdict.show_wait()
        self._show_step()

    def _show_step(self) -> None:
        step = next_step(self._situation())
        self._tray.show_step(step)
        if self._chats_soon and step.act is Act.CHAT and self._fit.verdict is not None and not step.warns:
            self._act(step.act)

    def _situation(self) -> Situation:
        obstacle = ""
        if self._is_incompatible:
            obstacle = self.tr("These two do not go together. Choose another draft, or go on without one.")
        elif self._problem:
            obstacle = self.tr("Nothing can be done with this pair before the problem above is solved.")
        return Situation(
            target=self._model(self._target),
            draft=self._model(self._draft),
            instead=self._instead,
            checked=self._checked,
            obstacle=obstacle,
            fit=self._fit.verdict,
            suggestion=self._fit.suggestion,
            changed=self._fit.what_changed,
            downloads=self._downloads.going(self.references),
        )

    @property
    def _verdict(self) -> str:
        return self._compatibility.verdict if self._compatibility is not None else ""

    @property
    def _is_incompatible(self) -> bool:
        return self._compatibility is not None and not self._compatibility.is_possible

    def _model(self, reference: str | None) -> ChosenModel | None:
        return self._known.get(reference, at_first_sight(reference)) if reference is not None else None

    def _note_on_sizes(self, target: ChosenModel | None, draft: ChosenModel | None) -> str:
        if self._is_incompatible or target is None or draft is None or not 0 < target.size <= draft.size:
            return ""
        return self.tr("But the draft is not smaller than the target: guessing will cost more than it saves.")

    def _act(self, act: Act) -> None:
        match act:
            case Act.DOWNLOAD:
                self.downloadRequested.emit([model.reference for model in self._situation().to_download])
            case Act.RESUME:
                for number in self._downloads.failed(self.references):
                    self.resumeRequested.emit(number)
            case Act.SHOW_DOWNLOADS:
                self.downloadsRequested.emit()
            case Act.USE_SUGGESTION:
                self._fit.take_suggestion()
            case Act.CHAT:
                self._chat()

    def _chat(self) -> None:
        """Once it is known how the pair was used last."""
        self._chats_soon = not self._fit.is_begun
        if self._chats_soon:
            return
        references = self.references

        def resolved(_: CancelToken, tell: Tell) -> None:
            from specchat.services.models.model_files import resolve

            target, *draft = [ref_of(resolve(reference)) for reference in references]
            choice = self._fit.choice(target, draft[0] if draft else None)
            choice = replace(choice, draft_type="none") if self._instead is Instead.NOTHING else choice
            tell(lambda: self.chatRequested.emit(choice))

        self._choosing.begin(resolved, self._fail)

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
        tray.targetRemoved.connect(lambda: self._use(None, self._draft))
        tray.draftRemoved.connect(lambda: self._use(self._target, None))
        tray.noDraftWanted.connect(lambda: self._use(self._target, None, Instead.EARLIER_TEXT))
        tray.draftsWanted.connect(self._find_drafts)
        tray.acted.connect(self._act)
        tray.drafts.closed.connect(self._close_search)
        tray.drafts.used.connect(self.use_draft)
        tray.problem.againRequested.connect(self.refresh)
        for problem in (tray.problem, tray.drafts.problem):
            problem.pageRequested.connect(self.pageRequested)
            problem.tokenRequested.connect(self.tokenRequested)
        self._fit.changed.connect(self._fitted)
        self._fit.failed.connect(self._fail_to_fit)
