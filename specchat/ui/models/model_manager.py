"""Creates the panes and controllers of the model manager and connects them."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from specchat.domain.hub import HubFileKind
from specchat.domain.types import PairChoice
from specchat.services.hub.download_jobs import DownloadJob
from specchat.services.models.model_refs import ref_for_path
from specchat.ui.engines.engine_list import EngineList
from specchat.ui.engines.engines_controller import EnginesController
from specchat.ui.engines.engines_pane import EnginesPane
from specchat.ui.machines.machine_list import MachineList
from specchat.ui.model_services import ModelServices
from specchat.ui.models.download_controller import DownloadController
from specchat.ui.models.download_pane import DownloadPane
from specchat.ui.models.hub_controller import HubController
from specchat.ui.models.hub_pane import HubPane
from specchat.ui.models.local_models_controller import LocalModelsController
from specchat.ui.models.local_models_pane import LocalModelsPane
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.manager_view import ManagerSection, ManagerTab, ManagerView
from specchat.ui.models.pairs_controller import PairsController
from specchat.ui.models.pairs_pane import PairsPane
from specchat.ui.pair.pair_editor import PairEditor
from specchat.ui.pair.pair_editor_controller import PairEditorController
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.link_confirmation import open_link_after_question
from specchat.ui.window.main_window import MainWindow


class ModelManager(QObject):
    chat_requested = Signal(PairChoice)
    download_ended = Signal(DownloadJob)
    """A download that is done or has failed."""
    models_changed = Signal()

    def __init__(
        self,
        services: ModelServices,
        settings: SettingsModel,
        tasks: TaskQueue,
        engines: EngineList,
        machines: MachineList,
        loaded: Callable[[], PairChoice | None],
        chosen: Callable[[], PairChoice | None],
        window: MainWindow,
    ) -> None:
        """`tasks`: where the model library is changed; `loaded`, `chosen`: see PairEditorController."""
        super().__init__(window)
        logs = services.logs
        self._tasks, self._pair_settings = tasks, services.pair_settings
        self.requests = requests = ManagerRequests(self)
        self._here_pane, self._hub_pane = LocalModelsPane(requests), HubPane(requests)
        self._pairs_pane, self._download_pane = PairsPane(requests), DownloadPane(settings, requests)
        self._engines_pane = EnginesPane(requests)
        self._pair_editor = PairEditor()
        self._main = window
        self.view = ManagerView(self._panes(), self._pair_editor, window)
        self._hub_tasks = TaskQueue(logs, self)
        self.local_models = LocalModelsController(
            self._here_pane, services.library, services.download_registry, services.early_exits, tasks, logs, self
        )
        hub_search = services.hub_search()
        self.hub = HubController(self._hub_pane, self._hub_tasks, hub_search, self)
        self.pairs = PairsController(
            self._pairs_pane, services.offer_finder, services.known_pairs, services.hub, logs, self
        )
        self.engines = EnginesController(self._engines_pane, engines, machines, self)
        self.downloads = DownloadController(
            settings,
            services.make_download_manager,
            services.download_jobs,
            services.hub,
            hub_search.filter_local,
            self._download_pane,
            logs,
            self,
        )
        self.pair_editor = PairEditorController(
            self._pair_editor,
            requests,
            services.hub,
            services.fit_estimator,
            services.library,
            lambda *what: services.draft_finder().find(*what),
            logs,
            loaded,
            chosen,
            self,
            settings=services.pair_settings,
            known=services.known_pairs,
            measured_here=services.speed_lookup,
            early_exit=services.early_exit_process,
        )
        self._shown: set[ManagerSection] = set()
        self._going = self._failed = 0
        self._connect()
        self.downloads.start()

    def open_at(self, page: ManagerSection | None = None) -> None:
        if page is not None:
            self.view.turn_to(page)
        self._main.show_page(self.view)
        self.pair_editor.show_loaded()
        self.pair_editor.refresh_speeds()
        self._show_section(self.view.section)
        if self.view.section is not ManagerSection.HUB:  # there it would leave the open repository
            self.view.focus_search()

    def find_models(self) -> None:
        self.open_at(ManagerSection.HUB)
        self.view.focus_search()

    def set_loaded_pair(self, choice: PairChoice | None) -> None:
        models = (choice.target, choice.draft) if choice else ()
        self._here_pane.set_loaded_models({model for model in models if model is not None})
        if self.view.isVisible():
            self.pair_editor.show_loaded()

    def chat_with(self, job: DownloadJob) -> None:
        """What was downloaded alone may belong to the pair that is put together."""
        models = [model for model in job.models if model.kind is not HubFileKind.MMPROJ]
        target, *drafts = [str(model.reference) for model in models]
        if drafts:
            self.pair_editor.use_pair(target, drafts[0])
        elif target not in self.pair_editor.references:
            self._tasks.run(lambda: self._alone(target), self.chat_requested.emit, self._download_pane.show_problem)
            return
        self.pair_editor.start_chat_when_ready()

    def _alone(self, target: str) -> PairChoice:
        """With the best draft that is here."""
        from specchat.services.models.model_files import resolve_path

        return self._pair_settings.for_target(ref_for_path(resolve_path(target)))

    def unload_hidden_panes(self) -> None:
        """What nobody sees goes until somebody looks."""
        self._here_pane.unload_cards()
        self._pairs_pane.unload_cards()
        self._engines_pane.unload_cards()

    def refresh_speeds(self) -> None:
        """A benchmark measured some."""
        self.pair_editor.refresh_speeds()
        self._look_anew()

    def refresh_after_token_change(self) -> None:
        """A token was given, or taken away."""
        if self.view.isVisible():
            self.hub.retry()
            self.pair_editor.refresh()

    def close(self) -> None:
        for control in (self.downloads, self.pair_editor, self.pairs, self.hub, self.local_models, self._hub_tasks):
            control.close()

    def _panes(self) -> Sequence[ManagerTab]:
        return (
            ManagerTab(ManagerSection.LOCAL, self.tr("On this computer"), self._here_pane),
            ManagerTab(ManagerSection.HUB, "Hugging Face", self._hub_pane),
            ManagerTab(ManagerSection.PAIRS, self.tr("Pairs"), self._pairs_pane),
            ManagerTab(ManagerSection.DOWNLOADS, self.tr("Downloads"), self._download_pane),
            ManagerTab(ManagerSection.ENGINES, self.tr("Engines"), self._engines_pane),
        )

    def _connect(self) -> None:
        editor, requests = self.pair_editor, self.requests
        requests.target_requested.connect(editor.use_target)
        requests.draft_requested.connect(editor.use_draft)
        self.pairs.pair_requested.connect(editor.use_pair)
        for chosen in (requests.target_requested, requests.draft_requested, self.pairs.pair_requested):
            chosen.connect(self.view.show_pair_editor)
        requests.pane_requested.connect(self.open_at)
        requests.download_requested.connect(lambda reference: self.downloads.download([reference]))
        requests.chat_requested.connect(self.chat_with)
        requests.web_page_requested.connect(lambda address: open_link_after_question(address, self.view))
        editor.download_requested.connect(self.downloads.download)
        self.downloads.jobs_changed.connect(editor.show_downloads)
        self.downloads.active_count_changed.connect(self._mark_downloads)
        self.downloads.failed_count_changed.connect(self._count_failed)
        self.downloads.download_ended.connect(self._end)
        self.local_models.changed.connect(self._refresh_models)
        self.view.section_changed.connect(self._show_section)

    def _show_section(self, section: ManagerSection) -> None:
        """Files are looked for when they are first wanted, and those that were downloaded each time."""
        if not self.view.isVisible():
            return
        if section is ManagerSection.DOWNLOADS:
            self.downloads.refresh()
        if section in self._shown:
            return
        self._shown.add(section)
        if section is ManagerSection.LOCAL:
            self.local_models.refresh()
        elif section is ManagerSection.PAIRS:
            self.pairs.refresh()
        elif section is ManagerSection.ENGINES:
            self.engines.refresh()

    def _mark_downloads(self, going: int) -> None:
        self._going = going
        self.view.set_tab_mark(ManagerSection.DOWNLOADS, "!" if self._failed else str(going) if going else "")

    def _count_failed(self, failed: int) -> None:
        self._failed = failed
        self._mark_downloads(self._going)

    def _end(self, job: DownloadJob) -> None:
        if ManagerSection.LOCAL in self._shown:
            self.local_models.refresh()
        self._look_anew()
        self.models_changed.emit()
        self.download_ended.emit(job)

    def _refresh_models(self) -> None:
        self.models_changed.emit()
        self.pair_editor.refresh()
        self._look_anew()

    def _look_anew(self) -> None:
        self.hub.refresh_downloaded()
        self.downloads.refresh()
        if ManagerSection.PAIRS in self._shown:
            self.pairs.refresh()
