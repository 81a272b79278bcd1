"""In an open window whose database is damaged, the chats that can be read are exported, searched and shown."""

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMessageBox
from pytestqt.qtbot import QtBot
from support.damage import N_CHATS, PAGE, chats_with_pages, make_chats, pages_of
from support.known_loads import known_loads
from support.windows import opened

from specchat.domain.conversations import SearchHit
from specchat.services.chat.chat_salvage import ChatSalvage
from specchat.store.paths import Paths
from specchat.ui.app_controller import AppController
from specchat.ui.start.application import ThemeManager
from specchat.ui.start.damaged_chats_controller import DamagedChatsController
from specchat.window_bootstrap import build_services

SALVAGE = "Recover chats…"


@pytest.fixture
def places(tmp_path: Path) -> Iterator[Paths]:
    found = Paths(*(tmp_path / "home" / name for name in ("data", "config", "cache", "logs")))
    make_chats(found.chats)
    with known_loads(found.cache):
        yield found


def damage_table(places: Paths, table: str) -> set[int]:
    """One page, and whose rows are in it."""
    chats = chats_with_pages(places.chats)
    own = set(pages_of(places.chats, table))
    hit = next(chat for chat in chats if chat.pages & own)
    page = max(hit.pages & own)
    overwrite(places.chats, [page])
    return {chat.id for chat in chats if page in chat.pages}


def overwrite(path: Path, pages: list[int]) -> None:
    content = bytearray(path.read_bytes())
    for page in pages:
        content[(page - 1) * PAGE : page * PAGE] = random.Random(page).randbytes(PAGE)
    path.write_bytes(content)


@contextmanager
def window(places: Paths, qtbot: QtBot, qapp: QApplication) -> Iterator[AppController]:
    """That offers to salvage, as at a start, but has not looked for damage yet."""
    with opened(build_services(places), ThemeManager(qapp)) as controller:
        damage = DamagedChatsController(controller, ChatSalvage(places.chats))
        qtbot.waitUntil(lambda: controller.session.conversation is not None)
        yield controller
        damage.close()


def offers_salvage(controller: AppController) -> bool:
    shown = [button for button in controller.window.problem.findChildren(QAbstractButton) if button.isVisible()]
    return SALVAGE in [button.text() for button in shown]


def test_export_has_the_readable_chats_and_names_the_others(
    qtbot: QtBot, qapp: QApplication, places: Paths, tmp_path: Path
) -> None:
    hit = damage_table(places, "message")
    out = tmp_path / "chats.json"
    with window(places, qtbot, qapp) as controller:
        controller.chat_files.export_to(out, None)
        qtbot.waitUntil(controller.window.problem.isVisible)
        problem = controller.window.problem.accessibleName()
        assert "Exported to chats.json, but parts" in problem
        assert f"“Tides {min(hit)}”" in problem
        assert offers_salvage(controller)
    exported = json.loads(out.read_text(encoding="utf-8"))["conversations"]
    assert len(exported) == N_CHATS
    titles = {chat["title"] for chat in exported}
    assert titles == {f"Tides {number}" for number in range(1, N_CHATS + 1)}


def test_a_whole_chat_of_a_damaged_file_is_exported_without_a_word(
    qtbot: QtBot, qapp: QApplication, places: Paths, tmp_path: Path
) -> None:
    whole = max(set(range(1, N_CHATS + 1)) - damage_table(places, "message"))
    out = tmp_path / "chat.md"
    with window(places, qtbot, qapp) as controller:
        controller.chat_files.export_to(out, [whole])
        qtbot.waitUntil(lambda: controller.window.notice.text.startswith("Saved"))
        assert not controller.window.problem.isVisible()
    assert f"word{whole} " in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("pages", ["message", "%_index%"])
def test_search_finds_what_is_in_readable_chats(qtbot: QtBot, qapp: QApplication, places: Paths, pages: str) -> None:
    if pages == "message":
        hit = damage_table(places, "message")
    else:
        hit = set()
        overwrite(places.chats, [max(pages_of(places.chats, "message_index_data"))])
    with window(places, qtbot, qapp) as controller:
        for chat in sorted(set(range(1, N_CHATS + 1)) - hit)[::4]:
            controller.window.sidebar._hits = None
            words = f"word{chat} t"
            controller.window.sidebar._search.setText(words)
            controller.chat_list._search_for(words)
            qtbot.waitUntil(lambda: controller.window.sidebar._hits is not None)
            assert {row.conversation for row in rows(controller)} == {chat}
        assert not controller.window.problem.isVisible()


def rows(controller: AppController) -> list[SearchHit]:
    return [row for row in controller.window.sidebar.list._model.rows if isinstance(row, SearchHit)]


def test_search_reads_what_is_left_once_the_damage_is_known(qtbot: QtBot, qapp: QApplication, places: Paths) -> None:
    damage_table(places, "message")
    with opened(build_services(places), ThemeManager(qapp)) as controller:
        damage = DamagedChatsController(controller, ChatSalvage(places.chats))
        damage.start()
        qtbot.waitUntil(controller.window.problem.isVisible)
        assert controller.search.is_damaged
        with qtbot.waitSignal(controller.search.found) as found:
            controller.search.search("tide")
        assert found.args is not None
        assert found.args[0]
        damage.close()


@pytest.mark.parametrize("table", ["message", "answer", "attachment"])
def test_a_damaged_chat_is_told_of_and_others_open(qtbot: QtBot, qapp: QApplication, places: Paths, table: str) -> None:
    hit = damage_table(places, table)
    with window(places, qtbot, qapp) as controller:
        for chat in range(1, N_CHATS + 1):
            controller.chat_list._open_hit(chat, -1)
            qapp.processEvents()
            if controller.session.is_open(chat):
                assert f"word{chat} " in controller.session.path[0].text
                assert not controller.window.problem.isVisible()
            else:
                problem = controller.window.problem
                assert chat in hit, problem.accessibleName()
                assert f"Can't show “Tides {chat}”" in problem.accessibleName()
                assert "specchat chats salvage" not in problem.accessibleName()
                assert offers_salvage(controller)
                problem.dismiss()
        assert controller.session.is_open(N_CHATS)


def test_the_button_asks_before_it_salvages(qtbot: QtBot, qapp: QApplication, places: Paths) -> None:
    hit = damage_table(places, "message")
    with window(places, qtbot, qapp) as controller:
        for chat in sorted(hit):
            controller.chat.open(chat)
        button = next(
            each for each in controller.window.problem.findChildren(QAbstractButton) if each.text() == SALVAGE
        )
        button.click()
        box = controller.window.findChild(QMessageBox, "salvageQuestion")
        assert isinstance(box, QMessageBox)
        assert box.isVisible()
        box.reject()
