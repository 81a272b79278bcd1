"""A benchmark from the menu to the advice, with real models."""

from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QMessageBox,
    QSpinBox,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot
from support import measured
from support.benches import plan, runs
from support.choices import files_of
from support.desks import Person

from specchat.domain.benchmark import BenchMethod, BenchReport
from specchat.domain.types import PairChoice
from specchat.services.bench.summary import summarize_runs
from specchat.ui.app_controller import AppController
from specchat.ui.benchmark.bench_config import DrafterChoice, estimate_answer_seconds
from specchat.ui.benchmark.page_controller import BenchmarkPageController
from specchat.ui.benchmark.workload_labels import advice_lines
from specchat.ui.threads.inference import BenchProgressed, InferenceEvent
from specchat.ui.window.menu_actions import MenuActions

PATIENCE = 120_000

W = TypeVar("W", bound=QWidget)


@pytest.fixture
def panel(qtbot: QtBot, controller: AppController) -> BenchmarkPageController:
    """Asked for as little as there is to measure."""
    controller.benchmark.open()
    opened = controller.benchmark.controller()
    qtbot.waitUntil(lambda: find(opened, QAbstractButton, "benchStart").isEnabled(), timeout=PATIENCE)
    find(opened, QSpinBox, "benchMaxTokens").setValue(16)
    find(opened, QSpinBox, "benchRepeat").setValue(1)
    for length in ("2", "8"):
        find(opened, QAbstractButton, f"benchLength{length}").setChecked(False)
    return opened


@pytest.fixture
def report(qtbot: QtBot, panel: BenchmarkPageController) -> BenchReport:
    with qtbot.waitSignal(panel.finished, timeout=PATIENCE):
        click(panel, "benchStart")
    assert panel.report is not None
    return panel.report


def test_the_pair_of_the_chat_is_what_it_proposes(panel: BenchmarkPageController, choice: PairChoice) -> None:
    wish = panel.page.form.config()
    assert wish is not None
    target, draft = files_of(choice)
    assert (wish.target, wish.guessers) == (target, (DrafterChoice("auto", draft),))


def test_it_measures_and_gives_advice(
    qtbot: QtBot, controller: AppController, panel: BenchmarkPageController, report: BenchReport, choice: PairChoice
) -> None:
    assert report.complete
    assert len(report.runs) == 3 * 3
    assert find(panel, QLabel, "benchAdvice").text() == advice_lines(report)[0]
    assert find(panel, QTableView, "benchTable").model().rowCount() == 3
    assert find(panel, QWidget, "speedChart").isVisible()
    qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=PATIENCE)
    back = controller.pair.choice
    assert back is not None
    assert (back.target, back.draft, back.draft_max) == (choice.target, choice.draft, choice.draft_max)


def test_what_was_measured_is_remembered(
    qtbot: QtBot, controller: AppController, panel: BenchmarkPageController, choice: PairChoice
) -> None:
    """Where it tells anything, which a busy computer may prevent."""
    told(panel, choice, 15.0)
    assert panel.report is not None
    with qtbot.waitSignal(panel.report_recorded, timeout=PATIENCE):
        panel._record(panel.report)
    found = controller.services.measured().get_speed(*files_of(choice))
    assert found is not None
    assert found.speedup == 1.5


def test_the_keyboard_goes_from_start_to_cancel(
    qtbot: QtBot, controller: AppController, panel: BenchmarkPageController
) -> None:
    controller.window.activateWindow()
    qtbot.waitUntil(controller.window.isActiveWindow)
    find(panel, QAbstractButton, "benchStart").setFocus()
    with qtbot.waitSignal(panel.finished, timeout=PATIENCE):
        QTest.keyClick(find(panel, QAbstractButton, "benchStart"), Qt.Key.Key_Space)
        assert QApplication.focusWidget() is find(panel, QAbstractButton, "benchCancel")
        QTest.keyClick(find(panel, QAbstractButton, "benchCancel"), Qt.Key.Key_Space)


