"""Which models there are to choose from."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot
from ui.pair.examples import AUTO, MODEL, NONE, SMALL, TARGET

from specchat.services.models.pair_fit import DraftOption
from specchat.ui.benchmark.bench_form import BenchForm, ComparisonOptions
from specchat.ui.benchmark.page import BenchmarkPage


def test_models_of_the_same_name_are_told_apart(qtbot: QtBot) -> None:
    form = BenchForm()
    qtbot.addWidget(form)
    copy = replace(SMALL, path=Path("/elsewhere/copy.gguf"))
    form.show_targets([TARGET, SMALL, copy], TARGET.path)
    assert [form._target.itemText(row) for row in range(3)] == [
        "Sea 7B Instruct · Q4_K_M",
        "Sea 1B · Q8_0 · sea-1b.gguf",
        "Sea 1B · Q8_0 · copy.gguf",
    ]
    drafts: list[DraftOption] = [AUTO, replace(MODEL, speedup=1.62, guesses=4), replace(MODEL, model=copy), NONE]
    form.show_options(ComparisonOptions(TARGET, drafts), None)
    lines = [label.text() for label in form._guessers.findChildren(QLabel)]
    assert "measured here: 1.6× with up to 4 guesses · 700\u00a0MB · context up to 8,192 tokens · sea-1b.gguf" in lines
    assert "700\u00a0MB · context up to 8,192 tokens · copy.gguf" in lines


def test_nothing_beside_the_results_is_cut_off(qtbot: QtBot, tmp_path: Path) -> None:
    page = BenchmarkPage(tmp_path / "state.json")
    qtbot.addWidget(page)
    page.resize(2000, 1000)
    page.form.show_targets([TARGET, SMALL], TARGET.path)
    page.form.show_options(ComparisonOptions(TARGET, [AUTO, MODEL], [SMALL]), None)
    page.show()
    qtbot.waitExposed(page)
    area = page.form.findChild(QScrollArea)
    content = area.widget() if area is not None else None
    assert area is not None
    assert content is not None
    assert content.width() == area.viewport().width()


def test_tab_goes_down_the_form(qtbot: QtBot) -> None:
    """Also to the boxes that come when the models are known."""
    form = BenchForm()
    qtbot.addWidget(form)
    form.prompts.show_workloads(["chat", "code"])
    form.show_targets([TARGET, SMALL], TARGET.path)
    for _ in range(2):
        form.show_options(ComparisonOptions(TARGET, [AUTO, MODEL], [SMALL]), None)
    form.resize(400, 1400)
    form.show()
    qtbot.waitExposed(form)
    form._target.setFocus()
    stops = []
    for _ in range(13):
        QTest.keyClick(form.focusWidget() or form, Qt.Key.Key_Tab)
        focused = form.focusWidget()
        assert focused is not None
        stops.append(focused.mapTo(form, focused.rect().topLeft()).y())
    assert stops == sorted(stops)
    assert len(set(stops)) == 7
