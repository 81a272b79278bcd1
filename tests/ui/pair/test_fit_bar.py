from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtGui import QColor, QFontMetrics, QImage
from pytestqt.qtbot import QtBot
from ui.pair.examples import RAM, fit_of

from specchat.services.models.pair_fit import Fit, PairFit
from specchat.ui.pair.memory_bar import MemoryBar
from specchat.ui.widgets.theme import LIGHT
from specchat.ui.widgets.theme_service import set_current_theme

WIDE, NARROW = 560, 160
LEGEND = (LIGHT.accent, LIGHT.accepted, LIGHT.ngram, LIGHT.text_muted)


@pytest.fixture
def bar(qtbot: QtBot) -> MemoryBar:
    made = MemoryBar()
    qtbot.addWidget(made)
    made.show_fit(fit_of(Fit.FITS))
    return made


def test_why_weights_are_less_than_files_is_told(bar: MemoryBar) -> None:
    assert "The files are slightly larger" in bar.toolTip()


def grabbed(bar: MemoryBar, width: int) -> QImage:
    bar.resize(width, bar.heightForWidth(width))
    return bar.grab().toImage()


def lowest(image: QImage, colour: QColor) -> int:
    return max(y for y in range(image.height()) for x in range(image.width()) if image.pixelColor(x, y) == colour)


def test_what_does_not_fit_on_one_line_takes_another(bar: MemoryBar) -> None:
    assert bar.heightForWidth(NARROW) > bar.heightForWidth(WIDE)
    ends = [lowest(grabbed(bar, WIDE), colour) for colour in LEGEND]
    assert max(ends) - min(ends) <= 4
    ends = [lowest(grabbed(bar, NARROW), colour) for colour in LEGEND]
    assert ends[0] < ends[-1]


def test_it_is_as_high_as_its_text(bar: MemoryBar, choose_text_size: Callable[[int], None]) -> None:
    before = bar.heightForWidth(WIDE)
    choose_text_size(12)
    set_current_theme(LIGHT)
    assert bar.heightForWidth(WIDE) < before
    choose_text_size(22)
    set_current_theme(LIGHT)
    assert bar.heightForWidth(WIDE) > before


def test_of_a_long_line_only_the_name_is_cut(bar: MemoryBar) -> None:
    short, long = replace(RAM, name="A card"), replace(RAM, name="A card whose name is far too long " * 3)
    ends = []
    for device in (short, long):
        bar.show_fit(PairFit((RAM, device)))
        image = grabbed(bar, WIDE)
        line = image.copy(0, image.height() // 2, WIDE - 90, 8)
        ends.append(max(x for x in range(line.width()) if line.pixelColor(x, 4) != line.pixelColor(0, 0)))
    assert ends[0] < ends[1] < WIDE - 90


def test_each_amount_has_a_unit_that_suits_it(bar: MemoryBar) -> None:
    """Beside what a whole computer has, a small pair is not nothing."""
    parts = replace(RAM.target, weights=12_000_000, kv=8_000_000, compute=18_000_000)
    small = PairFit((replace(RAM, target=parts, draft=replace(RAM.draft, weights=1_300_000)),))
    whole = MemoryBar(whole=True)
    words = [segment.words for line in whole._legend(small, 1000) for _, segment in line]
    assert words == [
        "Target 12\u00a0MB",
        "Draft 1.3\u00a0MB",
        "KV caches 8.0\u00a0MB",
        "Compute buffers 18\u00a0MB",
        "Other programs 4.0\u00a0GB",
    ]


@pytest.mark.parametrize("n_devices", [1, 2])
def test_amounts_that_would_touch_stand_below_one_another(n_devices: int) -> None:
    whole = MemoryBar(whole=True)
    whole.show_fit(PairFit((RAM,) * n_devices))
    line = QFontMetrics(whole._font).height()
    narrow = whole._legend(PairFit((RAM,)), NARROW)
    more_legend = len(narrow) - len(whole._legend(PairFit((RAM,)), WIDE))
    assert whole.heightForWidth(NARROW) - whole.heightForWidth(WIDE) == (n_devices + more_legend) * line