def test_cancelling_keeps_what_was_measured(
    qtbot: QtBot, controller: AppController, panel: BenchmarkPageController
) -> None:
    def cancel_after_three(events: list[InferenceEvent]) -> None:
        if any(isinstance(event, BenchProgressed) and event.progress.done >= 3 for event in events):
            click(panel, "benchCancel")

    find(panel, QSpinBox, "benchRepeat").setValue(20)
    find(panel, QSpinBox, "benchMaxTokens").setValue(64)
    controller.inference.events_arrived.connect(cancel_after_three)
    with qtbot.waitSignal(panel.finished, timeout=PATIENCE):
        click(panel, "benchStart")
        assert controller.pair.is_suspended
    assert panel.report is not None
    assert not panel.report.complete
    assert 3 <= len(panel.report.runs) < 180
    qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=PATIENCE)


@pytest.mark.parametrize("button", ["Stop benchmark and load", "Keep measuring"])
def test_another_pair_ends_it_only_where_that_is_wanted(
    qtbot: QtBot, controller: AppController, panel: BenchmarkPageController, choice: PairChoice, button: str
) -> None:
    find(panel, QSpinBox, "benchRepeat").setValue(20)
    click(panel, "benchStart")
    other = PairChoice(choice.target, draft_type="ngram")
    QTimer.singleShot(0, lambda: answer(button))
    if button.startswith("Keep"):
        assert not controller.pair.load(other)
        assert controller.pair.is_suspended
        return
    with qtbot.waitSignal(panel.finished, timeout=PATIENCE):
        assert controller.pair.load(other)
    qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=PATIENCE)
    assert controller.pair.choice == other


def test_the_way_back_to_one_that_was_hidden(
    qtbot: QtBot, controller: AppController, panel: BenchmarkPageController, choice: PairChoice
) -> None:
    find(panel, QSpinBox, "benchRepeat").setValue(20)
    click(panel, "benchStart")
    controller.handle_escape()
    assert not panel.page.isVisible()
    button = controller.window.header.pair
    assert button.accessibleName().startswith(controller.pair.display_name(choice.target.name))
    qtbot.waitUntil(lambda: " of " in button.accessibleName(), timeout=PATIENCE)
    assert "measuring" in button.accessibleName()
    button.click()
    assert panel.page.isVisible()
    assert not controller.picker.isVisible()
    with qtbot.waitSignal(panel.finished, timeout=PATIENCE):
        panel.cancel()
    qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=PATIENCE)
    assert "measuring" not in button.accessibleName()


def test_one_that_is_cut_short_is_not_called_done(
    qtbot: QtBot, controller: AppController, panel: BenchmarkPageController
) -> None:
    def cancel_after_three(events: list[InferenceEvent]) -> None:
        if any(isinstance(event, BenchProgressed) and event.progress.done >= 3 for event in events):
            panel.cancel()

    find(panel, QSpinBox, "benchRepeat").setValue(20)
    controller.inference.events_arrived.connect(cancel_after_three)
    click(panel, "benchStart")
    controller.window.show_chat()
    qtbot.waitUntil(controller.window.notice.isVisible, timeout=PATIENCE)
    assert controller.window.notice.text == "Benchmark stopped early"
    assert "Stopped after " in find(panel, QLabel, "benchMore").text()


def told(panel: BenchmarkPageController, choice: PairChoice, speed: float) -> None:
    """As if guessing up to four had been measured at this speed, plain decoding at 10 tokens a second."""
    target, draft = files_of(choice)
    plain, guessing = BenchMethod(target), BenchMethod(target, draft, "auto", 4)
    measured = [*runs(plain, (10, 10), (10, 10)), *runs(guessing, (speed, speed), (speed, speed))]
    panel.report = summarize_runs(plan(plain, guessing), measured)
    panel.page.results.show_report(panel.report)


