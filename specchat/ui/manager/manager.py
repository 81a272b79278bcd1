"""Puts the model manager together."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from specchat.domain.types import PairChoice
from specchat.services.hub.download_jobs import Job
from specchat.services.models.model_refs import ref_of
from specchat.ui.manager.download_control import DownloadControl
from specchat.ui.manager.download_pane import DownloadPane
from specchat.ui.manager.here_control import HereControl
from specchat.ui.manager.here_pane import HerePane
from specchat.ui.manager.hub_control import HubControl
from specchat.ui.manager.hub_pane import HubPane
from specchat.ui.manager.pair_plan import PairPlan
from specchat.ui.manager.pairs_control import PairsControl
from specchat.ui.manager.pairs_pane import PairsPane
from specchat.ui.manager.tray import PairTray
from specchat.ui.manager.window import ManagerWindow, Page, Pane
from specchat.ui.model_services import ModelServices
from specchat.ui.opened_outside import open_address
from specchat.ui.threads.tasks import Tasks
from specchat.ui.widgets.link_question import asked_to_open
from specchat.ui.widgets.theme import Theme


class Manager(QObject):
    chat_wanted = Signal(PairChoice)
    token_wanted = Signal()
    pace_chosen = Signal(int, int)
    ended = Signal(Job)
    """A download that is done or has failed."""
    models_changed = Signal()

    def __init__(
        self,
        services: ModelServices,
        tasks: Tasks,
        loaded: Callable[[], PairChoice | None],
        theme: Theme,
        parent: QWidget,
    ) -> None:
        """`tasks`: where the shelf is changed; `loaded`: the pair that would make room for another."""
        super().__init__(parent)
        logs = services.logs
        self._tasks, self._pair_settings = tasks, services.pair_settings
        self._here_pane, self._hub_pane, self._pairs_pane = HerePane(theme), HubPane(theme), PairsPane(theme)
        self._download_pane, self._tray = DownloadPane(theme), PairTray(theme)
        self.window = ManagerWindow(theme, self._panes(), self._tray, parent)
        self._hub_tasks = Tasks(logs, self)
        self.here = HereControl(self._here_pane, services.shelf, services.owned, tasks, logs, self)
        hub_search = services.hub_search()
        self.hub = HubControl(self._hub_pane, self._hub_tasks, hub_search, self)
        self.pairs = PairsControl(self._pairs_pane, services.runnable, services.known_pairs, services.hub, logs, self)
        self.downloads = DownloadControl(
            services.make_downloads,
            services.download_jobs,
            services.hub,
            hub_search.those_here,
            self._download_pane,
            logs,
            self,
        )
        self.plan = PairPlan(
            self._tray,
            services.hub,
            services.fits,
            services.shelf,
            lambda *what: services.draft_finder().find(*what),
            logs,
            loaded,
            self,
            settings=services.pair_settings,
            known=services.known_pairs,
            measured_here=services.measured_here,
        )
        self._shown: set[Page] = set()
        self._going = self._failed = 0
        self._connect()
        self.downloads.start()

    def open_at(self, page: Page | None = None) -> None:
        self.window.open_at(page)
        self.plan.show_loaded()
        self.plan.look_at_speeds()
        self._page_shown(self.window.page)

    def find_models(self) -> None:
        self.open_at(Page.HUB)
        self.window.focus_search()

    def show_loaded(self, choice: PairChoice | None) -> None:
        models = (choice.target, choice.draft) if choice else ()
        self._here_pane.show_loaded({model for model in models if model is not None})

    def chat_with(self, job: Job) -> None:
        """What was downloaded alone may belong to the pair that is put together."""
        target, *drafts = [str(model.reference) for model in job.models]
        if drafts:
            self.plan.use_pair(target, drafts[0])
        elif target not in self.plan.references:
            self._tasks.run(lambda: self._alone(target), self.chat_wanted.emit, self._download_pane.show_problem)
            return
        self.plan.chat()

    def _alone(self, target: str) -> PairChoice:
        """With the best draft that is here."""
        from specchat.services.models.model_files import resolve

        return self._pair_settings.of_target(ref_of(resolve(target)))

    def set_theme(self, theme: Theme) -> None:
        for part in (
            self.window,
            self._here_pane,
            self._hub_pane,
            self._pairs_pane,
            self._download_pane,
            self._tray,
        ):
            part.set_theme(theme)

    def rest(self) -> None:
        """What nobody sees goes until somebody looks."""
        self._here_pane.rest()
        self._pairs_pane.rest()

    def look_at_speeds(self) -> None:
        """A benchmark measured some."""
        self.plan.look_at_speeds()
        self._look_anew()

    def try_again(self) -> None:
        """A token was given, or taken away."""
        if self.window.isVisible():
            self.hub.try_again()
            self.plan.refresh()

    def close(self) -> None:
        for control in (self.downloads, self.plan, self.pairs, self.hub, self.here, self._hub_tasks):
            control.close()

    def _panes(self) -> Sequence[Pane]:
        return (
            Pane(Page.HERE, self.tr("On this computer"), self._here_pane),
            Pane(Page.HUB, "Hugging Face", self._hub_pane),
            Pane(Page.PAIRS, self.tr("Pairs"), self._pairs_pane),
            Pane(Page.DOWNLOADS, self.tr("Downloads"), self._download_pane),
        )

    def _connect(self) -> None:
        here, hub, plan = self._here_pane, self._hub_pane, self.plan
        for offering in (here, hub):
            offering.targetWanted.connect(plan.use_target)
            offering.draftWanted.connect(plan.use_draft)
        self.pairs.pairWanted.connect(plan.use_pair)
        self.pairs.targetWanted.connect(plan.use_target)
        for chosen in (here.targetWanted, hub.targetWanted, here.draftWanted, hub.draftWanted):
            chosen.connect(self.window.show_pair)
        for chosen in (self.pairs.pairWanted, self.pairs.targetWanted):
            chosen.connect(self.window.show_pair)
        for asking in (here.hubWanted, self._download_pane.hubWanted):
            asking.connect(lambda: self.open_at(Page.HUB))
        hub.hereWanted.connect(lambda: self.open_at(Page.HERE))
        for asking in (hub.tokenWanted, self._download_pane.tokenWanted, plan.tokenRequested):
            asking.connect(self.token_wanted)
        plan.downloadRequested.connect(self.downloads.download)
        hub.downloadWanted.connect(lambda reference: self.downloads.download([reference]))
        plan.resumeRequested.connect(self._download_pane.resumeWanted)
        plan.downloadsRequested.connect(lambda: self.open_at(Page.DOWNLOADS))
        plan.chatRequested.connect(self.chat_wanted)
        plan.pageRequested.connect(self._open_page)
        self._download_pane.chatWanted.connect(self.chat_with)
        self.downloads.shown.connect(plan.show_downloads)
        self.downloads.count_changed.connect(self._mark_downloads)
        self.downloads.failed_changed.connect(self._count_failed)
        self.downloads.pace_chosen.connect(self.pace_chosen)
        self.downloads.ended.connect(self._end)
        self.here.changed.connect(self.models_changed)
        self.here.changed.connect(plan.refresh)
        self.here.changed.connect(self._look_anew)
        self.window.turned_to.connect(self._page_shown)

    def _page_shown(self, page: Page) -> None:
        """Files are looked for when they are first wanted, and those that were downloaded each time."""
        if not self.window.isVisible():
            return
        if page is Page.DOWNLOADS:
            self.downloads.look_anew()
        if page in self._shown:
            return
        self._shown.add(page)
        if page is Page.HERE:
            self.here.refresh()
        elif page is Page.PAIRS:
            self.pairs.refresh()

    def _mark_downloads(self, going: int) -> None:
        self._going = going
        self.window.show_mark(Page.DOWNLOADS, "!" if self._failed else str(going) if going else "")

    def _count_failed(self, failed: int) -> None:
        self._failed = failed
        self._mark_downloads(self._going)

    def _end(self, job: Job) -> None:
        if Page.HERE in self._shown:
            self.here.refresh()
        self._look_anew()
        self.models_changed.emit()
        self.ended.emit(job)

    def _look_anew(self) -> None:
        self.hub.look_who_is_here()
        self.downloads.look_anew()
        if Page.PAIRS in self._shown:
            self.pairs.refresh()

    def _open_page(self, address: str) -> None:
        if asked_to_open(address, self.window):
            open_address(address)
