from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, QStringListModel, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QImage, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from specchat.domain.speculation_status import DrafterFailure
from specchat.services.generation.stats_tracker import StatsSnapshot, StepSummary
from specchat.ui.overlay.floating_panel import SHADOW
from specchat.ui.overlay.placement import OverlayState
from specchat.ui.overlay.stats_card import StatsCard
from specchat.ui.overlay.stats_overlay import StatsOverlay
from specchat.ui.overlay.stats_pill import StatsPill
from specchat.ui.widgets.theme import BODY_PX, DARK, LIGHT
from specchat.ui.widgets.theme_service import set_current_theme

LIVE = StatsSnapshot(
    n_generated=200,
    drafted=134,
    accepted=96,
    acceptance_rate=0.72,
    mean_accepted_length=2.8,
    tokens_per_s=41.2,
    saved_s=2.3,
    speedup=1.4,
    steps=(StepSummary(4, 2, bonus=True, origin="draft"),) * 30,
)
FINAL = replace(LIVE, final=True)
SENTENCE = "72 percent of 134 guesses accepted, 2.3 seconds saved"


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(900, 600)
    return widget


@pytest.fixture
def overlay(parent: QWidget, qtbot: QtBot) -> StatsOverlay:
    made = StatsOverlay(parent)
    with qtbot.waitExposed(parent):
        parent.show()
    return made


def button(overlay: StatsOverlay, name: str) -> QToolButton:
    found = overlay.findChild(QToolButton, name)
    assert isinstance(found, QToolButton)
    return found


def is_folded(overlay: StatsOverlay) -> bool:
    card, pill = overlay.findChild(StatsCard), overlay.findChild(StatsPill)
    assert card is not None
    assert pill is not None
    assert card.isVisibleTo(overlay) is not pill.isVisibleTo(overlay)
    return pill.isVisibleTo(overlay)


def drag(overlay: StatsOverlay, way: QPoint) -> None:
    grip = QPoint(40, 60)
    QTest.mousePress(overlay, Qt.MouseButton.LeftButton, pos=grip)
    QTest.mouseMove(overlay, grip + way)
    QTest.mouseRelease(overlay, Qt.MouseButton.LeftButton, pos=grip)


def changed(before: QImage, after: QImage) -> QRect:
    differing = QRegion()
    for y in range(before.height()):
        for x in range(before.width()):
            if before.pixel(x, y) != after.pixel(x, y):
                differing += QRect(x, y, 1, 1)
    return differing.boundingRect()


def test_it_waits_at_first(overlay: StatsOverlay) -> None:
    overlay.set_pair("qwen-0.5b")
    assert overlay.objectName() == "acceptanceOverlay"
    assert overlay.accessibleName()
    assert overlay.accessibleDescription() == "No answer yet"
    assert overlay.toolTip().startswith("No answer yet")


def test_numbers_change_a_few_times_a_second_at_most(overlay: StatsOverlay, qtbot: QtBot) -> None:
    overlay.show_stats(LIVE)
    shown = overlay.grab().toImage()
    overlay.show_stats(replace(LIVE, saved_s=9.9, tokens_per_s=99.0))
    assert overlay.grab().toImage() == shown
    qtbot.waitUntil(lambda: overlay.grab().toImage() != shown)


def test_the_strip_follows_at_once(overlay: StatsOverlay) -> None:
    overlay.show_stats(LIVE)
    shown = overlay.grab().toImage()
    overlay.show_stats(replace(LIVE, steps=(*LIVE.steps, StepSummary(0, 0, bonus=True, origin=None))))
    assert overlay.grab().toImage() != shown


def test_no_timer_runs_after_the_answer(overlay: StatsOverlay) -> None:
    overlay.show_stats(LIVE)
    overlay.show_stats(LIVE)
    overlay.show_stats(FINAL)
    assert not any(timer.isActive() for timer in overlay.findChildren(QTimer))


def test_a_screen_reader_hears_the_end_at_once_and_the_rest_seldom(overlay: StatsOverlay) -> None:
    overlay.show_stats(LIVE)
    assert overlay.accessibleDescription() == SENTENCE
    overlay.show_stats(replace(LIVE, saved_s=5.0))
    assert overlay.accessibleDescription() == SENTENCE
    overlay.show_stats(replace(FINAL, saved_s=6.0))
    assert overlay.accessibleDescription() == "72 percent of 134 guesses accepted, 6.0 seconds saved"


def test_why_drafting_is_off_is_there_in_full(overlay: StatsOverlay) -> None:
    overlay.show_stats(replace(LIVE, why_off=DrafterFailure("llama.cpp said something long and unhelpful")))
    assert overlay.toolTip().startswith(
        "Not speculating: the draft failed: llama.cpp said something long and unhelpful"
    )


