"""mcp.json is edited by hand while the settings show its servers."""

import pytest
from PySide6.QtWidgets import QLabel
from support.desks import Person
from support.probes import run_event_loop
from support.tool_chats import service, write_servers
from support.windows import wait_until

from specchat.store.paths import Paths
from specchat.ui.tools import tools_controller


def names(person: Person) -> list[str]:
    return [card.name for card in person.controller.settings.page().tools_page.cards]


def test_a_file_that_was_not_there_is_followed(person: Person, places: Paths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools_controller, "open_folder", lambda path: True)
    (places.config / "mcp.json").unlink()
    person.controller.settings.open("tools")
    assert names(person) == []
    person.click("openToolFile")
    write_servers(places, raw="plain")
    wait_until(lambda: names(person) == ["raw"], "the server is not shown")
    (places.config / "mcp.json").unlink()
    wait_until(lambda: names(person) == [], "the server is still shown")
    write_servers(places, other="plain")
    wait_until(lambda: names(person) == ["other"], "the other server is not shown")


def test_a_damaged_file_is_told_until_it_is_mended(person: Person, places: Paths) -> None:
    person.controller.settings.open("tools")
    problem = person.find(QLabel, "toolFileProblem")
    (places.config / "mcp.json").write_text('{"mcpServers": {')
    wait_until(lambda: "mcp.json can't be used: line 1" in problem.text(), "nobody is told")
    write_servers(places, raw="plain")
    wait_until(lambda: names(person) == ["raw"] and not problem.text(), "it is still told")


def test_a_file_that_is_rewritten_all_the_time_is_read_now_and_then(
    person: Person, places: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tools_controller, "_SOON_MS", 500)
    person.controller.settings.open("tools")
    reads, refresh = list[object](), service(person).refresh
    monkeypatch.setattr(service(person), "refresh", lambda: reads.append(refresh()))
    for _ in range(50):
        write_servers(places, raw="plain", other="plain")
        run_event_loop(0.005)
    wait_until(lambda: names(person) == ["raw", "other"], "the last change is not shown")
    assert len(reads) < 25
