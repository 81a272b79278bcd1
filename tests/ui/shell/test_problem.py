import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QTextEdit, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from specchat.domain.errors import UserError
from specchat.ui.widgets.error_card import ErrorCard
from specchat.ui.widgets.theme import DARK
from specchat.ui.widgets.theme_service import set_current_theme

LONG = UserError("llama.cpp refused " + "/home/someone/" + "a-long-name/" * 15 + "model.gguf.", "Choose another file.")


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    page = QWidget()
    page.resize(600, 480)
    qtbot.addWidget(page)
    QVBoxLayout(page).addWidget(QLineEdit(page), 1)
    page.show()
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    return page


@pytest.fixture
def problem(page: QWidget) -> ErrorCard:
    problem = ErrorCard(page)
    layout = page.layout()
    assert layout is not None
    layout.addWidget(problem)
    return problem


def text(problem: ErrorCard, name: str) -> str:
    found = problem.findChild(QTextEdit, name)
    assert found is not None
    return found.toPlainText()


def button(problem: ErrorCard, name: str) -> QPushButton:
    found = problem.findChild(QPushButton, name)
    assert found is not None
    return found


def test_it_says_what_is_wrong_and_what_to_do(problem: ErrorCard) -> None:
    assert problem.isHidden()
    problem.show_error(UserError("The file is damaged.", "Download it again."))
    assert problem.isVisible()
    assert text(problem, "problemMessage") == "The file is damaged."
    assert text(problem, "problemHint") == "Download it again."
    assert button(problem, "problemAction").isHidden()
    assert button(problem, "problemMore").isHidden()


def test_it_is_there_for_screen_readers(problem: ErrorCard) -> None:
    problem.show_error(UserError("The file is damaged.", "Download it again."))
    interface = QAccessible.queryAccessibleInterface(problem)
    assert interface.text(QAccessible.Text.Name) == "The file is damaged."
    assert interface.text(QAccessible.Text.Description) == "Download it again."


def test_its_button_does_what_the_hint_says(qtbot: QtBot, problem: ErrorCard) -> None:
    problem.show_error(UserError("There is no model.", "Choose one."), "Choose a model…")
    assert button(problem, "problemAction").text() == "Choose a model…"
    with qtbot.waitSignal(problem.action_chosen):
        QTest.mouseClick(button(problem, "problemAction"), Qt.MouseButton.LeftButton)


def test_what_else_can_be_done_leaves_it_there(problem: ErrorCard) -> None:
    done: list[str] = []
    others = (("Save report…", lambda: done.append("saved")), ("Open folder", lambda: done.append("opened")))
    problem.show_error(UserError("It crashed.", "Report it."), "Go on", others)
    buttons = [button for button in problem.findChildren(QPushButton) if button.isVisible()]
    assert sorted(buttons, key=lambda button: button.x()) == [
        button(problem, "problemAction"),
        *(next(each for each in buttons if each.text() == words) for words, _ in others),
    ]
    for each in buttons[1:]:
        QTest.mouseClick(each, Qt.MouseButton.LeftButton)
    assert sorted(done) == ["opened", "saved"]
    assert problem.isVisible()
    problem.show_error(UserError("The file is damaged.", "Download it again."))
    assert not any(each.isVisible() for each in problem.findChildren(QPushButton))


def test_details_are_the_reasons_and_no_traceback(problem: ErrorCard) -> None:
    try:
        try:
            raise OSError("no space left")  # noqa: TRY301
        except OSError as reason:
            raise UserError("It could not be saved.", "Make room.") from reason
    except UserError as error:
        problem.show_error(error)
    details = problem.findChild(QTextEdit, "problemDetails")
    assert details is not None
    assert details.isHidden()
    QTest.mouseClick(button(problem, "problemMore"), Qt.MouseButton.LeftButton)
    assert details.isVisible()
    assert details.toPlainText() == "OSError: no space left"
    QTest.mouseClick(button(problem, "problemMore"), Qt.MouseButton.LeftButton)
    assert details.isHidden()


def test_a_reason_that_the_message_holds_is_not_repeated(problem: ErrorCard) -> None:
    error = UserError("specchat hit an internal error: ValueError: no", "Report it.")
    error.__cause__ = ValueError("no")
    problem.show_error(error)
    assert button(problem, "problemMore").isHidden()


def test_escape_in_it_closes_it_and_gives_the_keyboard_back(qtbot: QtBot, page: QWidget, problem: ErrorCard) -> None:
    field = page.findChild(QLineEdit)
    assert field is not None
    field.setFocus()
    problem.show_error(UserError("There is no model.", "Choose one."), "Choose a model…")
    assert field.hasFocus()
    button(problem, "problemAction").setFocus()
    with qtbot.waitSignal(problem.dismissed):
        QTest.keyClick(button(problem, "problemAction"), Qt.Key.Key_Escape)
    assert problem.isHidden()
    assert field.hasFocus()


def test_closing_it_with_the_mouse(qtbot: QtBot, problem: ErrorCard) -> None:
    problem.show_error(LONG)
    close = problem.findChild(QToolButton, "problemClose")
    assert close is not None
    with qtbot.waitSignal(problem.dismissed):
        QTest.mouseClick(close, Qt.MouseButton.LeftButton)
    assert problem.isHidden()


@pytest.mark.parametrize("width", [280, 600, 1200])
def test_all_words_can_be_seen_at_any_width(qtbot: QtBot, page: QWidget, problem: ErrorCard, width: int) -> None:
    problem.show_error(LONG)
    page.resize(width, 480)
    message = problem.findChild(QTextEdit, "problemMessage")
    assert message is not None

    qtbot.waitUntil(lambda: message.viewport().height() >= message.document().size().height())
    assert message.document().size().width() <= message.viewport().width()
    assert page.rect().contains(QRect(problem.pos(), problem.size()))
    assert page.minimumSizeHint().height() < 480


def test_the_words_can_be_copied(problem: ErrorCard) -> None:
    problem.show_error(UserError("A library is missing.", "sudo apt-get install libegl1"))
    hint = problem.findChild(QTextEdit, "problemHint")
    assert hint is not None
    QTest.mouseDClick(hint.viewport(), Qt.MouseButton.LeftButton, pos=hint.cursorRect().center())
    assert hint.textCursor().selectedText() == "sudo"


def test_it_follows_the_theme(problem: ErrorCard) -> None:
    problem.show_error(LONG)
    before = problem.grab().toImage()
    set_current_theme(DARK)
    assert problem.grab().toImage() != before
