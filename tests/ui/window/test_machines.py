"""A window whose model lies on two machines, of which one goes away."""

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QAbstractButton, QTextEdit
from support.desks import Person, wait_for_pair
from support.processes import engines_below
from support.rpc_servers import RpcServerProcess, rpc_module, rpc_servers

from specchat.domain.conversations import MessageState

pytestmark = pytest.mark.rpc


@pytest.fixture
def n_ctx() -> int:
    """Room for an answer that takes its time."""
    return 4096


@pytest.fixture
def servers() -> Iterator[list[RpcServerProcess]]:
    with rpc_servers(2) as running:
        yield running


def problem(person: Person) -> str:
    return person.find(QTextEdit, "problemMessage").toPlainText()


def spread(person: Person, servers: list[RpcServerProcess]) -> None:
    choice = person.controller.pair.choice
    assert choice is not None
    rpc = tuple(server.address for server in servers)
    person.controller.pair.load(replace(choice, target_settings=replace(choice.target_settings, rpc=rpc)))
    wait_for_pair(person)


def test_lost_amid_an_answer_it_goes_on_without(
    person: Person, servers: list[RpcServerProcess], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GGML_BACKEND_PATH", rpc_module())
    spread(person, servers)
    loaded = person.controller.pair.choice
    assert loaded is not None
    assert len(loaded.target_settings.rpc) == 2

    person.keep_short(3000)
    person.write("Tell me more")
    person.click("sendButton")
    person.wait_for_first_words()
    servers[1].kill()
    person.qtbot.waitUntil(lambda: person.controller.answers.current() is None, timeout=30_000)
    kept = person.path[-1].text
    assert kept
    assert person.path[-1].state is MessageState.STOPPED

    action = person.find(QAbstractButton, "problemAction")
    person.qtbot.waitUntil(lambda: action.text() == "Load without other machines", timeout=30_000)
    assert f"Can't reach the RPC server at {servers[1].address}" in problem(person)
    person.click("problemAction")
    wait_for_pair(person)
    here = person.controller.pair.choice
    assert here is not None
    assert here.target_settings.rpc == ()
    person.keep_short()
    assert person.ask("And now?").text
    assert len(engines_below(os.getpid())) == 1
