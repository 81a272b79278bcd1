"""The dialog for adding another machine by its address."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from specchat.domain.errors import SettingError
from specchat.domain.rpc import parse_rpc_address, rpc_warning
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import FIELD_HEIGHT, describe_field, labelled_field, muted_label
from specchat.ui.widgets.theme import GRID, scaled_px
from specchat.ui.words.message_translation import translate_text

_LINES = 3
"""The warning takes, or what is wrong: the dialog stays as it is meanwhile."""
_EXAMPLE = "192.168.1.20:50052"


class AddMachineDialog(QDialog):
    def __init__(self, requests: ManagerRequests, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._requests = requests
        self._address, self._problem, self._warning = QLineEdit(self), QLabel(self), QLabel(self)
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
        self._problem.setObjectName("machineDialogProblem")
        self._problem.setProperty("danger", True)
        self._warning.setObjectName("machineDialogWarning")
        self._warning.setProperty("warning", True)
        self._add.setObjectName("addTheMachineButton")

    def _arrange(self) -> None:
        self.setMinimumWidth(scaled_px(60 * GRID))
        for label in (self._problem, self._warning):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setAlignment(Qt.AlignmentFlag.AlignTop)
            label.setMinimumHeight(_LINES * label.fontMetrics().lineSpacing())
        buttons = QHBoxLayout()
        buttons.setSpacing(GRID)
        buttons.addStretch(1)
        buttons.addWidget(self._cancel)
        buttons.addWidget(self._add)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        layout.setSpacing(GRID)
        first = self.tr("Start ggml-rpc-server there first: see Help, Other machines.")
        layout.addWidget(muted_label(first, self))
        self._address.setFixedHeight(FIELD_HEIGHT)
        layout.addWidget(labelled_field(self._address.accessibleName(), self._address, self))
        layout.addWidget(self._warning)
        layout.addWidget(self._problem)
        layout.addLayout(buttons)
