from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, Qt
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QPlainTextEdit
from ui.composer.driver import Driver

from specchat.domain.conversations import Attachment
from specchat.ui.composer.editing_banner import EditMode
from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme

NOTES = Attachment("notes.txt", "Some notes")


def test_enter_sends_and_shift_enter_starts_a_new_line(driver: Driver) -> None:
    driver.type("Hello")
    driver.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    driver.type("world")
    with driver.qtbot.waitSignal(driver.composer.sent) as sent:
        driver.press(Qt.Key.Key_Return)
    assert sent.args == ["Hello\nworld", ()]


class Paints(QObject):
    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.Paint
        return False


def test_what_can_be_done_now_is_painted(driver: Driver) -> None:
    driver.composer.set_ready(False, "The model is loading")
    paints = Paints(driver.composer)
    driver.editor.clearFocus()
    QApplication.processEvents()
    driver.editor.viewport().installEventFilter(paints)
    driver.composer.set_ready(True, "Message")
    driver.qtbot.waitUntil(lambda: paints.count > 0)


def test_the_text_stands_where_its_first_letter_says(driver: Driver) -> None:
    def left_of_cursor() -> int:
        return driver.editor.cursorRect().left()

    middle = driver.editor.viewport().width() / 2
    assert left_of_cursor() < middle
    driver.type("1. ")
    assert left_of_cursor() < middle
    driver.editor.insertPlainText("שלום")
    assert left_of_cursor() > middle
    driver.editor.undo()
    assert driver.composer.text == ""
    assert left_of_cursor() < middle
    driver.composer.set_text("Hello\nשלום")
    assert left_of_cursor() < middle


def test_what_was_sent_stays_until_it_is_safe(driver: Driver) -> None:
    driver.type("Hello")
    driver.click(driver.send)
    assert driver.composer.text == "Hello"
    driver.composer.sent.connect(driver.composer.clear)
    with driver.qtbot.waitSignal(driver.composer.unsent_text_changed) as draft:
        driver.click(driver.send)
    assert (draft.args, driver.composer.text) == ([""], "")


def test_enter_decides_on_the_letters_of_an_input_method_before_it_sends(driver: Driver) -> None:
    sent = QSignalSpy(driver.composer.sent)
    QApplication.sendEvent(driver.editor, QInputMethodEvent("にほ", []))
    driver.press(Qt.Key.Key_Return)
    assert (sent.count(), driver.composer.text) == (0, "")
    decided = QInputMethodEvent()
    decided.setCommitString("日本")
    QApplication.sendEvent(driver.editor, decided)
    driver.press(Qt.Key.Key_Return)
    assert sent.at(0)[0] == "日本"


def test_nothing_and_nothing_but_spaces_cannot_be_sent(driver: Driver) -> None:
    sent = QSignalSpy(driver.composer.sent)
    assert not driver.send.isEnabled()
    driver.type("   ")
    driver.press(Qt.Key.Key_Return)
    assert (driver.send.isEnabled(), sent.count()) == (False, 0)


def test_before_a_model_is_there_one_can_write_but_not_send(driver: Driver) -> None:
    sent, held_back = QSignalSpy(driver.composer.sent), QSignalSpy(driver.composer.send_blocked)
    driver.composer.set_ready(False, "Choose a model to start")
    assert driver.editor.placeholderText() == "Choose a model to start"
    driver.press(Qt.Key.Key_Return)
    assert held_back.count() == 0
    driver.type("Hello")
    driver.press(Qt.Key.Key_Return)
    assert (driver.composer.text, driver.send.isEnabled(), held_back.count()) == ("Hello", False, 1)
    driver.composer.set_ready(False, "", soon=True)
    driver.click(driver.send)
    assert (driver.composer.text, sent.count(), held_back.count()) == ("Hello", 0, 2)
    driver.composer.set_ready(True, "")
    driver.composer.send()
    assert (sent.count(), held_back.count()) == (1, 2)


def test_either_send_or_stop_is_there(driver: Driver) -> None:
    driver.type("Next question")
    for answering in (True, False, True):
        driver.composer.set_answering(answering)
        assert (driver.send.isVisible(), driver.stop.isVisible()) == (not answering, answering)
    sent = QSignalSpy(driver.composer.sent)
    driver.press(Qt.Key.Key_Return)
    with driver.qtbot.waitSignal(driver.composer.stop_requested):
        driver.click(driver.stop)
    assert (sent.count(), driver.composer.text) == (0, "Next question")


