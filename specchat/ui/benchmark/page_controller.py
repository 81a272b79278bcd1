"""Runs benchmarks from the benchmark page and shows their results."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.benchmark import BenchMethod, BenchPlan, BenchProgress, BenchPrompt, BenchReport, BenchRun
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.memory import CPU
from specchat.domain.model_ref import ModelRef
from specchat.domain.types import ModelSettings, PairChoice, SamplingParams
from specchat.services.bench.measured_pairs import plain_speed
from specchat.services.bench.prompt_files import read_prompt_file
from specchat.services.bench.summary import summarize_runs
from specchat.services.bench.workloads import workload_names
from specchat.services.lazy import Lazy
from specchat.services.memory.speed_estimate import estimate_speed_here
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.model_refs import ref_for_path
from specchat.services.models.pair_fit import LocalModel
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.benchmark.bench_config import (
    BenchConfig,
    DrafterChoice,
    estimate_answer_seconds,
    estimate_total_seconds,
    measured_answer_seconds,
    other_quantisations,
    short_model_names,
)
from specchat.ui.benchmark.bench_form import ComparisonOptions
from specchat.ui.benchmark.page import BenchmarkPage
from specchat.ui.benchmark.prompt_source import PromptSource
from specchat.ui.benchmark.report_saver import ReportSaver
from specchat.ui.benchmark.report_stats import best_row
from specchat.ui.threads.inference import BenchEnded, BenchProgressed, Inference, InferenceEvent
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.throttle import Throttle
from specchat.ui.window.main_window import MainWindow

if TYPE_CHECKING:
    from specchat.services.bench.measured_pairs import MeasuredPairs

_LIVE_MS, _LIVE_SHARE = 1000, 0.02
"""Live updates take so much of a core at most: they must hardly affect what is measured."""
_GUESSED_TOO_SHORT = 3
"""How many times as long a run may take if the speed is only a guess."""
_AT_LEAST = 1 / 3
"""The assumed share of an answer's maximum length if only the speed is known."""


@dataclass(frozen=True, slots=True)
class BenchServices:
    library: ModelLibrary
    pair_settings: PairSettings
    measured: "Lazy[MeasuredPairs]"
    questions: Callable[[], Sequence[str]]
    """The user's last ones."""
    place: Path
    """The file that remembers what was asked for."""


