"""A card for a saved machine."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from specchat.domain.rpc import RpcServer, rpc_warning
from specchat.ui.machines.machine_list import MachineEntry
from specchat.ui.models.cards import Badge
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.models.wide_card import CardNote, WideCard
from specchat.ui.widgets.controls import IconButton, TextButton
from specchat.ui.widgets.form_fields import muted_label
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number, format_size

translate = QCoreApplication.translate


class MachineCard(WideCard):
    def __init__(self, entry: MachineEntry, requests: ManagerRequests, parent: QWidget) -> None:
        super().__init__(entry.address, entry.address, "", _details(entry), parent)
        self._address, self._requests = entry.address, requests
        self.setObjectName("machineCard")
        if entry.is_asked:
            self.show_note(CardNote(self.tr("Connecting…")))
        elif entry.server is not None:
            self.add_badge(Badge(self.tr("Connected"), "good", self))
            self._add_sentence(server_text(entry.server))
        elif entry.error is not None:
            self.add_badge(Badge(self.tr("Not responding"), "danger", self))
            self._add_sentence(f"{translate_text(entry.error.message)} {translate_text(entry.error.hint)}")
        self._add_buttons(can_test=not entry.is_asked)

    def _add_sentence(self, words: str) -> None:
        label = muted_label(words, self)
        label.setObjectName("machineReport")
        label.setWordWrap(True)
        self.setAccessibleDescription(words)
        self.facts.addWidget(label)

    def _add_buttons(self, *, can_test: bool) -> None:
        address, requests = self._address, self._requests
        test = TextButton(self.tr("Test"), self)
        test.setObjectName("testMachineButton")
        test.setAccessibleName(self.tr("Test {name}").format(name=address))
        test.setEnabled(can_test)
        test.clicked.connect(lambda: requests.machine_test_requested.emit(address))
        self.add_button(test)
        remove = IconButton("trash", self.tr("Remove machine from list"), self)
        remove.setObjectName("removeMachineButton")
        remove.clicked.connect(lambda: requests.machine_removal_requested.emit(address))
        self.add_button(remove)


def server_text(server: RpcServer) -> str:
    free, total = (sum(getattr(device, name) for device in server.devices) for name in ("free", "total"))
    one, several = translate("Machines", "1 device"), translate("Machines", "{n} devices")
    devices = one if len(server.devices) == 1 else several.format(n=format_number(len(server.devices)))
    memory = translate("Machines", "{free} of {total} free").format(free=format_size(free), total=format_size(total))
    return f"{devices} · {memory}"


def _details(entry: MachineEntry) -> str:
    warning = rpc_warning([entry.address])
    return translate_text(warning) if warning is not None else ""
