"""The field for entering or removing the API key of the local server; the stored key is never shown."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.services.settings.server_key import KeyStorage
from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import FIELD_HEIGHT, describe_field, labelled_field, muted_label
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.message_translation import translate_text


class ServerKeyField(QWidget):
    key_entered = Signal(str)
    remove_key_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._home: KeyStorage | None = None
        self._is_needed = False
        self._field = QLineEdit(self)
        self._save = TextButton(self.tr("Save"), self)
        self._forget = TextButton(self.tr("Remove key"), self)
        self._where, self._problem = muted_label("", self), QLabel(self)
        self._name_parts()
        self._arrange()
        self._field.textChanged.connect(self._update)
        self._field.returnPressed.connect(self._give)
        self._save.clicked.connect(self._give)
        self._forget.clicked.connect(self._ask_to_forget)
        self._show_waiting()

    def show_location(self, home: KeyStorage) -> None:
        """`home`: where the key is stored."""
        if self._field.isReadOnly():
            self._field.setText("")
        self._home = home
        self._problem.hide()
        self._field.setReadOnly(False)
        self._update()

    def set_required(self, *, is_needed: bool) -> None:
        """A key that is needed but lost can be forgotten, too."""
        self._is_needed = is_needed
        self._update()

    def show_problem(self, error: UserError, home: KeyStorage) -> None:
        self._field.setReadOnly(False)
        self.show_location(home)
        self._problem.setText(f"{translate_text(error.message)} {translate_text(error.hint)}")
        self._problem.show()
        self._field.setFocus()
        announce(self._field, self._problem.text())

    def _show_waiting(self) -> None:
        self._home = None
        self._problem.hide()
        self._where.setText(self.tr("Reading the keyring…"))
        self._update()

    def _update(self) -> None:
        self._save.setEnabled(self._home is not None and bool(self._field.text().strip()))
        has_key = self._is_needed or self._home is not KeyStorage.NOWHERE
        self._forget.setEnabled(self._home is not None and has_key)
        if self._home is not None:
            self._tell_where(self._home)

    def _tell_where(self, home: KeyStorage) -> None:
        is_lost = self._is_needed and home is KeyStorage.NOWHERE
        lost = self.tr("The key is missing. Enter it again, or click Remove key to run without one.")
        words = lost if is_lost else translate_text(home.description)
        self._where.setText(words)
        self._field.setAccessibleDescription(words)
        self._field.setPlaceholderText(self.tr("None") if home is KeyStorage.NOWHERE else self.tr("API key set"))

    def _give(self) -> None:
        if self._save.isEnabled():
            key = self._field.text().strip()
            self._field.setReadOnly(True)
            self._field.setFocus()
            self._show_waiting()
            self.key_entered.emit(key)

    def _ask_to_forget(self) -> None:
        self._field.setFocus()
        self._show_waiting()
        self.remove_key_requested.emit()

    def _name_parts(self) -> None:
        describe_field(self._field, "serverKey", self.tr("API key"))
        self._field.setEchoMode(QLineEdit.EchoMode.Password)
        self._field.setPlaceholderText(self.tr("None"))
        self._field.setFixedHeight(FIELD_HEIGHT)
        self._save.setObjectName("saveServerKey")
        self._save.setAccessibleName(self.tr("Save key"))
        self._forget.setObjectName("forgetServerKey")
        self._where.setObjectName("serverKeyHome")
        self._problem.setObjectName("serverKeyProblem")
        self._problem.setProperty("danger", True)
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.setWordWrap(True)
        self._problem.hide()

    def _arrange(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(GRID)
        for part in (self._field, self._save, self._forget):
            row.addWidget(part)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GRID)
        layout.addWidget(labelled_field(self.tr("API key (optional)"), row, self))
        layout.addWidget(self._problem)
        layout.addWidget(self._where)
