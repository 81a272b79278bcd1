"""The dialog for adding another machine by its address."""

from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from specchat.domain.errors import SettingError
from specchat.domain.rpc import parse_rpc_address, rpc_warning
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_dialog import arrange_form, message_label
from specchat.ui.widgets.form_fields import FIELD_HEIGHT, describe_field, labelled_field, muted_label
from specchat.ui.words.message_translation import translate_text

_LINES = 3
"""The warning takes, or what is wrong: the dialog stays as it is meanwhile."""
_EXAMPLE = "192.168.1.20:50052"


class AddMachineDialog(QDialog):
    def __init__(self, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._address = QLineEdit(self)
        self._problem = message_label("danger", "machineDialogProblem", self, lines=_LINES)
        self._warning = message_label("warning", "machineDialogWarning", self, lines=_LINES)
        self._add = TextButton(self.tr("Add machine"), self, primary=True)
        self._cancel = TextButton(self.tr("Cancel"), self)
        self._name_parts()
        self._arrange()
        self._address.textChanged.connect(self._update)
        self._add.clicked.connect(self._enter)
        self._cancel.clicked.connect(self.reject)
        self._update()

    def _enter(self) -> None:
        self._requests.machine_entered.emit(self._address.text())
        self.accept()

    def _update(self) -> None:
        address, mistake = "", ""
        try:
            address = parse_rpc_address(self._address.text()) if self._address.text().strip() else ""
        except SettingError as error:
            mistake = f"{translate_text(error.message)} {translate_text(error.hint)}"
        warning = rpc_warning([address]) if address else None
        self._add.setEnabled(bool(address))
        self._warning.setText(translate_text(warning) if warning is not None else "")
        self._warning.setVisible(not mistake)
        self._problem.setText(mistake)
        self._problem.setVisible(bool(mistake))
        self._add.setAccessibleDescription(mistake)

    def _name_parts(self) -> None:
        self.setObjectName("machineDialog")
        self.setWindowTitle(self.tr("Add a machine"))
        describe_field(self._address, "machineAddressField", self.tr("Address"))
        self._address.setPlaceholderText(_EXAMPLE)
        self._add.setObjectName("addTheMachineButton")

    def _arrange(self) -> None:
        self._address.setFixedHeight(FIELD_HEIGHT)
        first = muted_label(self.tr("Start ggml-rpc-server there first (see Help > Other machines)."), self)
        field = labelled_field(self._address.accessibleName(), self._address, self)
        arrange_form(self, 60, (first, field, self._warning, self._problem), (self._cancel, self._add))