def test_the_keyboard_returns_to_the_text_when_its_button_goes(driver: Driver) -> None:
    driver.type("Hello")
    driver.send.setFocus()
    driver.composer.set_answering(True)
    assert driver.editor.hasFocus()
    driver.stop.setFocus()
    driver.composer.set_answering(False)
    assert driver.editor.hasFocus()


def test_pasted_text_comes_without_its_looks(driver: Driver) -> None:
    data = QMimeData()
    data.setHtml("<b>bold</b> move")
    data.setText("bold move")
    driver.editor.insertFromMimeData(data)
    assert driver.composer.text == "bold move"


def test_drafts_and_counts_come_after_a_pause(driver: Driver) -> None:
    drafts, counts = QSignalSpy(driver.composer.unsent_text_changed), QSignalSpy(driver.composer.token_count_requested)
    driver.type("Hello")
    driver.qtbot.waitUntil(lambda: counts.count() == 1)
    assert (drafts.count(), drafts.at(0), counts.at(0)) == (1, ["Hello"], ["Hello"])


def test_flush_and_leaving_do_not_wait_for_the_pause(driver: Driver) -> None:
    drafts = QSignalSpy(driver.composer.unsent_text_changed)
    driver.type("H")
    driver.composer.flush()
    driver.composer.flush()
    driver.type("i")
    driver.press(Qt.Key.Key_Tab)
    assert [drafts.at(n) for n in range(drafts.count())] == [["H"], ["Hi"]]


def test_the_draft_of_another_conversation_is_not_told_as_new(driver: Driver) -> None:
    drafts, counts = QSignalSpy(driver.composer.unsent_text_changed), QSignalSpy(driver.composer.token_count_requested)
    driver.composer.set_text("Kept from yesterday")
    driver.composer.flush()
    assert (drafts.count(), counts.at(0)) == (0, ["Kept from yesterday"])
    driver.type("!")
    assert driver.composer.text == "Kept from yesterday!"


def test_up_in_an_empty_composer_asks_for_the_last_message(driver: Driver) -> None:
    asked = QSignalSpy(driver.composer.edit_last_requested)
    driver.press(Qt.Key.Key_Up)
    assert asked.count() == 1
    driver.type("Hello")
    driver.press(Qt.Key.Key_Up)
    assert asked.count() == 1


def test_an_edit_is_sent_as_usual_and_the_draft_comes_back(driver: Driver) -> None:
    driver.type("My draft")
    driver.composer.set_attachments([NOTES])
    driver.composer.begin_edit("An earlier message")
    assert (driver.composer.is_editing, driver.composer.text, driver.composer.attachments) == (
        *(True, "An earlier message"),
        (),
    )
    with driver.qtbot.waitSignal(driver.composer.sent) as sent:
        driver.press(Qt.Key.Key_Return)
    assert sent.args == ["An earlier message", ()]
    driver.composer.clear()
    assert (driver.composer.is_editing, driver.composer.text, driver.composer.attachments) == (
        *(False, "My draft"),
        (NOTES,),
    )


def test_an_edit_is_no_draft(driver: Driver) -> None:
    drafts, counts = QSignalSpy(driver.composer.unsent_text_changed), QSignalSpy(driver.composer.token_count_requested)
    driver.composer.begin_edit("An earlier message")
    driver.type("!")
    driver.composer.flush()
    assert (drafts.count(), counts.at(counts.count() - 1)) == (0, ["An earlier message!"])


def test_escape_or_the_button_cancels_an_edit(driver: Driver) -> None:
    driver.type("My draft")
    cancels: tuple[Callable[[], None], ...] = (
        lambda: driver.press(Qt.Key.Key_Escape),
        lambda: driver.click(driver.children("cancelEditing")[0]),
    )
    for cancel in cancels:
        driver.composer.begin_edit("An earlier message")
        assert driver.children("cancelEditing")
        cancel()
        assert (driver.composer.is_editing, driver.composer.text) == (False, "My draft")
        assert not driver.children("cancelEditing")
        assert driver.editor.hasFocus()


