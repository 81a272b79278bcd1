"""The token for Hugging Face: what is private or has a licence to accept needs one."""

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from specchat.domain.errors import UserError
from specchat.services.hub_token import TokenHome
from specchat.ui.controls import TextButton
from specchat.ui.fields import HEIGHT, labelled, muted, name_field
from specchat.ui.link_question import asked_to_open
from specchat.ui.said import in_words
from specchat.ui.theme import GRID

_TOKENS = "https://huggingface.co/settings/tokens"


class HubPage(QWidget):
    tokenAsked = Signal()
    """Where it is: not before someone looks, as the keyring may ask in turn."""
    tokenGiven = Signal(str)
    tokenForgotten = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._home: TokenHome | None = None
        self._where = muted("", self)
        self._field = QLineEdit(self)
        self._save = TextButton(self.tr("Save"), self)
        self._forget = TextButton(self.tr("Forget the token"), self)
        self._make = TextButton(self.tr("Make a token on huggingface.co…"), self)
        self._problem = QLabel(self)
        self._name_parts()
        self._arrange()
        self._field.textChanged.connect(self._update)
        self._field.returnPressed.connect(self._give)
        self._save.clicked.connect(self._give)
        self._forget.clicked.connect(self._forget_token)
        self._make.clicked.connect(self._open_tokens)
        self.show_waiting()

    def show_waiting(self) -> None:
        self._show(None, self.tr("Asking this computer's keyring…"))

    def show_token(self, home: TokenHome) -> None:
        """Where it is now. It is never shown itself."""
        self._field.setText("")
        self._problem.hide()
        self._show(home, in_words(home.explained))

    def show_problem(self, error: UserError, home: TokenHome) -> None:
        self._show(home, in_words(home.explained))
        self._problem.setText(f"{in_words(error.message)} {in_words(error.hint)}")
        self._problem.show()
        self._field.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.tokenAsked.emit()

    def _show(self, home: TokenHome | None, where: str) -> None:
        self._home = home
        self._where.setText(where)
        self._field.setAccessibleDescription(where)
        self._update()

    def _update(self) -> None:
        can_be_given = self._home not in (None, TokenHome.ENVIRONMENT)
        self._field.setEnabled(can_be_given)
        self._save.setEnabled(can_be_given and bool(self._field.text().strip()))
        self._forget.setEnabled(self._home in (TokenHome.KEYRING, TokenHome.THIS_RUN))

    def _give(self) -> None:
        token = self._field.text().strip()
        if token and self._save.isEnabled():
            self._problem.hide()
            self.show_waiting()
            self.tokenGiven.emit(token)

    def _forget_token(self) -> None:
        self._problem.hide()
        self.show_waiting()
        self.tokenForgotten.emit()

    def _open_tokens(self) -> None:
        if asked_to_open(_TOKENS, self):
            QDesktopServices.openUrl(QUrl(_TOKENS))

    def _name_parts(self) -> None:
        name_field(self._field, "hubToken", self.tr("Token"))
        self._field.setEchoMode(QLineEdit.EchoMode.Password)
        self._field.setPlaceholderText("hf_…")
        self._field.setFixedHeight(HEIGHT)
        self._where.setObjectName("tokenHome")
        self._save.setObjectName("saveToken")
        self._forget.setObjectName("forgetToken")
        self._make.setObjectName("makeToken")
        self._problem.setObjectName("tokenProblem")
        self._problem.setProperty("danger", True)
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.setWordWrap(True)
        self._problem.hide()

    def _arrange(self) -> None:
        given = QHBoxLayout()
        given.setSpacing(GRID)
        for part in (self._field, self._save, self._forget):
            given.addWidget(part)
        making = QHBoxLayout()
        making.addWidget(self._make)
        making.addStretch()
        purpose = self.tr(
            "Models that are private, or whose licence must be accepted first, need a token."
            " One that may only read is enough."
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * GRID)
        layout.addWidget(muted(purpose, self))
        layout.addLayout(making)
        layout.addWidget(labelled(self.tr("Token"), given, self))
        layout.addWidget(self._problem)
        layout.addWidget(self._where)
        layout.addStretch()
