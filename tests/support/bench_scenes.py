"""The states of the benchmark of which pictures are taken, with figures that were never measured."""

from collections.abc import Callable
from pathlib import Path

from support import bench_reports, sample_chats
from support.probes import run_event_loop

from specchat.domain.benchmarking import BenchProgress, BenchReport
from specchat.domain.errors import UserError
from specchat.services.models.pair_values import DraftOption, Origin, ShelfModel
from specchat.ui.benchmark.form import Offer
from specchat.ui.benchmark.panel import BenchmarkPanel
from specchat.ui.benchmark.wish import Guesser
from specchat.ui.desk import Desk

_SETTLED_S = 0.5


def empty(desk: Desk) -> None:
    _opened(desk)


def running(desk: Desk) -> None:
    panel, plan = _opened(desk), bench_reports.plan()
    runs = bench_reports.runs(plan)
    done = len(runs) // 3
    panel.window.form.set_running(True)
    panel.window.results.begin(plan)
    panel.window.results.show_progress(BenchProgress(done, len(runs), 412.0, runs[done].way))
    panel.window.results.show_live(bench_reports.report(plan, share=done / len(runs)))


def done(desk: Desk) -> None:
    _show(desk, bench_reports.report())


def cancelled(desk: Desk) -> None:
    _show(desk, bench_reports.report(share=0.4))


def problem(desk: Desk) -> None:
    message = "The model needs 6.1 GB, and 4.0 GB of memory are free."
    hint = "Choose a smaller context or a smaller model, or close other programs."
    _opened(desk).window.results.show_problem(UserError(message, hint))


def _show(desk: Desk, report: BenchReport) -> None:
    _opened(desk).window.results.show_report(report)
    run_event_loop(_SETTLED_S)


def _opened(desk: Desk) -> BenchmarkPanel:
    """With models that are too large to lie about here."""
    desk.benchmark.open()
    panel = desk.benchmark.panel
    assert panel is not None
    run_event_loop(_SETTLED_S)
    models = sample_chats.shelf(desk.services.config)
    _, draft, target, _ = models
    form = panel.window.form
    form.blockSignals(True)
    form.show_targets(models, target.path)
    drafts = [*sample_chats.draft_options(models), DraftOption("model", _weak(desk.services.config))]
    form.show_offer(Offer(target, drafts, [_larger(desk.services.config)]), Guesser("model", draft.path))
    form.blockSignals(False)
    form.show_estimate(_ESTIMATE_S)
    return panel


_ESTIMATE_S = 380.0


def _weak(folder: Path) -> ShelfModel:
    size = int(0.41 * sample_chats.GIB)
    return ShelfModel(folder / bench_reports.WEAK_DRAFT, "Qwen2.5 0.5B Instruct", Origin.HUB, size, 0, "Q2_K", 32_768)


def _larger(folder: Path) -> ShelfModel:
    size = int(7.54 * sample_chats.GIB)
    return ShelfModel(folder / "q8.gguf", "Qwen2.5 7B Instruct", Origin.HUB, size, 0, "Q8_0", 32_768)


SCENES: dict[str, Callable[[Desk], None]] = {
    "empty": empty,
    "running": running,
    "done": done,
    "cancelled": cancelled,
    "problem": problem,
}
