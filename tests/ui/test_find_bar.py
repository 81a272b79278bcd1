import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton
from pytestqt.qtbot import QtBot
from ui.transcript.conftest import no_details
from ui.transcript.seen import answer, mine, streaming, thread

from specchat.domain.conversations import Attachment
from specchat.ui.settings.settings_model import SettingsModel
from specchat.ui.transcript import MatchCount
from specchat.ui.window.main_window import MainWindow
from specchat.ui.words.number_format import format_number


class Finding:
    """Someone at the find bar of a window."""

    def __init__(self, window: MainWindow) -> None:
        self.window, self.bar, self.transcript = window, window.find_bar, window.transcript
        (self.field,) = self.bar.findChildren(QLineEdit)
        (self._position,) = self.bar.findChildren(QLabel)

    @property
    def words(self) -> str:
        return self._position.text()

    @property
    def heard(self) -> str:
        return self.field.accessibleDescription()

    @property
    def places(self) -> list[QRect]:
        return [widget.geometry() for widget in (self.field, self._position, *self.bar.findChildren(QToolButton))]

    def settle(self) -> None:
        layout = self.bar.layout()
        assert layout
        layout.activate()

    def press(self, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.field, Qt.Key.Key_Return, modifier)


@pytest.fixture
def finding(qtbot: QtBot, settings_model: SettingsModel) -> Finding:
    window = MainWindow(settings_model, no_details)
    qtbot.addWidget(window)
    window.show_welcome(False)
    with qtbot.waitExposed(window):
        window.show()
    window.transcript.show_entries([mine(1, "needle"), answer(2, "A **needle**, a needle.")])
    window.find_bar.open_bar()
    return Finding(window)


def test_the_position_is_seen_and_heard(finding: Finding) -> None:
    assert (finding.words, finding.heard) == ("", "")
    QTest.keyClicks(finding.field, "needle")
    assert (finding.words, finding.heard) == ("1 of 3", "1 of 3")
    finding.press()
    assert (finding.words, finding.heard) == ("2 of 3", "2 of 3")
    finding.press(Qt.KeyboardModifier.ShiftModifier)
    finding.press(Qt.KeyboardModifier.ShiftModifier)
    assert finding.words == "3 of 3"
    QTest.keyClicks(finding.field, "x")
    assert (finding.words, finding.heard) == ("No matches", "No matches")
    finding.field.setText(" ")
    assert (finding.words, finding.heard) == ("", "")


def test_that_a_match_is_in_a_file_is_heard(finding: Finding) -> None:
    finding.transcript.show_entries([mine(1, "A question.", Attachment("hay.txt", "needle")), answer(2, "needle")])
    finding.field.setText("needle")
    assert (finding.words, finding.heard) == ("1 of 2", "1 of 2, in an attached file")
    finding.press()
    assert (finding.words, finding.heard) == ("2 of 2", "2 of 2")


def test_the_buttons_lead_to_matches(finding: Finding) -> None:
    finding.field.setText("needle")
    previous, following, _ = finding.bar.findChildren(QToolButton)
    following.click()
    assert finding.words == "2 of 3"
    previous.click()
    previous.click()
    assert finding.words == "3 of 3"


def test_the_total_grows_with_the_answer(finding: Finding, qtbot: QtBot) -> None:
    finding.field.setText("needle")
    finding.press()
    finding.transcript.append(streaming(3))
    finding.transcript.update_text(3, "One more needle")
    qtbot.waitUntil(lambda: finding.words == "2 of 4")
    assert finding.heard == "2 of 4"


def test_nothing_moves_when_numbers_change(finding: Finding) -> None:
    places = finding.places
    finding.field.setText("needle")
    for tally in (
        MatchCount(),
        MatchCount(1, 3),
        MatchCount(8, 88),
        MatchCount(11_111, 22_222),
        MatchCount(1, 2, complete=False),
    ):
        finding.bar.show_match_count(tally)
        finding.settle()
        assert finding.places == places
    finding.bar.show_match_count(MatchCount(1_111, 8_888))
    assert finding.words == f"{format_number(1_111)} of {format_number(8_888)}"


def test_a_long_search_says_that_it_goes_on(finding: Finding, qtbot: QtBot) -> None:
    finding.transcript.show_entries(thread(10_000))
    finding.field.setText("Question")
    assert finding.words == "Searching…"
    qtbot.waitUntil(lambda: finding.words.endswith(f" of {format_number(5_000)}"))


def test_closing_the_bar_ends_the_search(finding: Finding) -> None:
    finding.field.setText("needle")
    finding.bar.close_bar()
    assert finding.transcript.finder.match_count == MatchCount()
    finding.bar.open_bar()
    assert finding.words == "1 of 3"
