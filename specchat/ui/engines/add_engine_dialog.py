"""The dialog for adding another engine by its address."""

from collections.abc import Collection

from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from specchat.domain.engine_address import EngineAddress, parse_engine_address
from specchat.domain.errors import UserError
from specchat.services.connections.engine_keys import exposure_warning
from specchat.ui.models.manager_requests import ManagerRequests
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_dialog import arrange_form, message_label
from specchat.ui.widgets.form_fields import FIELD_HEIGHT, describe_field, labelled_field, muted_label
from specchat.ui.words.message_translation import translate_text

_LINES = 3
"""A warning takes, or what is wrong: the dialog stays as it is meanwhile."""
_EXAMPLE = "http://localhost:8080"


class AddEngineDialog(QDialog):
    """The dialog stays open until `accept`, or shows why the engine was not added."""

    def __init__(self, requests: ManagerRequests, taken: Collection[str], parent: QWidget | None = None) -> None:
        """`taken`: names of other engines."""
        super().__init__(parent)
        self._requests = requests
        self._taken = {name.casefold() for name in taken}
        self._address, self._name, self._key = (QLineEdit(self) for _ in range(3))
        self._problem = message_label("danger", "engineDialogProblem", self, lines=_LINES)
        self._warning = message_label("warning", "engineDialogWarning", self, lines=_LINES)
        self._add = TextButton(self.tr("Add engine"), self, primary=True)
        self._cancel = TextButton(self.tr("Cancel"), self)
        self._name_parts()
        self._arrange()
        for field in (self._address, self._name, self._key):
            field.textChanged.connect(self._update)
        self._add.clicked.connect(self._enter)
        self._cancel.clicked.connect(self.reject)
        self._update()

    def show_problem(self, error: UserError) -> None:
        self._add.setEnabled(True)
        self._say(f"{translate_text(error.message)} {translate_text(error.hint)}")

    def _enter(self) -> None:
        self._add.setEnabled(False)
        name = self._name.text().strip() or self._name.placeholderText()
        self._requests.engine_entered.emit(name, self._address.text(), self._key.text().strip())

    def _update(self) -> None:
        address, mistake = self._parsed()
        self._name.setPlaceholderText(address.netloc if address is not None else "")
        name = self._name.text().strip() or self._name.placeholderText()
        if name.casefold() in self._taken:
            mistake = self.tr("There is already an engine called {name}.").format(name=name)
        self._add.setEnabled(address is not None and not mistake)
        warning = exposure_warning(address, has_key=bool(self._key.text())) if address is not None else None
        self._warning.setText(translate_text(warning) if warning is not None else "")
        self._say(mistake)

    def _parsed(self) -> tuple[EngineAddress | None, str]:
        """What has been typed, and what is wrong with it: nobody is told off before."""
        if not self._address.text().strip():
            return None, ""
        try:
            return parse_engine_address(self._address.text()), ""
        except UserError as error:
            return None, f"{translate_text(error.message)} {translate_text(error.hint)}"

    def _say(self, problem: str) -> None:
        """In place of a warning."""
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        self._warning.setVisible(not problem)
        self._add.setAccessibleDescription(problem)

    def _name_parts(self) -> None:
        self.setObjectName("engineDialog")
        self.setWindowTitle(self.tr("Add an engine"))
        describe_field(self._address, "engineAddressField", self.tr("Address"))
        describe_field(self._name, "engineNameField", self.tr("Name"))
        describe_field(self._key, "engineKeyField", self.tr("API key (optional)"))
        self._address.setPlaceholderText(_EXAMPLE)
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._add.setObjectName("addTheEngineButton")

    def _arrange(self) -> None:
        stored = muted_label(self.tr("The key is stored in the system's keyring, never in a file."), self)
        fields = (self._address, self._name, self._key)
        for field in fields:
            field.setFixedHeight(FIELD_HEIGHT)
        rows = (labelled_field(field.accessibleName(), field, self) for field in fields)
        arrange_form(self, 60, (stored, *rows, self._warning, self._problem), (self._cancel, self._add))
