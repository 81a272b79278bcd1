"""A long document is searched by meaning in the window, with a real embedding model in its child process."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from support.desks import Person
from support.embedders import make_bert
from support.paced_engine import PacedEngine, pieces_of
from support.windows import empty_pair, window_with

from specchat.domain.conversations import Attachment
from specchat.domain.documents import mark
from specchat.store.paths import Paths
from specchat.ui.start.application import ThemeManager

PAGES = [
    f"{mark(f'p. {n}')}Page {n} has rain on the quiet town. {'Nothing else happens. ' * 60}\n" for n in range(1, 81)
]


def test_vectors_are_computed_once(qtbot: QtBot, qapp: QApplication, places: Paths, tmp_path: Path) -> None:
    engine = PacedEngine(lambda _: pieces_of("On page 7."))
    with window_with(places, empty_pair(places), ThemeManager(qapp), lambda: engine) as controller:
        person = Person(qtbot, controller)
        qtbot.waitUntil(lambda: controller.session.conversation is not None)
        settings, vectors = controller.settings_model, places.cache / "vectors.db"
        shares = list[float]()
        controller.answers.prompt_read.connect(lambda _, share: shares.append(share))
        controller.window.composer.set_attachments((Attachment("book.pdf", "".join(PAGES)),))
        person.ask("Where is it dry?")
        assert not vectors.exists()
        settings.change(replace(settings.value, embedding_model=str(make_bert(tmp_path / "bert.gguf"))))
        person.ask("And where is it dry now?")
        assert vectors.exists()
        assert shares[-6:-1] == [0.2, 0.4, 0.6, 0.8, 1.0]
        assert "[book.pdf, p. " in engine.asked[-1].messages[-1].content
        settings.change(replace(settings.value, embedding_model=str(tmp_path / "gone.gguf")))
        person.ask("And now?")
        assert "[book.pdf, p. " in engine.asked[-1].messages[-1].content
        assert controller.window.notice.text.startswith("Documents were searched by words only: gone.gguf is not")


def test_side_by_side_they_are_searched_as_in_chats(
    qtbot: QtBot, qapp: QApplication, places: Paths, tmp_path: Path
) -> None:
    engine = PacedEngine(lambda _: pieces_of("On page 7."))
    with window_with(places, empty_pair(places), ThemeManager(qapp), lambda: engine) as controller:
        settings = controller.settings_model
        settings.change(replace(settings.value, embedding_model=str(make_bert(tmp_path / "bert.gguf"))))
        controller.comparison.open()
        comparison = controller.comparison.controller()
        qtbot.waitUntil(lambda: len(comparison.page.sides) == 2)
        composer = comparison.page.composer
        with qtbot.waitSignal(comparison.finished):
            composer.set_text("Where is it dry?")
            composer.set_attachments((Attachment("book.pdf", "".join(PAGES)),))
            composer.send()
        assert (places.cache / "vectors.db").exists()
        left, right = (task.messages[-1].content for task in engine.asked[-2:])
        assert left == right
        assert "[book.pdf, p. " in left
        for column in comparison.page.columns:
            assert "of book.pdf, p" in column._details.footer