def test_an_answer_is_saved_or_continued(driver: Driver) -> None:
    driver.type("My draft")
    driver.composer.begin_edit("An answer", mode=EditMode.ANSWER)
    assert not driver.send.isVisible()
    with driver.qtbot.waitSignal(driver.composer.saved) as saved:
        driver.press(Qt.Key.Key_Return)
    assert saved.args == ["An answer"]
    with driver.qtbot.waitSignal(driver.composer.sent) as sent:
        driver.click(driver.children("continueAnswerButton")[0])
    assert sent.args == ["An answer", ()]
    driver.composer.set_no_prefill("It can't.")
    assert [each.isEnabled() for each in driver.children("continueAnswerButton")] == [False]
    driver.composer.clear()
    assert (driver.composer.text, driver.send.isVisible()) == ("My draft", True)
    assert not driver.children("saveAnswerButton")


def test_the_field_says_what_it_is_for(driver: Driver) -> None:
    begun = {EditMode.QUESTION: "Write a message", EditMode.ANSWER: "Answer", EditMode.BEGINNING: "Start of the answer"}
    for mode, placeholder in begun.items():
        driver.composer.begin_edit("", mode=mode)
        assert driver.editor.placeholderText() == placeholder
    driver.composer.set_ready(False, "You can type while the model loads", soon=True)
    assert driver.editor.placeholderText() == "You can type while the model loads"
    driver.composer.set_ready(True, "Message")
    assert driver.editor.placeholderText() == "Start of the answer"
    driver.composer.cancel_edit()
    assert driver.editor.placeholderText() == "Message"


def test_an_answer_has_no_attachments(driver: Driver) -> None:
    driver.composer.begin_edit("An answer", mode=EditMode.ANSWER)
    driver.composer.attaching.attached.emit(NOTES)
    assert driver.composer.attachments == ()
    assert not driver.children("attachButton")


def test_the_answer_can_be_given_its_first_words(driver: Driver) -> None:
    driver.type("Question")
    driver.click(driver.children("prefillButton")[0])
    field = driver.child(QPlainTextEdit, "prefillField")
    assert field.hasFocus()
    QTest.keyClicks(field, "Sure, ")
    assert driver.composer.prefill == "Sure,"
    with driver.qtbot.waitSignal(driver.composer.sent) as sent:
        driver.press(Qt.Key.Key_Return)
    assert sent.args == ["Question", ()]
    driver.press(Qt.Key.Key_Escape)
    assert (driver.composer.prefill, field.isVisible(), driver.editor.hasFocus()) == ("", False, True)


def test_it_grows_to_eight_lines_and_then_scrolls(driver: Driver) -> None:
    line = driver.editor.fontMetrics().lineSpacing()
    heights = []
    for lines in (1, 2, 8, 20):
        driver.composer.set_text("\n".join("x" * lines))
        driver.qtbot.waitUntil(lambda: driver.editor.height() == driver.editor.sizeHint().height())
        heights.append(driver.editor.height() // line)
        assert (driver.editor.verticalScrollBar().maximum() > 0) == (lines > 8)
    assert heights == [1, 2, 8, 8]


def test_a_long_line_wraps_and_counts_as_many(driver: Driver) -> None:
    QTest.keyClicks(driver.editor, "word " * 40)
    line = driver.editor.fontMetrics().lineSpacing()
    driver.qtbot.waitUntil(lambda: driver.editor.height() // line > 1)


def test_tab_leads_on_through_everything_and_each_has_a_name(driver: Driver) -> None:
    driver.type("Hello")
    driver.composer.set_attachments([NOTES])
    visited = []
    for _ in range(5):
        focused = driver.window.focusWidget()
        visited.append((focused.objectName(), bool(focused.accessibleName())))
        driver.press(Qt.Key.Key_Tab)
    names = ("composer", "removeAttachment", "attachButton", "prefillButton", "sendButton")
    assert visited == [(name, True) for name in names]


def test_tab_comes_back_to_the_words(driver: Driver) -> None:
    driver.child(QAbstractButton, "attachButton").setFocus()
    driver.press(Qt.Key.Key_Backtab)
    assert driver.editor.hasFocus()


@pytest.mark.parametrize(("words", "is_taken"), [("", False), ("Hello", True)])
def test_undo_is_for_the_words_where_there_are_some(driver: Driver, words: str, is_taken: bool) -> None:
    if words:
        driver.type(words)
    asked = QKeyEvent(QEvent.Type.ShortcutOverride, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    asked.ignore()
    QApplication.sendEvent(driver.editor, asked)
    assert asked.isAccepted() == is_taken


def test_the_theme_can_change(driver: Driver) -> None:
    driver.composer.set_attachments([NOTES])
    light = driver.composer.grab().toImage()
    set_current_theme(DARK)
    assert driver.composer.grab().toImage() != light
