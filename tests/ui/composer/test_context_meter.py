from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFrame, QLabel
from pytestqt.qtbot import QtBot
from ui.composer.driver import Driver

from specchat.ui.composer import ContextPart, ContextUsage
from specchat.ui.composer.context_meter import ContextMeter
from specchat.ui.composer.context_text import ContextText
from specchat.ui.composer.context_usage import FillLevel
from specchat.ui.widgets.theme import LIGHT
from specchat.ui.widgets.theme_service import set_current_theme
from specchat.ui.words.number_format import format_number


def use(conversation: int, n_ctx: int = 4096, n_left_out: int = 0) -> ContextUsage:
    return ContextUsage(
        (
            (ContextPart.SYSTEM_PROMPT, 100),
            (ContextPart.CONVERSATION, conversation),
            (ContextPart.ATTACHMENTS, 30),
            (ContextPart.MESSAGE, 20),
        ),
        n_ctx,
        n_left_out,
    )


def meter(driver: Driver) -> ContextMeter:
    return driver.child(ContextMeter, "contextMeter")


def details(driver: Driver) -> list[str]:
    shown = [frame for frame in driver.window.findChildren(QFrame, "contextDetails") if frame.isVisible()]
    return [label.text() for frame in shown for label in frame.findChildren(QLabel)]


def test_what_is_left_is_room_for_the_answer() -> None:
    assert (use(850).used, use(850).remaining) == (1000, 3096)
    assert use(5000).remaining == 0


@pytest.mark.parametrize(
    ("conversation", "fill"),
    [(0, FillLevel.ROOMY), (3300, FillLevel.ROOMY), (3400, FillLevel.NEARLY_FULL), (3946, FillLevel.TOO_LONG)],
)
def test_how_full_it_is_has_three_steps(conversation: int, fill: FillLevel) -> None:
    assert use(conversation).fill is fill


def test_figures_are_those_that_stand_elsewhere() -> None:
    assert ContextText().usage_figure(use(7408, 131072)) == "Context 7,558 / 131,072"


def test_there_is_no_meter_before_anything_is_known(driver: Driver) -> None:
    assert not meter(driver).isVisible()
    driver.composer.set_context_usage(use(850))
    assert meter(driver).isVisible()
    driver.composer.set_context_usage(None)
    assert not meter(driver).isVisible()


def test_screen_readers_hear_it_all_in_one_sentence(driver: Driver) -> None:
    driver.composer.set_context_usage(use(850))
    assert meter(driver).accessibleName() == "Context"
    assert meter(driver).accessibleDescription() == (
        f"{format_number(1000)} of {format_number(4096)} tokens used (System prompt 100, "
        f"Chat so far 850, Attachments 30, This message 20), {format_number(3096)} left for the "
        "answer."
    )
    driver.composer.set_context_usage(use(3500))
    assert format_number(use(3500).remaining) in ContextText().advice(use(3500))
    assert meter(driver).accessibleDescription().endswith(ContextText().advice(use(3500)))


def test_what_is_left_out_is_said(driver: Driver) -> None:
    driver.composer.set_context_usage(use(850, n_left_out=6))
    assert use(850, n_left_out=6).fill is FillLevel.SHORTENED
    advice = "Oldest messages left out: 6. Load the model with a larger context to keep them."
    assert meter(driver).accessibleDescription().endswith(advice)
    driver.click(meter(driver))
    assert details(driver)[-1] == advice
    assert ContextText().state_label(use(850, n_left_out=6)) == "6 messages left out"
    assert ContextText().state_label(use(850, n_left_out=1)) == "1 message left out"


def test_too_long_says_of_what_there_is_too_little(driver: Driver) -> None:
    too_long = replace(use(1000), parts=((ContextPart.ATTACHMENTS, 702), (ContextPart.MESSAGE, 2000)), limit=1536)
    assert (too_long.fill, too_long.share) == (FillLevel.TOO_LONG, 1.0)
    assert ContextText().usage_figure(too_long) == f"Context {format_number(2702)} / {format_number(too_long.n_ctx)}"
    driver.composer.set_context_usage(too_long)
    figures = (
        f"Message too long: {format_number(2702)} tokens, room for {format_number(1536)}. The system "
        "prompt and the answer need the rest."
    )
    assert meter(driver).accessibleDescription().endswith(f"load the model with a larger context. {figures}")


