from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QSlider
from pytestqt.qtbot import QtBot
from ui.pair.examples import GB, RAM
from ui.pair.tray.trays import SETTINGS, WITH_GPU, find, settings, with_memory

from specchat.domain.types import CacheType
from specchat.services.models.pair_fit import Fit, PairFit
from specchat.ui.pair.load_options import describe_changes
from specchat.ui.pair.memory_bar import MemoryBar
from specchat.ui.pair.pair_editor import PairEditor
from specchat.ui.widgets.theme import LIGHT


def test_the_whole_of_each_device_is_shown(tray: PairEditor) -> None:
    with_memory(tray, replace(WITH_GPU, beyond_estimate=12_000_000))
    bar = find(tray, MemoryBar, "fitBar")
    assert bar.accessibleName() == "Memory"
    assert bar.words() == (
        "RAM: needs 8.0\u00a0GB of 12.0\u00a0GB free: Fits. 4.0\u00a0GB left. Other programs use 4.0\u00a0GB. "
        "A card: needs 6.0\u00a0GB of 11.0\u00a0GB free: Fits. 5.0\u00a0GB left. Other programs use 1.0\u00a0GB."
    )
    assert find(tray, QLabel, "fitNotes").text() == "Memory use was 12\u00a0MB above the estimate."
    with_memory(tray, PairFit((replace(RAM, free=7 * GB, verdict=Fit.DOES_NOT_FIT),)))
    assert "Doesn't fit. 1.0\u00a0GB over." in bar.words()
    assert (
        find(tray, QLabel, "fitNotes").text()
        == "Estimated with a formula because llama.cpp didn't report its memory needs."
    )
    bar.grab()


def test_where_memory_ends_there_is_a_line(qtbot: QtBot) -> None:
    bar = MemoryBar(whole=True)
    qtbot.addWidget(bar)
    bar.resize(300, 200)
    too_much = replace(RAM, free=4 * GB, verdict=Fit.DOES_NOT_FIT)
    bar.show_fit(PairFit((too_much,)))
    image = bar.grab().toImage()
    red = {x for x in range(240) for y in range(14, 40) if image.pixelColor(x, y) == LIGHT.danger}
    expected = 300 * too_much.free / (too_much.needed + too_much.other)
    assert {abs(x - expected) <= 2 for x in red} == {True}


def test_sliders_ask_for_figures(qtbot: QtBot, tray: PairEditor) -> None:
    with_memory(tray)
    context = find(tray, QSlider, "contextSlider")
    assert (context.accessibleName(), context.accessibleDescription()) == ("Context", "8,192 tokens")
    with qtbot.waitSignal(tray.memory.changed):
        QTest.keyClick(context, Qt.Key.Key_Right)
    assert tray.memory.applied_to(SETTINGS) == settings(16384)
    cache = find(tray, QComboBox, "trayCacheType")
    with qtbot.waitSignal(tray.memory.changed):
        cache.setCurrentIndex(cache.findData(CacheType.Q8_0))
    assert tray.memory.applied_to(SETTINGS) == settings(16384, CacheType.Q8_0)
    layers = find(tray, QSlider, "draftLayers")
    with qtbot.waitSignal(tray.memory.changed):
        QTest.mouseClick(layers, Qt.MouseButton.LeftButton, pos=QPoint(layers.width() // 2, 12))
    pulled = tray.memory.applied_to(SETTINGS)
    assert pulled.target_settings.gpu_layers is None
    assert pulled.draft_settings.gpu_layers in (8, 9)
    with qtbot.waitSignal(tray.memory.changed):
        QTest.keyClick(layers, Qt.Key.Key_End)
    assert tray.memory.applied_to(SETTINGS) == settings(16384, CacheType.Q8_0)


def test_settings_can_be_chosen_before_there_are_figures(qtbot: QtBot, tray: PairEditor) -> None:
    tray.show_parts(memory=True)
    with qtbot.waitSignal(tray.memory.changed):
        QTest.keyClick(find(tray, QSlider, "contextSlider"), Qt.Key.Key_Right)
    assert tray.memory.applied_to(SETTINGS) == settings(8192)


def test_what_is_shown_asks_for_nothing(qtbot: QtBot, tray: PairEditor) -> None:
    with_memory(tray)
    with qtbot.assertNotEmitted(tray.memory.changed):
        with_memory(tray, choice=settings(2048, CacheType.Q4_0, 5, 0))
    assert find(tray, QSlider, "targetLayers").accessibleDescription() == "5 of 33"
    assert find(tray, QSlider, "draftLayers").accessibleDescription() == "0 of 17"


def test_a_handle_that_is_pulled_stays_with_the_mouse(tray: PairEditor) -> None:
    with_memory(tray)
    layers = find(tray, QSlider, "targetLayers")
    QTest.mousePress(layers, Qt.MouseButton.LeftButton, pos=QPoint(0, 12))
    tray.memory.show_fit(WITH_GPU, has_gpu=True)
    assert layers.value() == 0
    QTest.mouseMove(layers, QPoint(layers.width(), 12))
    QTest.mouseRelease(layers, Qt.MouseButton.LeftButton, pos=QPoint(layers.width(), 12))
    assert not layers.isSliderDown()


@pytest.mark.parametrize(
    ("fit", "visible"),
    [
        (PairFit((RAM,), target_layers=33, draft_layers=17), (False, False)),
        (replace(WITH_GPU, draft_layers=0), (True, False)),
        (WITH_GPU, (True, True)),
    ],
)
def test_layers_are_for_those_who_have_a_gpu(tray: PairEditor, fit: PairFit, visible: tuple[bool, bool]) -> None:
    with_memory(tray, fit)
    assert tuple(find(tray, QSlider, name).isVisible() for name in ("targetLayers", "draftLayers")) == visible


def test_what_a_suggestion_changes_is_said() -> None:
    assert describe_changes(SETTINGS, SETTINGS, WITH_GPU) == ""
    other = settings(4096, CacheType.Q8_0, 20, 0)
    assert describe_changes(SETTINGS, other, WITH_GPU) == (
        "a context of 4,096 tokens instead of 8,192, a q8_0 KV cache instead of f16, 20 of the target's 33 "
        "layers on the GPU and 0 of the draft's 17 layers on the GPU"
    )
