"""German words are long: what the card says is cut nowhere at its usual width."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from specchat.domain.speculation_status import SpeculationOff
from specchat.services.generation.stats_tracker import StatsSnapshot
from specchat.ui.overlay.card_layout import BUTTONS, PADDING, Captions, CardFonts, upright_layout
from specchat.ui.overlay.readout import make_readout
from specchat.ui.start.application import ThemeManager
from specchat.ui.words.installed_languages import install_translation

CAPTIONS = Captions("angenommen", "Token/s", "Token/Lauf", "so schnell")


@pytest.fixture(autouse=True)
def german(untranslated: QApplication) -> None:
    ThemeManager(untranslated)
    install_translation(untranslated, "de")


@pytest.mark.parametrize("saved_s", [4.0, -4.0])
@pytest.mark.parametrize("is_rough", [False, True])
@pytest.mark.parametrize("final", [False, True])
def test_the_caption_fits_beside_the_buttons(saved_s: float, is_rough: bool, final: bool) -> None:
    figures = StatsSnapshot(drafted=10, accepted=5, saved_s=saved_s, is_saving_rough=is_rough, final=final)
    fonts = CardFonts.create()
    room = upright_layout(fonts, CAPTIONS, 0).size.width() - PADDING - BUTTONS
    caption = make_readout(figures, None).caption
    assert QFontMetrics(fonts.small).horizontalAdvance(caption) <= room, caption


@pytest.mark.parametrize("why", list(SpeculationOff))
@pytest.mark.parametrize("final", [False, True])
def test_why_there_are_no_guesses_fits_on_two_lines(why: SpeculationOff, final: bool) -> None:
    fonts = CardFonts.create()
    area = upright_layout(fonts, CAPTIONS, 0).who
    assert area is not None
    words = make_readout(replace(StatsSnapshot(), why_off=why, final=final), None).why_not
    metrics = QFontMetrics(fonts.small)
    wrapped = metrics.boundingRect(area, Qt.TextFlag.TextWordWrap.value, words)
    assert wrapped.height() // metrics.height() <= 2, words