def test_it_can_be_dragged_but_not_out_of_sight(overlay: StatsOverlay, parent: QWidget) -> None:
    before = overlay.pos()
    drag(overlay, QPoint(-100, 50))
    assert overlay.pos() == before + QPoint(-100, 50)
    drag(overlay, QPoint(5000, 5000))
    assert parent.rect().contains(overlay.geometry())
    assert overlay.geometry().bottomRight() == parent.rect().bottomRight()


def test_dragging_asks_for_nothing(overlay: StatsOverlay, qtbot: QtBot) -> None:
    wait = QGuiApplication.styleHints().mouseDoubleClickInterval() + 100
    with qtbot.assertNotEmitted(overlay.clicked, wait=wait):
        drag(overlay, QPoint(-100, 50))


def test_arrow_keys_move_it(overlay: StatsOverlay) -> None:
    overlay.setFocus()
    before = overlay.pos()
    QTest.keyClick(overlay, Qt.Key.Key_Left)
    QTest.keyClick(overlay, Qt.Key.Key_Down)
    assert overlay.pos() == before + QPoint(-16, 16)
    for _ in range(100):
        QTest.keyClick(overlay, Qt.Key.Key_Up)
    assert overlay.y() == 0


def test_it_keeps_its_distance_from_the_nearest_corner(overlay: StatsOverlay, parent: QWidget) -> None:
    drag(overlay, QPoint(-20, 300))
    distance = parent.rect().bottomRight() - overlay.geometry().bottomRight()
    parent.resize(1400, 900)
    assert parent.rect().bottomRight() - overlay.geometry().bottomRight() == distance
    parent.resize(300, 260)
    assert parent.rect().contains(overlay.geometry())
    parent.resize(1400, 900)
    assert parent.rect().bottomRight() - overlay.geometry().bottomRight() == distance


def test_scrolling_does_not_take_it_along(qtbot: QtBot) -> None:
    view = QListView()
    qtbot.addWidget(view)
    view.setModel(QStringListModel([f"line {n}" for n in range(1000)], view))
    view.resize(600, 400)
    overlay = StatsOverlay(view.viewport())
    with qtbot.waitExposed(view):
        view.show()
    before = overlay.pos()
    view.scrollToBottom()
    view.verticalScrollBar().setValue(view.verticalScrollBar().value() - 3)
    assert overlay.pos() == before


def test_a_click_asks_for_details(overlay: StatsOverlay, qtbot: QtBot) -> None:
    with qtbot.waitSignal(overlay.clicked):
        QTest.mouseClick(overlay, Qt.MouseButton.LeftButton, pos=QPoint(40, 60))


def test_enter_asks_for_details(overlay: StatsOverlay, qtbot: QtBot) -> None:
    overlay.setFocus()
    with qtbot.waitSignal(overlay.clicked, timeout=100):
        QTest.keyClick(overlay, Qt.Key.Key_Return)


def test_a_double_click_folds_and_shows_no_details(overlay: StatsOverlay, qtbot: QtBot) -> None:
    wait = QGuiApplication.styleHints().mouseDoubleClickInterval() + 100
    with qtbot.assertNotEmitted(overlay.clicked, wait=wait):
        QTest.mouseClick(overlay, Qt.MouseButton.LeftButton, pos=QPoint(40, 60))
        QTest.mouseDClick(overlay, Qt.MouseButton.LeftButton, pos=QPoint(40, 60))
        QTest.mouseRelease(overlay, Qt.MouseButton.LeftButton, pos=QPoint(40, 60))
    assert is_folded(overlay)


def test_folding_by_button_keeps_the_corner_and_the_focus(overlay: StatsOverlay) -> None:
    overlay.show_stats(FINAL)
    right = overlay.geometry().right()
    fold = button(overlay, "overlayFoldButton")
    fold.setFocus()
    assert fold.accessibleName() == "Collapse"
    QTest.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert is_folded(overlay)
    assert overlay.geometry().right() == right
    assert fold.accessibleName() == "Expand"
    assert fold.hasFocus()
    QTest.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert not is_folded(overlay)


def test_space_folds(overlay: StatsOverlay) -> None:
    overlay.setFocus()
    QTest.keyClick(overlay, Qt.Key.Key_Space)
    assert is_folded(overlay)


def test_the_pill_grows_and_does_not_shrink(overlay: StatsOverlay) -> None:
    overlay.restore_state(OverlayState(folded=True))
    small = overlay.width()
    overlay.show_stats(FINAL)
    grown = overlay.width()
    assert grown > small
    overlay.show_waiting()
    assert overlay.width() == grown


def test_hiding_is_told(overlay: StatsOverlay, qtbot: QtBot) -> None:
    with qtbot.waitSignal(overlay.hidden, timeout=100):
        QTest.mouseClick(button(overlay, "overlayHideButton"), Qt.MouseButton.LeftButton)
    assert overlay.isHidden()


