from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontMetrics, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QTableView
from pytestqt.qtbot import QtBot

from specchat.domain.types import GenerationStats
from specchat.ui.overlay.bar_chart import Bar, BarChart
from specchat.ui.overlay.reply_stats import ReplyStats
from specchat.ui.overlay.speculation_stats_page import SpeculationStatsPage
from specchat.ui.widgets.table_style import HEADING_PADDING
from specchat.ui.widgets.theme import DARK, LIGHT, SMALL_PX, body_font
from specchat.ui.widgets.theme_service import set_current_theme

GUESSED = GenerationStats(
    n_generated=101,
    n_drafted=80,
    n_accepted=60,
    n_checked=65,
    n_verify_steps=40,
    acceptance_rate=0.75,
    mean_accepted_length=2.525,
    accepted_per_position=(0.9, 0.6),
    drafted_per_source={"draft": 70, "ngram": 10},
    tokens_per_s=20.0,
    saved_s=2.5,
)
PLAIN = GenerationStats(
    n_generated=11,
    n_verify_steps=11,
    mean_accepted_length=1.0,
    tokens_per_s=10.0,
    speculation="off: no draft is selected",
)
REPLIES = [
    ReplyStats("Hello there", GUESSED, "target.gguf", "draft.gguf"),
    ReplyStats("Again", PLAIN, "target.gguf"),
]


@pytest.fixture
def details(qtbot: QtBot) -> SpeculationStatsPage:
    made = SpeculationStatsPage()
    qtbot.addWidget(made)
    return made


def table(details: SpeculationStatsPage) -> QTableView:
    found = details.findChild(QTableView, "replyTable")
    assert isinstance(found, QTableView)
    return found


def row(details: SpeculationStatsPage, number: int) -> list[str]:
    model = table(details).model()
    return [str(model.index(number, column).data()).replace("\u00a0", " ") for column in range(model.columnCount())]


def charts(details: SpeculationStatsPage) -> dict[str, str]:
    return {
        chart.accessibleName(): chart.accessibleDescription().replace("\u00a0", " ")
        for chart in details.findChildren(BarChart)
    }


def test_titles_stand_right_above_their_charts(qtbot: QtBot, details: SpeculationStatsPage) -> None:
    details.resize(2300, 1400)
    details.show_replies(REPLIES)
    details.show()
    qtbot.waitExposed(details)
    for title in (label for label in details.findChildren(QLabel) if label.property("small")):
        assert title.height() < 2 * title.sizeHint().height(), title.text()


def test_without_replies_it_says_when_there_will_be_figures(details: SpeculationStatsPage) -> None:
    details.show()
    assert not table(details).isVisible()
    visible = [label.text() for label in details.findChildren(QLabel) if label.isVisible()]
    assert visible == ["Stats appear here after the next answer."]


def test_the_table_has_all_together_and_each(details: SpeculationStatsPage) -> None:
    details.show_replies(REPLIES)
    assert row(details, 0) == ["All answers", "112", "18.3", "80", "65", "60 · 75 %", "2.20", "2.5 s saved", ""]
    assert row(details, 1)[:6] == ["1. Hello there", "101", "20.0", "80", "65", "60 · 75 %"]
    assert row(details, 1)[6:] == ["2.52", "2.5 s saved", "draft.gguf, earlier text"]
    assert row(details, 2) == [
        "2. Again",
        "11",
        "10.0",
        "–",
        "–",
        "–",
        "1.00",
        "–",
        "no guesses: no draft is selected",
    ]


def test_headings_tell_what_is_counted(details: SpeculationStatsPage) -> None:
    model, sideways = table(details).model(), Qt.Orientation.Horizontal
    role = Qt.ItemDataRole.ToolTipRole
    said = {model.headerData(at, sideways): model.headerData(at, sideways, role) for at in range(model.columnCount())}
    assert "point that the answer reached" in said["Checked"]
    assert "target chose without a guess" in said["Tokens"]
    assert said["Time"] == ""