@pytest.mark.parametrize(("speed", "words"), [(15.0, "Use "), (8.0, "Chat without speculation")])
def test_the_advice_can_be_followed(
    qtbot: QtBot,
    controller: AppController,
    panel: BenchmarkPageController,
    choice: PairChoice,
    speed: float,
    words: str,
) -> None:
    qtbot.waitUntil(lambda: controller.session.pair is not None, timeout=PATIENCE)
    told(panel, choice, speed)
    assert find(panel, QAbstractButton, "benchUse").text().startswith(words)
    with qtbot.waitSignal(controller.session.pair_loaded, timeout=PATIENCE):
        click(panel, "benchUse")
    used = controller.pair.choice
    assert used is not None
    wanted = (choice.draft, "auto", 4) if speed > 10 else (None, "none", None)
    assert (used.draft, used.draft_type, used.draft_max) == wanted
    assert not panel.page.isVisible()


def test_where_the_figures_tell_nothing_there_is_nothing_to_follow(
    panel: BenchmarkPageController, choice: PairChoice
) -> None:
    told(panel, choice, 10.0)
    assert find(panel, QLabel, "benchAdvice").text().startswith("The results vary too much")
    assert find(panel, QAbstractButton, "benchUse").isHidden()


@pytest.mark.parametrize(("button", "name"), [("benchPicture", "chart.png"), ("benchExport", "figures.json")])
def test_it_can_be_saved(
    qtbot: QtBot, panel: BenchmarkPageController, report: BenchReport, tmp_path: Path, button: str, name: str
) -> None:
    click(panel, button)
    dialog = find(panel, QFileDialog, "benchSaveDialog")
    assert [Path(file).stem for file in dialog.selectedFiles()] == ["specchat-benchmark"]
    dialog.fileSelected.emit(str(tmp_path / name))
    assert (tmp_path / name).stat().st_size > 1000
    dialog.reject()


def test_a_file_that_cannot_be_written_is_told(
    panel: BenchmarkPageController, report: BenchReport, tmp_path: Path
) -> None:
    click(panel, "benchPicture")
    dialog = find(panel, QFileDialog, "benchSaveDialog")
    dialog.fileSelected.emit(str(tmp_path / "nowhere" / "chart.png"))
    assert find(panel, QWidget, "problem").isVisible()
    dialog.reject()


def test_without_anyone_who_guesses_there_is_nothing_to_start(panel: BenchmarkPageController) -> None:
    find(panel, QAbstractButton, "benchLength4").setChecked(False)
    assert find(panel, QAbstractButton, "benchStart").isEnabled()
    find(panel, QAbstractButton, "benchLengthAuto").setChecked(False)
    assert not find(panel, QAbstractButton, "benchStart").isEnabled()


def test_exact_mode_can_be_measured(qtbot: QtBot, panel: BenchmarkPageController) -> None:
    find(panel, QAbstractButton, "benchExact").setChecked(True)
    with qtbot.waitSignal(panel.finished, timeout=PATIENCE):
        click(panel, "benchStart")
    assert panel.report is not None
    assert panel.report.plan.exact
    assert {run.same_as_plain for run in panel.report.runs} == {True}


def test_questions_of_late_can_be_asked(
    qtbot: QtBot, person: Person, controller: AppController, panel: BenchmarkPageController
) -> None:
    controller.chat_list.new_chat()
    person.keep_short(8)
    person.ask("Why is the sky blue?")
    panel.open(controller.pair.current_choice)
    kind = find(panel, QComboBox, "benchPrompts")
    kind.setCurrentIndex(1)
    with qtbot.waitSignal(panel.finished, timeout=PATIENCE):
        click(panel, "benchStart")
    assert panel.report is not None
    assert [prompt.text for prompt in panel.report.plan.prompts] == ["Why is the sky blue?"]


def test_prompts_of_a_file_can_be_asked(qtbot: QtBot, panel: BenchmarkPageController, tmp_path: Path) -> None:
    start, kind = find(panel, QAbstractButton, "benchStart"), find(panel, QComboBox, "benchPrompts")
    kind.setCurrentIndex(2)
    assert not start.isEnabled()
    (tmp_path / "mine.txt").write_text("Say one.\n\nSay two.\n", encoding="utf-8")
    panel.load_prompt_file(tmp_path / "mine.txt")
    qtbot.waitUntil(start.isEnabled, timeout=PATIENCE)
    with qtbot.waitSignal(panel.finished, timeout=PATIENCE):
        click(panel, "benchStart")
    assert panel.report is not None
    assert [prompt.text for prompt in panel.report.plan.prompts] == ["Say one.", "Say two."]