def test_the_state_comes_back(overlay: StatsOverlay, parent: QWidget) -> None:
    drag(overlay, QPoint(-500, 200))
    overlay.setFocus()
    QTest.keyClick(overlay, Qt.Key.Key_Space)
    other = StatsOverlay(parent)
    other.restore_state(overlay.state())
    assert other.state() == overlay.state()
    assert other.geometry() == overlay.geometry()


def test_enter_on_a_button_asks_for_no_details(overlay: StatsOverlay, qtbot: QtBot) -> None:
    fold = button(overlay, "overlayFoldButton")
    fold.setFocus()
    with qtbot.assertNotEmitted(overlay.clicked):
        QTest.keyClick(fold, Qt.Key.Key_Return)


def test_another_theme_paints_it_anew(overlay: StatsOverlay) -> None:
    middle = QPoint(SHADOW + 4, overlay.height() // 2) * overlay.devicePixelRatioF()
    assert overlay.grab().toImage().pixelColor(middle) == LIGHT.surface
    set_current_theme(DARK)
    assert overlay.grab().toImage().pixelColor(middle) == DARK.surface


def test_its_size_never_changes_with_the_figures(overlay: StatsOverlay) -> None:
    size: QSize = overlay.size()
    for figures in (LIVE, FINAL, replace(LIVE, saved_s=-1234.5, tokens_per_s=4321.0, why_off="no reason " * 30)):
        overlay.show_stats(figures)
        assert overlay.size() == size


def test_nothing_moves_when_the_factor_changes(overlay: StatsOverlay) -> None:
    def shown(speedup: float | None) -> QImage:
        overlay.show_stats(replace(FINAL, speedup=speedup))
        return overlay.grab().toImage()

    below = changed(shown(None), shown(9.9)).bottom()
    area = changed(shown(9.9), shown(12.3))
    assert area.bottom() < below
    assert area.right() < (overlay.width() - SHADOW) * overlay.devicePixelRatioF()
    lefts = [area.left(), changed(shown(None), shown(9.9)).left(), changed(shown(None), shown(12.3)).left()]
    assert max(lefts) - min(lefts) <= 1  # as the ink of their first digits


def test_flat_it_says_the_same_in_less_height(overlay: StatsOverlay) -> None:
    overlay.show_stats(LIVE)
    upright = overlay.size()
    overlay.set_flat_width(600)
    assert overlay.height() < upright.height() / 2
    assert upright.width() < overlay.width() <= 600
    wide = overlay.size()
    for figures in (FINAL, replace(LIVE, saved_s=-888.8, why_off="no reason " * 30), replace(LIVE, steps=())):
        overlay.show_stats(figures)
        assert overlay.size() == wide
    overlay.set_flat_width(300)
    assert overlay.width() == upright.width()
    assert overlay.height() < upright.height()
    overlay.set_flat_width(None)
    overlay.show_stats(LIVE)
    assert overlay.size() == upright


def test_only_the_name_of_a_draft_is_cut(overlay: StatsOverlay) -> None:
    """What guessed besides it can be read."""
    overlay.set_pair("a-draft-" * 20)
    both = replace(FINAL, n_drafted_per_source={"draft": 9, "ngram": 9})
    overlay.show_stats(both)
    shown = overlay.grab().toImage()
    overlay.show_stats(replace(both, n_drafted_per_source={"draft": 9, "mtp": 9}))
    assert overlay.grab().toImage() != shown


def test_a_reply_whose_steps_are_gone_leaves_no_gap(overlay: StatsOverlay) -> None:
    height = overlay.height()
    overlay.show_stats(replace(FINAL, steps=()))
    assert overlay.height() < height
    for figures in (replace(LIVE, steps=()), LIVE, FINAL):
        overlay.show_stats(figures)
        assert overlay.height() == height
    overlay.show_stats(replace(FINAL, steps=()))
    overlay.show_waiting()
    assert overlay.height() == height


@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize("pixels", [12, 22])
def test_it_is_as_large_as_its_text(
    overlay: StatsOverlay, choose_text_size: Callable[[int], None], pixels: int, folded: bool
) -> None:
    overlay.restore_state(OverlayState(folded=folded))
    overlay.show_stats(replace(FINAL, saved_s=-123.4, tokens_per_s=4321.0))
    before = overlay.size()
    choose_text_size(pixels)
    set_current_theme(LIGHT)
    larger = pixels > BODY_PX
    assert (overlay.width() > before.width()) is larger
    assert (overlay.height() > before.height()) is (larger and not folded)
    image = overlay.grab().toImage()
    edge = round((overlay.width() - SHADOW - 6) * overlay.devicePixelRatioF())
    inside = range(image.height() // 3, image.height() * 2 // 3)
    assert all(image.pixelColor(edge, y) == LIGHT.surface for y in inside)
