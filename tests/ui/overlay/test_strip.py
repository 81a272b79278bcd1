from collections.abc import Callable

import pytest
from PySide6.QtGui import QColor, QImage, QPaintEvent
from pytestqt.qtbot import QtBot

from specchat.services.generation.stats_tracker import StepSummary
from specchat.ui.overlay.step_strip import StepStrip
from specchat.ui.widgets.theme import DARK, LIGHT, Theme
from specchat.ui.widgets.theme_service import set_current_theme

DRAFT, NGRAM = StepSummary(4, 2, bonus=True, origin="draft"), StepSummary(4, 2, bonus=True, origin="ngram")
COLUMN, COLUMNS = 3, 80
PLAIN, REFUSED = StepSummary(0, 0, bonus=True, origin=None), StepSummary(4, 0, bonus=True, origin="draft")


class CountingStrip(StepStrip):
    painted = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        self.painted += 1
        super().paintEvent(event)


@pytest.fixture
def strip(qtbot: QtBot) -> CountingStrip:
    made = CountingStrip()
    qtbot.addWidget(made)
    made.setFixedWidth(COLUMN * COLUMNS)
    made.show()
    qtbot.waitUntil(lambda: made.painted > 0)
    return made


def colours(strip: StepStrip, column: int = 0) -> Callable[[str], int]:
    """How many pixels of a column have a colour of the theme."""
    image = strip.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    x = round(column * COLUMN * strip.devicePixelRatioF())
    seen = [image.pixelColor(x, y).name() for y in range(image.height())]
    return lambda name: seen.count(QColor(getattr(strip_theme(strip), name)).name())


def strip_theme(strip: StepStrip) -> Theme:
    return DARK if strip.grab().toImage().pixelColor(0, 0) == DARK.surface else LIGHT


def test_a_plain_pass_is_only_a_cap(strip: CountingStrip) -> None:
    strip.show_steps((PLAIN,))
    column = colours(strip)
    assert column("text") > 0
    assert column("accepted") == column("ngram") == column("line") == 0


def test_a_column_shows_accepted_cap_and_refused(strip: CountingStrip) -> None:
    strip.show_steps((DRAFT,))
    column = colours(strip)
    assert column("accepted") == column("line") == 2 * column("text")


def test_guesses_from_the_text_differ_by_pattern_too(strip: CountingStrip) -> None:
    strip.show_steps((DRAFT,))
    solid = colours(strip)("accepted")
    strip.show_steps((NGRAM,))
    assert 0 < colours(strip)("ngram") < solid


def test_nothing_accepted_leaves_no_accepted_colour(strip: CountingStrip) -> None:
    strip.show_steps((REFUSED,))
    column = colours(strip)
    assert column("accepted") == 0
    assert column("line") == 4 * column("text") > 0


def test_long_drafts_fit(strip: CountingStrip) -> None:
    strip.show_steps((StepSummary(100, 100, bonus=True, origin="draft"),))
    column = colours(strip)
    assert column("accepted") > strip.height() - 4


def test_it_fills_from_the_left_and_then_the_oldest_leave(strip: CountingStrip) -> None:
    strip.show_steps((DRAFT, PLAIN))
    assert colours(strip, 0)("accepted") > 0
    assert colours(strip, 1)("accepted") == 0 < colours(strip, 1)("text")
    assert colours(strip, 2)("text") == 0
    strip.show_steps((PLAIN,) + (DRAFT,) * (COLUMNS - 1) + (PLAIN,))
    assert colours(strip, 0)("accepted") > 0
    assert colours(strip, COLUMNS - 1)("accepted") == 0 < colours(strip, COLUMNS - 1)("text")


def test_the_same_steps_paint_nothing(strip: CountingStrip, qtbot: QtBot) -> None:
    strip.show_steps((DRAFT,))
    qtbot.waitUntil(lambda: strip.painted > 1)
    before = strip.painted
    strip.show_steps((DRAFT,))
    strip.show_steps((DRAFT, DRAFT))
    qtbot.waitUntil(lambda: strip.painted > before)
    assert strip.painted == before + 1


def test_the_theme_changes_the_colours(strip: CountingStrip) -> None:
    strip.show_steps((DRAFT,))
    set_current_theme(DARK)
    assert colours(strip)("accepted") > 0
