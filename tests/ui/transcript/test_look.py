import pytest
from PySide6.QtGui import QAccessible, QColor, QImage
from pytestqt.qtbot import QtBot
from ui.transcript.conftest import Open
from ui.transcript.seen import answer, blocks, formats, mine, row, streaming, write

from specchat.domain.conversations import Attachment, Mark, MessageState
from specchat.domain.types import Role
from specchat.ui.transcript import ColouringLegend, Entry, EntryDetails, preload
from specchat.ui.transcript.row_painter import TranscriptLabels
from specchat.ui.widgets.theme import DARK, GRID, LIGHT, Theme
from specchat.ui.widgets.theme_service import set_current_theme

LONG_NAME = Attachment("a very long name of a file that has to be cut.md", "")
CODE = "Some `code` and [a link](http://x.y).\n\n```python\ndef f(): pass\n```\n\n| a |\n|---|\n| b |"


def colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}


def test_the_theme_can_change(show: Open) -> None:
    view = show(mine(1), answer(2, CODE))
    heights = [shown.height for shown, _ in view.visible_rows()]
    set_current_theme(DARK)
    image = view.viewport().grab().toImage()
    assert image.pixelColor(2, 2) == DARK.window
    assert LIGHT.window.name() not in colours(image)
    assert [shown.height for shown, _ in view.visible_rows()] == heights
    looks = [look for block in blocks(view, 2) if block.document for look in formats(block.document)]
    assert any(DARK.accent.name() in look for look in looks)
    assert not any(LIGHT.accent.name() in look for look in looks)


def test_colouring_moves_nothing(show: Open) -> None:
    marks = tuple(Mark(end, ("draft", "target", "ngram")[end % 3]) for end in range(1, len(CODE)))
    view = show(answer(1, CODE), details=lambda _: EntryDetails(marks))
    plain = view.grab().toImage()
    before = [formats(block.document) for block in blocks(view, 1) if block.document]
    view.set_colouring(True)
    coloured = view.grab().toImage()
    assert coloured != plain
    assert [formats(block.document) for block in blocks(view, 1) if block.document] == before
    view.set_colouring(False)
    assert view.grab().toImage() == plain


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_owners_of_tokens_are_told_apart_by_their_lines(show: Open, theme: Theme) -> None:
    """A whole line for the draft, dots for other drafters, none for the target."""
    covered = {}
    for origin, hue in (("draft", theme.accepted), ("ngram", theme.ngram), ("target", theme.accepted)):
        view = show(answer(1, "m" * 40), details=lambda _, origin=origin: EntryDetails((Mark(40, origin),)))
        set_current_theme(theme)
        view.set_colouring(True)
        covered[origin] = max(line_share(view.viewport().grab().toImage(), hue))
    assert covered["draft"] > 0.9
    assert 0.2 < covered["ngram"] < 0.7
    assert covered["target"] == 0


def line_share(image: QImage, hue: QColor) -> list[float]:
    """Of each row of pixels, how much of the column has about this colour."""
    shares = []
    for y in range(image.height()):
        row = [image.pixelColor(x, y) for x in range(120, 450, 1)]
        alike = [abs(c.red() - hue.red()) + abs(c.green() - hue.green()) + abs(c.blue() - hue.blue()) < 40 for c in row]
        shares.append(sum(alike) / len(alike))
    return shares


@pytest.mark.parametrize(
    ("seconds", "going_on", "words"),
    [
        (None, True, "Thinking…"),
        (None, False, "Reasoning"),
        (0.2, False, "Thought for 1 s"),
        (4.4, False, "Thought for 4 s"),
        (75.0, False, "Thought for 1 min 15 s"),
    ],
)
def test_reasoning_says_how_long_it_took(seconds: float | None, going_on: bool, words: str) -> None:
    known = TranscriptLabels("Thinking…", "Reasoning", "Thought for {s} s", "Thought for {m} min {s} s", "…", "")
    assert known.reasoning_label(seconds, going_on=going_on) == words


def test_all_parts_are_painted(show: Open) -> None:
    """Attachments, versions, footer, waiting, reasoning, ring."""
    view = show(
        Entry(1, Role.USER, "Look", attachments=(Attachment("a.txt", ""), LONG_NAME) * 4),
        Entry(2, Role.ASSISTANT, "<think>\nhm\n\nhm\n</think>\n\nYes.", MessageState.STOPPED, 2, 3),
        streaming(3),
        details=lambda _: EntryDetails(footer="42 tokens " * 20, thought_s=3),
    )
    view.toggle_fold(row(view, 2), 0)
    view.focus_entry(2, ring=True)
    assert len(colours(view.grab().toImage())) > 5


def test_an_empty_answer_does_not_look_as_if_it_were_being_written(show: Open) -> None:
    """Until the model begins, it does."""
    view = show(streaming(1))
    waiting = view.viewport().grab().toImage()
    view.finish(answer(1, ""))
    assert view.viewport().grab().toImage() != waiting
    view.focus_entry(1)
    assert view.accessibleDescription() == "Answer: The answer is empty."


def test_the_legend_explains_the_lines(qtbot: QtBot) -> None:
    legend = ColouringLegend()
    qtbot.addWidget(legend)
    legend.resize(legend.sizeHint())
    light = legend.grab().toImage()
    set_current_theme(DARK)
    assert legend.grab().toImage() != light
    assert "dotted" in legend.accessibleDescription().lower()
    assert legend.accessibleDescription().endswith("Gray: written by you.")


def test_the_legend_shows_the_gray_of_the_user(qtbot: QtBot) -> None:
    legend = ColouringLegend()
    qtbot.addWidget(legend)
    legend.resize(legend.sizeHint())
    image = legend.grab().toImage()
    *_, target, yours = legend._areas()
    background, unmarked, gray = (
        image.pixelColor(x, yours.center().y()) for x in (yours.left() - 2, target.left() + 2, yours.left() + 2)
    )
    assert background == unmarked != gray


def test_the_legend_names_who_else_guesses(qtbot: QtBot) -> None:
    legend = ColouringLegend()
    qtbot.addWidget(legend)
    usual = legend.sizeHint()
    assert "guessed from earlier text" in legend.accessibleDescription()
    legend.set_other_drafter("a-drafter-with-a-long-name <b>")
    assert "guessed from a-drafter-with-a-long-name <b>." in legend.accessibleDescription()
    assert legend.sizeHint().width() > usual.width()
    legend.set_other_drafter("")
    assert legend.sizeHint() == usual


def test_with_less_room_the_legend_has_two_lines(qtbot: QtBot) -> None:
    legend = ColouringLegend()
    qtbot.addWidget(legend)
    for width, below in ((legend.sizeHint().width(), False), (legend.minimumSizeHint().width(), True)):
        legend.resize(width, 4 * GRID)
        image = legend.grab().toImage()
        lowest = image.copy(0, image.height() * 3 // 4, image.width(), image.height() // 4)
        assert (len(colours(lowest)) > 1) is below
    assert legend.minimumSizeHint().width() < legend.sizeHint().width()


def test_screen_readers_hear_of_a_finished_answer(show: Open) -> None:
    view = show(streaming(1))
    QAccessible.setActive(True)
    write(view, 1, "Done")
    view.finish(answer(1, "Done"))
    view.focus_entry(1)
    QAccessible.setActive(False)
    assert view.accessibleDescription() == "Answer: Done"


def test_what_takes_long_can_be_loaded_before() -> None:
    preload()