@pytest.mark.parametrize(("name", "content"), [("empty.txt", b"\n"), ("bad.jsonl", b"{"), ("bad.txt", b"\xff\xfe\xff")])
def test_a_file_without_prompts_is_told(
    qtbot: QtBot, panel: BenchmarkPageController, tmp_path: Path, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    panel.load_prompt_file(tmp_path / name)
    qtbot.waitUntil(find(panel, QWidget, "problem").isVisible, timeout=PATIENCE)


def test_models_that_fail_are_told_and_the_pair_comes_back(
    qtbot: QtBot, controller: AppController, panel: BenchmarkPageController, choice: PairChoice
) -> None:
    _, draft = files_of(choice)
    hidden = draft.rename(draft.with_suffix(".hidden"))
    try:
        with qtbot.waitSignal(panel.finished, timeout=PATIENCE):
            click(panel, "benchStart")
        assert find(panel, QWidget, "problem").isVisible()
        assert find(panel, QAbstractButton, "benchStart").isEnabled()
    finally:
        hidden.rename(draft)


def test_its_key_opens_it(qtbot: QtBot, controller: AppController) -> None:
    MenuActions(controller).actions["benchmark"].trigger()
    panel = controller.benchmark.controller()
    qtbot.waitUntil(panel.page.isVisible, timeout=PATIENCE)
    QTest.keyClick(panel.page, Qt.Key.Key_Escape)
    assert not panel.page.isVisible()


def test_what_was_asked_for_last_is_proposed_in_the_next_run(
    qtbot: QtBot, controller: AppController, panel: BenchmarkPageController, report: BenchReport
) -> None:
    again = BenchmarkPageController(panel._services, controller.inference, panel._tasks, controller.window)
    again.open(controller.pair.current_choice)
    qtbot.waitUntil(lambda: find(again, QAbstractButton, "benchStart").isEnabled(), timeout=PATIENCE)
    assert again.page.form.config() == panel.page.form.config()
    assert find(again, QSpinBox, "benchMaxTokens").value() == 16
    again.close()


def test_everything_has_a_name(panel: BenchmarkPageController, report: BenchReport) -> None:
    unnamed = [
        type(widget).__name__
        for widget in panel.page.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisible()
        and not (widget.accessibleName() or getattr(widget, "text", str)())
    ]
    assert unnamed == []


def find(panel: BenchmarkPageController, kind: type[W], name: str) -> W:
    found = panel.page.findChild(kind, name)
    assert found is not None, name
    return found


def click(panel: BenchmarkPageController, name: str) -> None:
    QTest.mouseClick(find(panel, QAbstractButton, name), Qt.MouseButton.LeftButton)


def answer(button: str) -> None:
    box = QApplication.activeModalWidget()
    assert isinstance(box, QMessageBox)
    next(each for each in box.buttons() if each.text() == button).click()


def test_the_estimate_knows_what_was_measured(
    qtbot: QtBot, controller: AppController, panel: BenchmarkPageController, choice: PairChoice
) -> None:
    """Also in another session; before that it is a range."""
    wish = panel.page.form.config()
    assert wish is not None
    prompts = panel._source.prompts(wish)
    assert panel._an_answer(wish, prompts)[1] == pytest.approx(3 * panel._an_answer(wish, prompts)[0])
    with qtbot.waitSignals([panel.finished, panel.report_recorded], timeout=PATIENCE):
        click(panel, "benchStart")
    assert len(set(panel._an_answer(wish, prompts))) == 1
    panel.report = None
    target, draft = files_of(choice)
    faster = measured.report(measured.row(BenchMethod(target, draft, "auto", None), 1.6))
    panel._services.measured().record(faster)
    panel.open(choice)
    qtbot.waitUntil(lambda: panel._plain_speeds.get(target) == pytest.approx(50 / 1.6), timeout=PATIENCE)
    expected = [estimate_answer_seconds(wish, prompts, 50 / 1.6, share) for share in (1 / 3, 1)]  # most are shorter
    assert panel._an_answer(wish, prompts) == pytest.approx(expected)
