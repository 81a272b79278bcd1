"""Machines that the user saved: added, tested, removed, and offered where a pair is spread over others."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from support.desks import Person
from support.rpc_servers import answering_with
from support.settings import make_settings_model
from support.windows import opened

from specchat.backends.rpc_servers import KnownRpcServers
from specchat.backends.rpc_stand_in import RpcStandIn
from specchat.domain.rpc import RpcDevice, RpcServer
from specchat.services.settings.application_settings import ApplicationSettings, ApplicationSettingsFile
from specchat.store.json_file import JsonFile
from specchat.store.paths import Paths
from specchat.ui.machines.machine_card import MachineCard
from specchat.ui.machines.machine_list import MachineEntry, MachineList
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.start.application import ThemeManager
from specchat.window_bootstrap import build_services

GB = 10**9
NOWHERE = "127.0.0.1:1"


@pytest.fixture
def person(qtbot: QtBot, qapp: QApplication, places: Paths) -> Iterator[Person]:
    with opened(build_services(places), ThemeManager(qapp), load_last=False) as controller:
        yield Person(qtbot, controller)


@pytest.fixture(scope="module")
def address() -> str:
    device = RpcDevice(12 * GB, 10 * GB, 32, 1 << 40)
    return RpcStandIn(RpcServer("den", (device, device))).endpoint


def open_pane(person: Person) -> QWidget:
    person.controller.models.manager().open_at(ManagerSection.ENGINES)
    return person.find(QWidget, "enginesPane")


def add(person: Person, text: str) -> None:
    person.click("addMachineButton")
    field = person.find(QLineEdit, "machineAddressField")
    field.setText(text)
    person.find(QPushButton, "addTheMachineButton").click()
    person.qtbot.waitUntil(lambda: not any(entry.is_asked for entry in person.controller.machines.entries))


def told(person: Person) -> str:
    pane = open_pane(person)
    cards = [card for card in pane.findChildren(MachineCard) if card.isVisible()]
    return "\n".join(label.text() for card in cards for label in card.findChildren(QLabel) if label.isVisible())


def wait_for(person: Person, words: str) -> None:
    person.qtbot.waitUntil(lambda: words in told(person).replace("\u00a0", " "), timeout=30_000)


def kept(places: Paths) -> tuple[str, ...]:
    return ApplicationSettingsFile(JsonFile(places.config / "settings.json")).load().machines


def test_machines_are_added_tested_and_removed(person: Person, places: Paths, address: str) -> None:
    pane = open_pane(person)
    add(person, address)
    wait_for(person, "2 devices · 20.0 GB of 24.0 GB free")
    assert "Connected" in told(person)
    add(person, NOWHERE)
    wait_for(person, f"Can't reach the RPC server at {NOWHERE}")
    add(person, address.upper())
    assert kept(places) == (address, NOWHERE)
    person.find(QLineEdit, "engineFilter").setText("nothing like it")
    person.qtbot.waitUntil(lambda: not told(person))
    person.find(QLineEdit, "engineFilter").clear()
    wait_for(person, NOWHERE)

    card = next(card for card in pane.findChildren(MachineCard) if card.key == NOWHERE and card.isVisible())
    remove = card.findChild(QAbstractButton, "removeMachineButton")
    assert remove is not None
    remove.click()
    person.qtbot.waitUntil(lambda: NOWHERE not in told(person))
    assert kept(places) == (address,)


def test_one_that_does_not_answer_is_no_machine(person: Person) -> None:
    open_pane(person)
    with answering_with(lambda connection: connection.close()) as address:
        add(person, address)
    wait_for(person, f"The program at {address} is not an RPC server")


def test_a_wrong_address_in_the_settings_is_named(places: Paths, qtbot: QtBot, qapp: QApplication) -> None:
    file = ApplicationSettingsFile(JsonFile(places.config / "settings.json"))
    file.save(ApplicationSettings(machines=("no address",)))
    with opened(build_services(places), ThemeManager(qapp), load_last=False) as controller:
        person = Person(qtbot, controller)
        assert controller.machines.entries == (MachineEntry("no address"),), "none is asked before the pane is opened"
        open_pane(person)
        wait_for(person, "no address is not the address of an RPC server")


def test_what_is_no_address_cannot_be_added(person: Person) -> None:
    open_pane(person)
    person.click("addMachineButton")
    field, button = person.find(QLineEdit, "machineAddressField"), person.find(QPushButton, "addTheMachineButton")
    assert not button.isEnabled()
    field.setText("a b")
    assert "is not the address of an RPC server" in person.find(QLabel, "machineDialogProblem").text()
    assert not button.isEnabled()
    field.setText("den")
    assert "unencrypted" in person.find(QLabel, "machineDialogWarning").text()
    assert button.isEnabled()


def test_saved_machines_are_offered_where_a_pair_is_spread(person: Person) -> None:
    machines, picker = person.controller.machines, person.controller.picker
    servers, saved = picker.findChild(QLineEdit, "rpcServers"), picker.findChild(QPushButton, "savedMachines")
    use = picker.findChild(QCheckBox, "useMachines")
    assert servers is not None
    assert saved is not None
    assert use is not None
    use.click()
    assert (servers.text(), saved.isHidden()) == ("", True)
    use.click()
    for name in (NOWHERE, "127.0.0.1:2"):
        machines.add(name)
    assert not saved.isHidden()
    use.click()
    assert servers.text() == f"{NOWHERE}, 127.0.0.1:2"
    menu = saved.menu()
    menu.aboutToShow.emit()
    actions: list[QAction] = menu.actions()
    assert [action.isChecked() for action in actions] == [True, True]
    actions[0].trigger()
    assert servers.text() == "127.0.0.1:2"
    actions[0].trigger()
    assert servers.text() == f"127.0.0.1:2, {NOWHERE}"
    person.qtbot.waitUntil(lambda: not any(entry.is_asked for entry in machines.entries))


def test_closing_waits_for_no_machine(qtbot: QtBot, tmp_path: Path) -> None:
    asked, gone, answered = Event(), Event(), list[str]()

    def probe(address: str) -> RpcServer:
        asked.set()
        gone.wait(60)
        answered.append(address)
        return RpcServer(address, ())

    servers = KnownRpcServers(probe)
    machines = MachineList(make_settings_model(tmp_path), lambda: servers, tmp_path)
    machines.add(NOWHERE)
    qtbot.waitUntil(asked.is_set)
    machines.close()
    assert answered == []
    gone.set()