def test_an_answer_that_fills_the_context_is_no_message_that_is_too_long() -> None:
    filled = ContextUsage(((ContextPart.SYSTEM_PROMPT, 49), (ContextPart.CONVERSATION, 2000)), 2048)
    assert ContextText().state_label(filled) == "0 tokens left"
    assert ContextText().state_label(replace(filled, n_left_out=2)) == "2 messages left out"
    typed = replace(filled, parts=(*filled.parts, (ContextPart.MESSAGE, 1)))
    assert ContextText().state_label(typed) == "Too long"


def test_no_larger_context_is_advised_than_the_model_can_have(driver: Driver) -> None:
    advice = [ContextText().advice(replace(each, may_grow=False)) for each in (use(5000), use(850, n_left_out=6))]
    assert advice == [
        "Too long: shorten the message or remove attachments.",
        "Oldest messages left out: 6. They no longer fit in the context.",
    ]


def test_nearly_full_is_said_in_words_that_take_room(driver: Driver) -> None:
    driver.composer.set_context_usage(use(850))
    calm = meter(driver).minimumSizeHint().width()
    driver.composer.set_context_usage(use(3500))
    assert meter(driver).minimumSizeHint().width() > calm
    for left, words in ((446, "446 tokens left"), (1, "1 token left")):
        assert ContextText().state_label(use(4096 - 150 - left)) == words


def test_a_narrow_composer_leaves_out_the_words(driver: Driver) -> None:
    driver.composer.set_context_usage(use(850))
    wordy = meter(driver).minimumSizeHint().width()
    driver.composer.resize(330, driver.composer.height())
    assert meter(driver).minimumSizeHint().width() < wordy
    assert ContextText().brief_figure(use(850)) == f"{format_number(1000)} / {format_number(4096)}"


def test_the_bar_does_not_move_while_the_numbers_change(driver: Driver) -> None:
    widths = set()
    for conversation in (0, 850, 900, 1500, 3000):
        driver.composer.set_context_usage(use(conversation))
        widths.add(meter(driver).sizeHint().width())
    assert len(widths) == 1


def test_a_click_shows_what_is_in_it_until_the_next(driver: Driver) -> None:
    driver.composer.set_context_usage(use(850))
    driver.click(meter(driver))
    assert details(driver)[:4] == ["System prompt", "100", "Chat so far", "850"]
    driver.composer.set_context_usage(use(4500))
    assert "larger context" in details(driver)[-1]
    driver.click(meter(driver))
    assert details(driver) == []


def test_the_keyboard_shows_it_and_escape_or_leaving_closes_it(driver: Driver) -> None:
    driver.composer.set_context_usage(use(850))
    leaves: tuple[Callable[[], None], ...] = (lambda: driver.press(Qt.Key.Key_Escape), driver.composer.focus)
    for leave in leaves:
        meter(driver).setFocus()
        driver.press(Qt.Key.Key_Space)
        assert details(driver)
        leave()
        assert details(driver) == []


def test_hovering_shows_it_for_as_long(driver: Driver) -> None:
    driver.composer.set_context_usage(use(850))
    QApplication.sendEvent(meter(driver), QEnterEvent(QPointF(5, 5), QPointF(5, 5), QPointF(5, 5)))
    driver.qtbot.waitUntil(lambda: bool(details(driver)))
    QApplication.sendEvent(meter(driver), QEvent(QEvent.Type.Leave))
    assert details(driver) == []


def test_a_resized_window_closes_it_and_one_click_brings_it_back(driver: Driver) -> None:
    driver.composer.set_context_usage(use(850))
    driver.click(meter(driver))
    driver.window.resize(500, 500)
    assert details(driver) == []
    driver.click(meter(driver))
    assert details(driver)


def test_a_narrow_window_holds_all_of_it(qtbot: QtBot) -> None:
    driver = Driver(qtbot, width=300)
    driver.composer.set_context_usage(use(4500, 131072))
    driver.composer.set_context_usage(use(4500))
    QTest.mouseClick(meter(driver), Qt.MouseButton.LeftButton)
    shown = driver.child(QFrame, "contextDetails")
    for widget in (driver.composer, meter(driver), driver.send, shown):
        left = widget.mapTo(driver.window, QPoint(0, 0)).x()
        assert 0 <= left < left + widget.width() <= 300


def test_it_is_as_wide_as_its_text(driver: Driver, choose_text_size: Callable[[int], None]) -> None:
    driver.composer.set_context_usage(use(3500))
    driver.click(meter(driver))
    before = meter(driver).minimumSizeHint().width()
    choose_text_size(22)
    set_current_theme(LIGHT)
    assert meter(driver).minimumSizeHint().width() > before
    assert details(driver)
