from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from specchat.ui.overlay.step_strip import StepStrip
from specchat.ui.widgets.tooltip import tooltip_text


def test_long_words_stand_in_lines() -> None:
    words = "one two three four " * 20
    lines = tooltip_text(words).split("\n")
    assert all(50 < len(line) <= 80 for line in lines[:-1])
    assert " ".join(lines) == words.strip()


def test_what_belongs_together_stays_together() -> None:
    path = f"/home/{'models-of-mine/' * 10}model.gguf"
    assert tooltip_text(path) == path
    assert tooltip_text("Title\n\ntwo  spaces") == "Title\n\ntwo  spaces"
    assert tooltip_text("") == ""
    assert tooltip_text("a <b>\nc") == "<p>a &lt;b&gt;<br>c</p>"


def test_that_of_the_columns_leaves_the_chat_free(qtbot: QtBot, qapp: QApplication) -> None:
    strip = StepStrip()
    qtbot.addWidget(strip)
    lines = strip.toolTip().split("\n")
    assert len(lines) > 1
    assert max(map(QFontMetrics(qapp.font()).horizontalAdvance, lines)) < 640
