"""Pictures of what the transcript can show: Markdown, code, formulas, colors."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from support import sample_chats
from support.formula_sheet import formula_sheet
from support.stage import ONE, Scene, Stage, settle

from specchat.domain.conversations import Mark, MessageState
from specchat.domain.types import USER, Role
from specchat.ui.transcript import Entry, EntryDetails
from specchat.ui.transcript.selection import Selection


def top(stage: Stage) -> None:
    stage.open(0)
    stage.controller.window.transcript.verticalScrollBar().setValue(0)


def right_to_left(stage: Stage) -> None:
    stage.open(0)
    question = Entry(1, Role.USER, sample_chats.RIGHT_TO_LEFT_QUESTION)
    answer = Entry(2, Role.ASSISTANT, sample_chats.RIGHT_TO_LEFT)
    stage.controller.window.transcript.show_entries([question, answer])
    stage.controller.window.composer.set_text(sample_chats.RIGHT_TO_LEFT_QUESTION)
    settle()
    stage.controller.window.transcript.verticalScrollBar().setValue(0)


def markdown(stage: Stage) -> None:
    """Scripts, tasks, footnotes, and code that is wider than its card."""
    transcript = stage.controller.window.transcript
    stage.open(0)
    text = sample_chats.MARKDOWN
    marks = tuple(
        Mark(end, ("target", "draft", "draft", "ngram")[n % 4]) for n, end in enumerate(range(4, len(text) + 4, 4))
    )
    transcript.show_entries([Entry(1, Role.USER, "What can you show?"), Entry(2, Role.ASSISTANT, text)])
    row = transcript.row_of(2)
    assert row is not None
    row.set_details(EntryDetails(marks=marks))
    transcript.focus_entry(2, ring=True)
    transcript.setFocus(Qt.FocusReason.TabFocusReason)
    settle()
    transcript.verticalScrollBar().setValue(transcript.verticalScrollBar().maximum())


def coloured_markdown(stage: Stage) -> None:
    stage.controller.window.header.colours.click()
    markdown(stage)


def show_formulas(stage: Stage) -> None:
    formula_sheet(stage.controller.window)


def selected(stage: Stage) -> None:
    """From the question into the answer."""
    markdown(stage)
    transcript = stage.controller.window.transcript
    transcript.set_selection(Selection(((0, 0, 0, 5),) * 2, ((1, 6, 0, 4),) * 2))
    transcript.verticalScrollBar().setValue(0)


def colouring(stage: Stage) -> None:
    stage.controller.window.header.colours.click()
    top(stage)


def code(stage: Stage) -> None:
    stage.open(1)


def coloured_code(stage: Stage) -> None:
    stage.controller.window.header.colours.click()
    code(stage)


def formulas(stage: Stage) -> None:
    stage.open(4)
    stage.controller.window.transcript.verticalScrollBar().setValue(0)


def coloured_formulas(stage: Stage) -> None:
    stage.controller.window.header.colours.click()
    formulas(stage)


def long(stage: Stage) -> None:
    stage.open(2)
    bar = stage.controller.window.transcript.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)


def search(stage: Stage) -> None:
    long(stage)
    stage.find(QLineEdit, "searchBox").setText("water")


def find(stage: Stage) -> None:
    long(stage)
    stage.controller.window.find_bar.open_bar()
    stage.find(QLineEdit, "findField").setText("tide")


def cut_off(stage: Stage) -> None:
    """With the mouse over it, and partly in the user's words."""
    stage.open(0)
    window = stage.controller.window
    window.header.colours.click()
    text = "A small model guesses ahead, and the large one keeps what"
    marks = (Mark(20, USER), Mark(28, "draft"), Mark(40, "target"), Mark(len(text), "draft"))
    footer = "47 % of guesses accepted · 0.6 s saved · length limit reached · 31.4 tokens/s · 46 tokens"
    question = Entry(1, Role.USER, "And in one sentence?")
    window.transcript.show_entries([question, Entry(2, Role.ASSISTANT, text, MessageState.STOPPED)])
    row = window.transcript.row_of(2)
    assert row is not None
    row.set_details(EntryDetails(marks=marks, footer=footer))
    window.transcript.focus_entry(2)
    window.transcript.setFocus()


SCENES = {
    "right-to-left": Scene(right_to_left, sizes=ONE, twice=True),
    "colouring": Scene(colouring, twice=True),
    "markdown": Scene(markdown, twice=True),
    "coloured-markdown": Scene(coloured_markdown, sizes=ONE),
    "selected": Scene(selected, sizes=ONE),
    "code": Scene(code, twice=True),
    "coloured-code": Scene(coloured_code, sizes=ONE),
    "formulas": Scene(formulas, twice=True),
    "formula-sheet": Scene(show_formulas, Stage.dialog, ONE, twice=True),
    "coloured-formulas": Scene(coloured_formulas, sizes=ONE),
    "long": Scene(long),
    "search": Scene(search),
    "find": Scene(find, sizes=ONE),
    "cut-off": Scene(cut_off, sizes=((900, 600), (640, 480)), twice=True),
}