def test_a_sentence_says_what_it_means(details: SpeculationStatsPage) -> None:
    details.show_replies(REPLIES)
    summary = details.findChild(QLabel, "speculationSummary")
    assert summary is not None
    assert summary.text().startswith("Speculation saved")


def test_where_nothing_was_guessed_there_are_no_empty_charts(details: SpeculationStatsPage) -> None:
    details.show()
    for replies, are_there in ((REPLIES[1:], False), (REPLIES, True)):
        details.show_replies(replies)
        assert table(details).isVisible()
        assert {chart.isVisible() for chart in details.findChildren(BarChart)} == {are_there}


def test_a_long_reason_is_shortened_and_in_the_tooltip(qtbot: QtBot, details: SpeculationStatsPage) -> None:
    reason = " ".join(["a reason that a drafter gives, and that is as long as the whole window is wide"] * 3)
    details.show_replies([*REPLIES, ReplyStats("Again", replace(PLAIN, speculation=f"off: {reason}"), "t.gguf")])
    details.show()
    details.resize(1200, 640)
    view = table(details)
    qtbot.waitUntil(lambda: 1000 < view.horizontalHeader().length() == view.viewport().width())
    said = str(view.model().index(3, 8).data(Qt.ItemDataRole.ToolTipRole))
    assert said.replace("\n", " ") == f"no guesses: {reason}"


def test_who_guessed_is_seen_in_the_smallest_usual_window(qtbot: QtBot, details: SpeculationStatsPage) -> None:
    details.show_replies([replace(each, title=each.title * 9, draft="Qwen2.5-0.5B-Instruct") for each in REPLIES])
    details.resize(900, 600)
    details.show()
    view = table(details)
    qtbot.waitUntil(lambda: view.horizontalHeader().length() == view.viewport().width())
    assert view.columnWidth(8) >= 110
    assert "Qwen2.5-0.5B-Instruct" in str(view.model().index(1, 8).data(Qt.ItemDataRole.ToolTipRole))


def test_who_wrote_an_answer_is_in_its_tooltip(details: SpeculationStatsPage) -> None:
    details.show_replies(REPLIES)
    model = table(details).model()
    said = [str(model.index(row, 0).data(Qt.ItemDataRole.ToolTipRole)) for row in (1, 2)]
    assert said == [
        "1. Hello there\nTarget: target.gguf\nDraft: draft.gguf",
        "2. Again\nTarget: target.gguf",
    ]


def test_charts_can_be_heard(details: SpeculationStatsPage) -> None:
    details.show_replies(REPLIES)
    heard = charts(details)
    assert heard["Accepted by position, all answers"] == "Guess 1: 90 %, Guess 2: 60 %"
    assert heard["Accepted per answer"] == "Hello there: 75 %, Again: –"
    assert heard["Time saved or lost per answer"] == "Hello there: 2.5 s saved, Again: –"


def test_choosing_a_reply_shows_its_positions(details: SpeculationStatsPage) -> None:
    details.show_replies(REPLIES)
    details.show()
    view = table(details)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert charts(details)["Accepted by position, 1. Hello there"] == "Guess 1: 90 %, Guess 2: 60 %"
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert charts(details)["Accepted by position, 2. Again"] == ""


