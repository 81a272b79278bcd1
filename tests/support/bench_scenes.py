"""The states of the benchmark of which pictures are taken, with figures that were never measured."""

from collections.abc import Callable
from pathlib import Path

from support import bench_reports, sample_chats
from support.probes import run_event_loop

from specchat.domain.benchmark import BenchProgress, BenchReport
from specchat.domain.errors import UserError
from specchat.services.models.pair_fit import DraftOption, LocalModel, Origin
from specchat.ui.app_controller import AppController
from specchat.ui.benchmark.bench_config import DrafterChoice
from specchat.ui.benchmark.bench_form import ComparisonOptions
from specchat.ui.benchmark.page_controller import BenchmarkPageController

_SETTLED_S = 0.5


def empty(controller: AppController) -> None:
    _opened(controller)


def running(controller: AppController) -> None:
    panel, plan = _opened(controller), bench_reports.plan()
    runs = bench_reports.runs(plan)
    done = len(runs) // 3
    panel.page.show_results()
    panel.page.form.set_running(True)
    panel.page.results.begin(plan)
    panel.page.results.progress.show_progress(BenchProgress(done, len(runs), 412.0, runs[done].method))
    panel.page.results.show_partial_report(bench_reports.report(plan, share=done / len(runs)))


def done(controller: AppController) -> None:
    _show(controller, bench_reports.report())


def cancelled(controller: AppController) -> None:
    _show(controller, bench_reports.report(share=0.4))


def problem(controller: AppController) -> None:
    message = "The model needs 6.1 GB, but only 4.0 GB of memory is free."
    hint = "Choose a smaller context or a smaller model, or close other programs."
    _opened(controller).page.results.show_problem(UserError(message, hint))


def _show(controller: AppController, report: BenchReport) -> None:
    page = _opened(controller).page
    page.results.show_report(report)
    page.show_results()
    run_event_loop(_SETTLED_S)


def _opened(controller: AppController) -> BenchmarkPageController:
    """With models that are too large to lie about here."""
    controller.benchmark.open()
    panel = controller.benchmark.controller()
    run_event_loop(_SETTLED_S)
    models = sample_chats.library(controller.services.config)
    _, draft, target, _ = models
    form = panel.page.form
    form.blockSignals(True)
    form.show_targets(models, target.path)
    drafts = [*sample_chats.draft_options(models), DraftOption("model", _weak(controller.services.config))]
    form.show_options(
        ComparisonOptions(target, drafts, [_larger(controller.services.config)]), DrafterChoice("model", draft.path)
    )
    form.blockSignals(False)
    form.show_estimate(_ESTIMATE_S)
    return panel


_ESTIMATE_S = 380.0


def _weak(folder: Path) -> LocalModel:
    size = int(0.41 * sample_chats.GIB)
    return LocalModel(folder / bench_reports.WEAK_DRAFT, "Qwen2.5 0.5B Instruct", Origin.HUB, size, 0, "Q2_K", 32_768)


def _larger(folder: Path) -> LocalModel:
    size = int(7.54 * sample_chats.GIB)
    return LocalModel(folder / "q8.gguf", "Qwen2.5 7B Instruct", Origin.HUB, size, 0, "Q8_0", 32_768)


SCENES: dict[str, Callable[[AppController], None]] = {
    "empty": empty,
    "running": running,
    "done": done,
    "cancelled": cancelled,
    "problem": problem,
}
