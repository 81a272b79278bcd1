"""The settings page for the Hugging Face access token."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.services.hub.hub_token import TokenState, TokenStorage
from specchat.ui.widgets.accessibility import announce
from specchat.ui.widgets.controls import TextButton
from specchat.ui.widgets.form_fields import FIELD_HEIGHT, describe_field, labelled_field, muted_label
from specchat.ui.widgets.link_confirmation import open_link_after_question
from specchat.ui.widgets.theme import GRID
from specchat.ui.words.message_translation import translate_text

_TOKENS = "https://huggingface.co/settings/tokens"


class HubPage(QWidget):
    token_state_requested = Signal()
    """Where it is: not before someone looks, as the keyring may ask in turn."""
    token_entered = Signal(str)
    remove_token_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._home: TokenStorage | None = None
        self._make = TextButton(self.tr("Create a token on huggingface.co…"), self)
        self._field = QLineEdit(self)
        self._save = TextButton(self.tr("Save"), self)
        self._forget = TextButton(self.tr("Remove token"), self)
        self._standing, self._where = QLabel(self), muted_label("", self)
        self._problem = QLabel(self)
        self.setFocusProxy(self._field)
        self._name_parts()
        self._arrange()
        self._field.textChanged.connect(self._update)
        self._field.returnPressed.connect(self._give)
        self._save.clicked.connect(self._give)
        self._forget.clicked.connect(self._forget_token)
        self._make.clicked.connect(self._open_tokens)
        self._show_waiting(self.tr("Reading the keyring…"))

    def show_token(self, state: TokenState) -> None:
        """Where it is now, and what the Hub says of it. It is never shown itself."""
        if self._field.isReadOnly():
            self._field.setText("")
        self._problem.hide()
        self._show_state(state)

    def show_problem(self, error: UserError, state: TokenState) -> None:
        self._show_state(state)
        self._problem.setText(f"{translate_text(error.message)} {translate_text(error.hint)}")
        self._problem.show()
        self._field.selectAll()
        self._field.setFocus()
        announce(self._field, self._problem.text())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.token_state_requested.emit()

    def _show_waiting(self, words: str) -> None:
        self._home = None
        self._problem.hide()
        self._standing.hide()
        self._where.setText(words)
        self._update()

    def _show_state(self, state: TokenState) -> None:
        where, standing = (
            translate_text(state.home.description),
            translate_text(state.standing) if state.standing else "",
        )
        self._home = state.home
        self._where.setText(where)
        self._standing.setText(standing)
        self._standing.setVisible(bool(standing))
        self._field.setReadOnly(False)
        self._field.setAccessibleDescription(f"{standing} {where}".strip())
        self._update()
        if standing:
            announce(self._field, standing)

    def _update(self) -> None:
        """While something is asked, the field stays as it is: its focus would go elsewhere."""
        self._field.setEnabled(self._home is not TokenStorage.ENVIRONMENT)
        can_be_given = self._home not in (None, TokenStorage.ENVIRONMENT)
        self._save.setEnabled(can_be_given and bool(self._field.text().strip()))
        self._forget.setEnabled(self._home in (TokenStorage.KEYRING, TokenStorage.THIS_RUN))

    def _give(self) -> None:
        token = self._field.text().strip()
        if token and self._save.isEnabled():
            self._field.setReadOnly(True)
            self._field.setFocus()
            self._show_waiting(self.tr("Checking the token with Hugging Face…"))
            self.token_entered.emit(token)

    def _forget_token(self) -> None:
        self._field.setFocus()
        self._show_waiting(self.tr("Reading the keyring…"))
        self.remove_token_requested.emit()

    def _open_tokens(self) -> None:
        open_link_after_question(_TOKENS, self)

    def _name_parts(self) -> None:
        describe_field(self._field, "hubToken", self.tr("Token"))
        self._field.setEchoMode(QLineEdit.EchoMode.Password)
        self._field.setPlaceholderText("hf_…")
        self._field.setFixedHeight(FIELD_HEIGHT)
        self._where.setObjectName("tokenHome")
        self._standing.setObjectName("tokenStanding")
        self._save.setObjectName("saveToken")
        self._forget.setObjectName("forgetToken")
        self._make.setObjectName("makeToken")
        self._problem.setObjectName("tokenProblem")
        self._problem.setProperty("danger", True)
        for label in (self._problem, self._standing):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            label.hide()

    def _arrange(self) -> None:
        given = QHBoxLayout()
        given.setSpacing(GRID)
        for part in (self._field, self._save, self._forget):
            given.addWidget(part)
        making = QHBoxLayout()
        making.addWidget(self._make)
        making.addStretch()
        purpose = self.tr("Private and gated models need a token. A read-only token is enough.")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * GRID)
        layout.addWidget(muted_label(purpose, self))
        layout.addLayout(making)
        layout.addWidget(labelled_field(self.tr("Token"), given, self))
        for label in (self._problem, self._standing, self._where):
            layout.addWidget(label)
        layout.addStretch()