@pytest.mark.parametrize("count", [0, 1, 60, 5000])
def test_any_number_of_replies_can_be_painted(details: SpeculationStatsPage, count: int) -> None:
    details.show_replies(REPLIES * (count // 2) + REPLIES[: count % 2])
    set_current_theme(DARK)
    assert not details.grab().isNull()


def test_bars_below_zero_have_another_colour(qtbot: QtBot) -> None:
    details = SpeculationStatsPage()
    qtbot.addWidget(details)
    losing = GenerationStats(n_generated=9, n_drafted=9, tokens_per_s=1.0, saved_s=-3.0)
    details.show_replies([ReplyStats("Slow", losing, "target.gguf", "draft.gguf")])
    details.show()
    chart = next(chart for chart in details.findChildren(BarChart) if chart.accessibleName().startswith("Time"))
    image = chart.grab().toImage()
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert LIGHT.danger.name() in seen
    assert LIGHT.accepted.name() not in seen


def test_an_amount_below_zero_stands_above_the_number_of_its_bar(qtbot: QtBot) -> None:
    chart = BarChart("Reply", str, str)
    qtbot.addWidget(chart)
    chart.resize(300, 150)
    chart.show_bars([Bar(-5.0, "1")])
    chart.show()
    image, left = chart.grab().toImage(), chart._plot().area.left()

    def rows(colour: QColor) -> list[int]:
        columns = range(left, left + chart._plot().bar_width)
        return [y for y in range(image.height()) if any(image.pixelColor(x, y) == colour for x in columns)]

    above_the_caption = image.height() - QFontMetrics(chart._font).height()
    numbers = [y for y in rows(LIGHT.text_muted) if y < above_the_caption]
    assert max(rows(LIGHT.text)) < min(numbers)


def test_what_is_no_time_in_the_table_has_no_bar(details: SpeculationStatsPage) -> None:
    hardly = replace(GUESSED, saved_s=-0.01)
    details.show_replies([ReplyStats("Hello", hardly, "target.gguf", "draft.gguf")])
    details.show()
    assert "no time saved" in row(details, 1)
    chart = next(chart for chart in details.findChildren(BarChart) if chart.accessibleName().startswith("Time"))
    image = chart.grab().toImage()
    seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
    assert LIGHT.danger.name() not in seen


def test_bars_have_the_colour_of_who_guessed(qtbot: QtBot, details: SpeculationStatsPage) -> None:
    of_text = replace(GUESSED, drafted_per_source={"draft": 10, "ngram": 70})
    for stats, used, other in ((GUESSED, LIGHT.accepted, LIGHT.ngram), (of_text, LIGHT.ngram, LIGHT.accepted)):
        details.show_replies([ReplyStats("Hello", stats, "target.gguf", "draft.gguf")])
        details.show()
        for chart in details.findChildren(BarChart):
            image = chart.grab().toImage()
            seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
            assert used.name() in seen
            assert other.name() not in seen


@pytest.mark.parametrize("pixels", [15, 22])
def test_neither_heads_nor_figures_are_cut(
    qtbot: QtBot, details: SpeculationStatsPage, choose_text_size: Callable[[int], None], pixels: int
) -> None:
    choose_text_size(pixels)
    set_current_theme(LIGHT)
    details.show_replies(REPLIES)
    details.show()
    view, header = table(details), table(details).horizontalHeader()

    def heading_width(at: int) -> int:
        words = str(view.model().headerData(at, Qt.Orientation.Horizontal))
        return QFontMetrics(body_font(SMALL_PX)).horizontalAdvance(words) + 2 * (4 + HEADING_PADDING)

    def is_whole() -> bool:
        return all(
            header.sectionSize(at) >= max(heading_width(at), view.sizeHintForColumn(at))
            for at in range(1, header.count() - 1)
        )

    qtbot.waitUntil(is_whole)
    for at in (0, 8):
        assert header.sectionSize(at) >= heading_width(at)


def test_its_text_has_the_size_that_is_chosen(
    details: SpeculationStatsPage, choose_text_size: Callable[[int], None]
) -> None:
    details.show_replies(REPLIES)
    header = table(details).horizontalHeader()
    cell = table(details).model().index(1, 0)
    before = header.sectionSize(0), cell.data(Qt.ItemDataRole.FontRole).pixelSize()
    choose_text_size(22)
    set_current_theme(LIGHT)
    assert header.sectionSize(0) > before[0]
    assert cell.data(Qt.ItemDataRole.FontRole).pixelSize() > before[1]
    assert not details.grab().isNull()


def test_a_row_is_copied_whole(details: SpeculationStatsPage) -> None:
    details.show_replies(REPLIES)
    rows = table(details)
    rows.selectRow(1)
    QTest.keyClick(rows, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    heads, cells = QGuiApplication.clipboard().text().splitlines()
    assert heads.split("\t")[:2] == ["Answer", "Tokens"]
    assert cells.replace("\u00a0", " ").split("\t") == row(details, 1)
