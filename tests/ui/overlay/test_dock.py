import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from ui.overlay.test_acceptance_overlay import FINAL

from specchat.ui.overlay.dockable_panel import PanelSlot
from specchat.ui.overlay.floating_panel import SHADOW
from specchat.ui.overlay.placement import OverlayState
from specchat.ui.overlay.stats_overlay import StatsOverlay

FOOT = 60


class Window(QWidget):
    """Text above, and at its foot a dock between two others."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.foot, self.dock, self.meter = QWidget(self), QWidget(self), PanelSlot(), QWidget(self)
        self.foot.setFixedHeight(FOOT)
        self.meter.setFixedWidth(100)
        row = QHBoxLayout(self.foot)
        row.addStretch(1)
        row.addWidget(self.dock)
        row.addWidget(self.meter)
        layout = QVBoxLayout(self)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.foot)
        self.overlay = StatsOverlay(self, self.text, self.dock)
        self.overlay.show_stats(FINAL)

    def place(self, widget: QWidget) -> QRect:
        return QRect(widget.mapTo(self, QPoint()), widget.size())

    @property
    def pill(self) -> QRect:
        """Without the room for its shadow."""
        return self.overlay.geometry().adjusted(SHADOW, SHADOW, -SHADOW, -SHADOW)

    @property
    def is_in_dock(self) -> bool:
        return self.dock.isVisible() and self.pill == self.place(self.dock)


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    made = Window()
    qtbot.addWidget(made)
    made.resize(700, 500)
    with qtbot.waitExposed(made):
        made.show()
    made.overlay.show()
    made.overlay.set_folded(True)
    qtbot.waitUntil(lambda: made.is_in_dock)
    return made


def drag(overlay: StatsOverlay, way: QPoint) -> None:
    grip = QPoint(40, 20)
    QTest.mousePress(overlay, Qt.MouseButton.LeftButton, pos=grip)
    QTest.mouseMove(overlay, grip + way)
    QTest.mouseRelease(overlay, Qt.MouseButton.LeftButton, pos=grip)


def test_folded_it_covers_nothing(qtbot: QtBot, window: Window) -> None:
    assert not window.pill.intersects(window.place(window.text))
    assert not window.pill.intersects(window.place(window.meter))
    assert window.overlay.covered_width == 0
    window.resize(900, 600)
    qtbot.waitUntil(lambda: window.is_in_dock)
    window.meter.setFixedWidth(150)
    qtbot.waitUntil(lambda: window.is_in_dock)


def test_unfolded_it_floats_over_the_text(qtbot: QtBot, window: Window) -> None:
    window.overlay.set_folded(False)
    assert not window.dock.isVisible()
    assert window.place(window.text).contains(window.overlay.geometry())
    assert window.overlay.covered_width > window.pill.width()
    window.overlay.set_folded(True)
    qtbot.waitUntil(lambda: window.is_in_dock)


def test_it_can_be_dragged_out_and_back(qtbot: QtBot, window: Window) -> None:
    drag(window.overlay, QPoint(-30, -15))
    assert window.is_in_dock
    with qtbot.waitSignal(window.overlay.rearranged):
        drag(window.overlay, QPoint(-30, -250))
    assert not window.dock.isVisible()
    assert window.place(window.text).contains(window.overlay.geometry())
    drag(window.overlay, QPoint(0, 20))
    assert not window.dock.isVisible()
    drag(window.overlay, QPoint(0, 400))
    qtbot.waitUntil(lambda: window.is_in_dock)


def test_arrow_keys_lead_out_and_back(qtbot: QtBot, window: Window) -> None:
    window.overlay.setFocus()
    QTest.keyClick(window.overlay, Qt.Key.Key_Left)
    assert window.is_in_dock
    QTest.keyClick(window.overlay, Qt.Key.Key_Up)
    assert window.overlay.geometry().bottom() == window.place(window.text).bottom()
    QTest.keyClick(window.overlay, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: window.is_in_dock)


def test_hidden_it_leaves_its_room_to_others(window: Window) -> None:
    window.overlay.hide()
    assert not window.dock.isVisible()


def test_where_there_is_little_room_it_says_less(qtbot: QtBot, window: Window) -> None:
    whole = window.pill.width()
    window.resize(whole + 100, 400)
    qtbot.waitUntil(lambda: window.pill.width() < whole)
    assert not window.pill.intersects(window.place(window.meter))
    window.resize(700, 400)
    qtbot.waitUntil(lambda: window.pill.width() == whole)


def test_out_of_the_dock_it_stays_out(window: Window) -> None:
    drag(window.overlay, QPoint(-30, -250))
    other = StatsOverlay(window, window.text, window.dock)
    other.show_stats(FINAL)
    other.restore_state(window.overlay.state())
    assert other.geometry() == window.overlay.geometry()
    other.restore_state(OverlayState(folded=True))
    assert other.is_docked
