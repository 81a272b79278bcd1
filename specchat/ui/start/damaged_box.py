"""What is asked where the chats cannot be opened at the start."""

from enum import Enum, auto

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox

from specchat.domain.errors import DamagedChatsError, UserError
from specchat.ui.words.said import in_words

translate = QCoreApplication.translate


class Wish(Enum):
    SALVAGE = auto()
    BEGIN_ANEW = auto()
    QUIT = auto()


def asked_what_to_do(error: UserError) -> Wish:
    box = _box(error)
    wishes = {}
    if isinstance(error, DamagedChatsError):
        box.setInformativeText(
            translate(
                "Start",
                "Salvage the chats that can be read, or begin with none. "
                "Either way the damaged file is kept in its folder.",
            )
        )
        salvage = box.addButton(translate("Start", "Salvage readable chats"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(salvage)
        aside = box.addButton(translate("Start", "Set aside and begin anew"), QMessageBox.ButtonRole.DestructiveRole)
        wishes = {salvage: Wish.SALVAGE, aside: Wish.BEGIN_ANEW}
    box.addButton(translate("Start", "Quit"), QMessageBox.ButtonRole.RejectRole)
    box.exec()
    clicked = box.clickedButton()
    return next((wish for button, wish in wishes.items() if button is clicked), Wish.QUIT)


def show_error(error: UserError) -> None:
    _box(error).exec()


def _box(error: UserError) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.Warning, "specchat", in_words(error.message))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(in_words(error.hint))
    return box
