"""A settings dialog, and what is done at it."""

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from specchat.domain.conversations import RANDOM_SEED, ConversationSettings
from specchat.domain.types import SamplingParams
from specchat.ui.settings.page import SettingsPage
from specchat.ui.settings.preset import Preset

SETTINGS = ConversationSettings("Be brief.", SamplingParams(seed=7), max_tokens=100)
BALANCED = Preset("Balanced", ConversationSettings(sampling=SamplingParams(seed=RANDOM_SEED)), built_in=True)
CAPTAIN = Preset("Captain", ConversationSettings("You are a captain.", SamplingParams(temperature=1.5)))
PRESETS = (BALANCED, CAPTAIN)

T = TypeVar("T", bound=QWidget)


def find(dialog: SettingsPage, kind: type[T], name: str) -> T:
    found = dialog.findChild(kind, name)
    assert isinstance(found, kind)
    return found


def changed(qtbot: QtBot, dialog: SettingsPage, do: Callable[[], object]) -> ConversationSettings:
    with qtbot.waitSignal(dialog.conversation_page.changed) as signal:
        do()
    settings = signal.args[0]
    assert isinstance(settings, ConversationSettings)
    return settings


def type_into(field: QWidget, text: str) -> None:
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClicks(field, text)


def choose(box: QComboBox, words: str) -> None:
    number = box.findText(words)
    assert number >= 0
    box.setCurrentIndex(number)
    box.activated.emit(number)
