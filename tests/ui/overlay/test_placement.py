import json
from dataclasses import asdict

import pytest
from PySide6.QtCore import QPoint, QSize

from specchat.ui.overlay.placement import (
    OverlayState,
    clamp_position,
    free_width_beside,
    panel_position,
    state_after_move,
)

AREA, SIZE = QSize(800, 600), QSize(200, 100)


def test_at_first_in_the_upper_right_corner() -> None:
    assert panel_position(OverlayState(), SIZE, AREA) == QPoint(592, 0)


@pytest.mark.parametrize("at", [QPoint(0, 0), QPoint(590, 20), QPoint(20, 490), QPoint(600, 500), QPoint(300, 250)])
def test_what_is_moved_stays_there(at: QPoint) -> None:
    state = state_after_move(OverlayState(), at, SIZE, AREA)
    assert panel_position(state, SIZE, AREA) == at


def test_the_distance_from_the_nearest_corner_survives_another_size() -> None:
    state = state_after_move(OverlayState(), QPoint(580, 470), SIZE, AREA)
    assert panel_position(state, SIZE, QSize(1000, 1000)) == QPoint(780, 870)
    assert panel_position(state, SIZE, QSize(150, 90)) == QPoint(0, 0)


def test_never_outside() -> None:
    assert clamp_position(QPoint(-5, 700), SIZE, AREA) == QPoint(0, 500)


def test_the_state_survives_json() -> None:
    state = OverlayState(right=False, bottom=True, dx=3, dy=4, folded=True, docked=False)
    assert OverlayState(**json.loads(json.dumps(asdict(state)))) == state


@pytest.mark.parametrize(("width", "room"), [(1600, 0), (1200, 0), (1100, 100), (900, 300), (700, 300)])
def test_a_column_makes_way_as_far_as_it_must(width: int, room: int) -> None:
    assert free_width_beside(300, width, 600) == room
