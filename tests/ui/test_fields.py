from PySide6.QtWidgets import QStyleOptionComboBox
from pytestqt.qtbot import QtBot

from specchat.ui.widgets.form_fields import ChoiceBox


def test_a_choice_that_is_too_long_shows_that_it_is_cut(qtbot: QtBot) -> None:
    words = "specchat demo target · Q8_0 · big model.gguf"
    box, option = ChoiceBox(), QStyleOptionComboBox()
    qtbot.addWidget(box)
    box.set_items([(words, 1)], 1)
    box.resize(240, box.height())
    box.initStyleOption(option)
    assert "…" in option.currentText
    assert option.currentText.endswith("model.gguf")
    assert box.currentText() == words
    box.resize(800, box.height())
    box.initStyleOption(option)
    assert option.currentText == words
