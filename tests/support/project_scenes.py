"""The states of projects and of the prompt library of which pictures are taken."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListView, QPlainTextEdit, QWidget
from support import sample_chats
from support.stage import ONE, Scene, Stage, settle

from specchat.domain.conversations import Attachment
from specchat.domain.projects import ProjectPair, ProjectSettings
from specchat.ui.projects.delete_question import DeleteProjectQuestion

_PROMPTS = {
    "Explain": "Explain {{topic}} to someone who has never heard of it.",
    "Review code": "Review this code. Name the three worst problems first.\n\n{{code}}",
    "Summarize": "Summarize in at most {{n}} sentences:\n\n{{text}}",
    "Translate": "Translate into {{language}}:\n\n{{text}}",
}


def projects(stage: Stage) -> None:
    """One is open, one is folded and has the chat that is shown."""
    services = stage.controller.services
    book, thesis = (services.projects.create(name) for name in ("Cookbook", "Thesis on tides and the moon"))
    services.projects.change_settings(
        book.id,
        ProjectSettings(
            "You help to write a cookbook. Use metric units.",
            ProjectPair(f"/models/{sample_chats.TARGET}", f"/models/{sample_chats.DRAFT}"),
        ),
    )
    services.projects.save_files(
        book.id, [sample_chats.MINUTES, Attachment("style guide.md", "Short sentences. " * 40)]
    )
    services.conversations.move(stage.chats[1:3], book.id)
    services.conversations.move(stage.chats[3:4], thesis.id)
    services.projects.fold(thesis.id)
    stage.controller.projects.refresh()
    stage.open(1)


def folded(stage: Stage) -> None:
    projects(stage)
    stage.open(3)


def selected(stage: Stage) -> None:
    projects(stage)
    rows = stage.find(QListView, "conversationList")
    for row in (3, 8):
        place = rows.visualRect(rows.model().index(row, 0)).center()
        QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, place)


def settings(stage: Stage) -> None:
    projects(stage)
    stage.controller.project_settings.open(stage.controller.services.projects.list_all()[0].id)
    settle()


def delete(stage: Stage) -> None:
    projects(stage)
    stage.controller.projects.delete(stage.controller.services.projects.list_all()[0].id)
    settle()


def question(stage: Stage) -> QWidget:
    found = stage.controller.window.findChild(DeleteProjectQuestion)
    assert found is not None
    return found


def hits(stage: Stage) -> None:
    projects(stage)
    stage.controller.window.sidebar.focus_search()
    stage.controller.window.sidebar.search_changed.emit("")
    search = stage.find(QWidget, "searchBox")
    QTest.keyClicks(search, "the")
    settle()


def _type(stage: Stage, text: str) -> None:
    """A window of which pictures are taken need not be the active one."""
    editor = stage.find(QPlainTextEdit, "composer")
    stage.controller.window.activateWindow()
    editor.setFocus()
    for letter in text:
        event = QKeyEvent(QEvent.Type.KeyPress, 0, Qt.KeyboardModifier.NoModifier, letter)
        editor.keyPressEvent(event)


def library(stage: Stage) -> None:
    for name, text in _PROMPTS.items():
        stage.controller.services.prompts.save(name, text)
    stage.open(0)


def popup(stage: Stage) -> None:
    library(stage)
    _type(stage, "/")


def empty_popup(stage: Stage) -> None:
    stage.open(0)
    _type(stage, "/")


def filled(stage: Stage) -> None:
    library(stage)
    _type(stage, "/tr")
    stage.find(QPlainTextEdit, "composer")
    QTest.keyClick(stage.find(QPlainTextEdit, "composer"), Qt.Key.Key_Return)


def dialog(stage: Stage) -> None:
    library(stage)
    stage.controller.prompt_library.open()


def empty_dialog(stage: Stage) -> None:
    stage.controller.prompt_library.open()


SCENES: Mapping[str, Scene] = {
    "projects": Scene(projects, twice=True),
    "project-folded": Scene(folded, sizes=ONE),
    "chats-selected": Scene(selected, sizes=ONE),
    "project-settings": Scene(settings, Stage.dialog, ONE, twice=True),
    "project-delete": Scene(delete, question, ONE),
    "project-hits": Scene(hits, sizes=ONE),
    "prompts": Scene(popup, sizes=ONE, twice=True),
    "prompts-none": Scene(empty_popup, sizes=ONE),
    "prompt-filled": Scene(filled, sizes=ONE, modes=("light",)),
    "prompt-library": Scene(dialog, Stage.dialog, ONE, twice=True),
    "prompt-library-empty": Scene(empty_dialog, Stage.dialog, ONE, modes=("light",)),
}