class BenchmarkPageController(QObject):
    started = Signal()
    """The models are needed here."""
    finished = Signal(bool)
    """They are not any more. Whether there is something to be seen."""
    report_recorded = Signal()
    """What was measured is remembered."""
    progress_changed = Signal(BenchProgress)
    pair_requested = Signal(PairChoice)

    def __init__(self, services: BenchServices, inference: Inference, tasks: TaskQueue, window: MainWindow) -> None:
        super().__init__(window)
        self._services, self._inference, self._tasks = services, inference, tasks
        self._window = window
        self.page = BenchmarkPage(services.place, window)
        self._form, self._results = self.page.form, self.page.results
        self._source = PromptSource(services.questions)
        self._saving = ReportSaver(self.page)
        self._models: Sequence[LocalModel] = ()
        self._plain_speeds: dict[Path, float] = {}
        """Tokens per second of targets alone, as they were measured."""
        self._plan: BenchPlan | None = None
        """What is being measured."""
        self._cancel = CancelToken()
        self._runs: list[BenchRun] = []
        self.report: BenchReport | None = None
        """What was measured last."""
        self._live = Throttle[None](_LIVE_MS, lambda _: self._show_live(), self, _LIVE_SHARE)
        self._form.prompts.show_workloads(workload_names())
        self.page.restore_config()
        self._connect()

    def open(self, choice: PairChoice | None) -> None:
        """`choice`: the pair of the chat."""
        self._window.show_page(self.page)
        if self._plan is None:
            self._form.prompts.show_recent(self._source.n_recent)
            self._tasks.run(
                self._services.library.models, partial(self._show_models, choice), self._results.show_problem
            )

    def start(self) -> None:
        wish = self._form.config()
        if wish is None or self._plan is not None:
            return
        try:
            plan = self._planned(wish)
        except UserError as error:
            self._results.show_problem(error)
            return
        self.page.save_config(wish)
        self._plan, self._runs, self.report = plan, [], None
        self._results.begin(plan)
        self._results.progress.setFocus()  # the disabled form would leave it to the sidebar
        self._form.set_running(True)
        self.started.emit()
        self._cancel = self._inference.run_benchmark(plan)

    def cancel(self) -> None:
        self._cancel.cancel()

    def load_prompt_file(self, path: Path) -> None:
        def show(prompts: tuple[BenchPrompt, ...]) -> None:
            self._source.own = prompts
            self._form.prompts.show_file(path, len(prompts))

        self._tasks.run(lambda: read_prompt_file(path), show, self._results.show_problem)

    def close(self) -> None:
        self.cancel()
        self._live.stop()

    def _connect(self) -> None:
        form, results = self._form, self._results
        self._inference.events_arrived.connect(self._follow_benchmark)
        form.target_picked.connect(self._look_at)
        form.changed.connect(self._estimate)
        form.start_requested.connect(self.start)
        form.prompts.file_chosen.connect(self.load_prompt_file)
        results.progress.cancel_requested.connect(self.cancel)
        results.save_picture_requested.connect(self._save_picture)
        results.export_requested.connect(self._export)
        results.use_requested.connect(self._use)
        self._saving.failed.connect(results.show_problem)
        self._saving.saved.connect(results.show_saved)

    def _show_models(self, choice: PairChoice | None, models: Sequence[LocalModel]) -> None:
        self._models = models
        self._form.show_targets(models, self._path_of(choice.target) if choice else None)
        wish = self._form.config()
        if wish is not None:
            self._look_at(wish.target, choice)

    def _look_at(self, target: Path, choice: PairChoice | None = None) -> None:
        models = self._models
        model = next(model for model in models if model.path == target)

        def load_options() -> ComparisonOptions:
            drafts = self._services.library.draft_options(target)
            files = [option.model.path for option in drafts if option.model is not None]
            speed = plain_speed(self._services.measured().get_speed, target, files)
            return ComparisonOptions(model, drafts, other_quantisations(model, models), speed)

        def show(offer: ComparisonOptions) -> None:
            if offer.plain_speed is not None:
                self._plain_speeds[target] = offer.plain_speed
            wish = self._form.config()
            if wish is not None and wish.target == target and self._plan is None:
                self._form.show_options(offer, self._guesser(choice))

        self._tasks.run(load_options, show, self._results.show_problem)

    def _estimate(self) -> None:
        if self._plan is not None:
            return
        wish = self._form.config()
        if wish is None or not wish.has_comparison:
            self._form.show_estimate(None)
            return
        prompts = self._source.prompts(wish)
        if not prompts:
            self._form.show_estimate(None)
            return
        self._form.show_estimate(
            *(estimate_total_seconds(wish, len(prompts), an_answer) for an_answer in self._an_answer(wish, prompts))
        )

    def _an_answer(self, wish: BenchConfig, prompts: Sequence[BenchPrompt]) -> tuple[float, float]:
        """The seconds that it takes, and at most."""
        now = measured_answer_seconds(wish, self.report) if self.report is not None else None
        if now is not None:
            return now, now
        if speed := self._plain_speeds.get(wish.target):
            return estimate_answer_seconds(wish, prompts, speed, _AT_LEAST), estimate_answer_seconds(
                wish, prompts, speed
            )
        size = next((model.size for model in self._models if model.path == wish.target), 0)
        guessed = estimate_answer_seconds(wish, prompts, estimate_speed_here(size))
        return guessed, _GUESSED_TOO_SHORT * guessed

    def _planned(self, wish: BenchConfig) -> BenchPlan:
        used = self._services.pair_settings.for_target(ref_for_path(wish.target))
        return BenchPlan(
            methods=wish.methods,
            prompts=self._source.prompts(wish),
            repeat=wish.repeat,
            max_tokens=wish.max_tokens,
            sampling=SamplingParams(temperature=wish.temperature),
            n_ctx=used.target_settings.n_ctx,
            gpu_layers=_gpu_layers(used.target_settings),
            draft_gpu_layers=_gpu_layers(used.draft_settings),
            threads=used.target_settings.threads,
            exact=wish.exact,
            names=short_model_names(wish.methods, self._models),
        )

    def _follow_benchmark(self, events: Sequence[InferenceEvent]) -> None:
        for event in events:
            match event:
                case BenchProgressed() if event.plan is self._plan:
                    self._results.progress.show_progress(event.progress)
                    self.progress_changed.emit(event.progress)
                    if event.progress.run is not None:
                        self._runs.append(event.progress.run)
                        self._live.submit(None)
                case BenchEnded() if event.plan is self._plan:
                    self._end(event)

    def _show_live(self) -> None:
        if self._plan is not None:
            self._results.show_partial_report(summarize_runs(self._plan, self._runs, complete=False))

    def _end(self, event: BenchEnded) -> None:
        self._plan = None
        self._live.stop()
        report = event.report or summarize_runs(event.plan, self._runs, complete=False)
        self.report = report if report.rows else None
        self._results.show_report(report)
        if event.error is not None:
            self._results.show_problem(event.error)
        if event.report is not None:
            self._record(event.report)
        self._form.set_running(False)
        self.finished.emit(self.report is not None)

    def _record(self, report: BenchReport) -> None:
        def record() -> None:
            self._services.measured().record(report)

        self._tasks.run(record, lambda _: self.report_recorded.emit(), self._results.show_problem)

    def _save_picture(self) -> None:
        if self.report is not None:
            self._saving.save_as_picture(self.report)

    def _export(self) -> None:
        if self.report is not None:
            self._saving.export_stats(self.report)

    def _use(self) -> None:
        row = best_row(self.report) if self.report is not None else None
        if row is None or row.ratio is None:
            return
        method = row.method if row.ratio.median >= 1 else BenchMethod(row.method.target)
        settings = self._services.pair_settings
        target, draft = ref_for_path(method.target), ref_for_path(method.draft) if method.draft is not None else None
        used = settings.for_pair(target, draft, method.draft_type) or settings.for_target(target)
        length = None if method.is_plain else method.draft_max
        self.pair_requested.emit(replace(used, draft=draft, draft_type=method.draft_type, draft_max=length))

    def _guesser(self, choice: PairChoice | None) -> DrafterChoice | None:
        """None: the best one that is here."""
        if choice is None or choice.draft_type == "none":
            return None
        if choice.draft is not None:
            return DrafterChoice("auto", self._path_of(choice.draft))
        return None if choice.draft_type == "auto" else DrafterChoice(choice.draft_type)

    def _path_of(self, ref: ModelRef) -> Path | None:
        """None: it is not there any more."""
        return next((model.path for model in self._models if model.ref == ref), None)


def _gpu_layers(settings: ModelSettings) -> int | None:
    return 0 if settings.device == CPU else settings.gpu_layers
