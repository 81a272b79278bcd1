"""Asks what to do when the chats cannot be opened at startup."""

from enum import Enum, auto

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QMessageBox

from specchat.domain.errors import DamagedChatsError, UserError
from specchat.ui.words.message_translation import translate_text

translate = QCoreApplication.translate


class RecoveryChoice(Enum):
    SALVAGE = auto()
    START_EMPTY = auto()
    QUIT = auto()


def ask_recovery_choice(error: UserError) -> RecoveryChoice:
    box = _box(error)
    wishes = {}
    if isinstance(error, DamagedChatsError):
        box.setInformativeText(
            translate(
                "Start",
                "Recover the readable chats, or start with no chats. Either way, the damaged file stays in its folder.",
            )
        )
        salvage = box.addButton(translate("Start", "Recover chats"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(salvage)
        aside = box.addButton(translate("Start", "Start with no chats"), QMessageBox.ButtonRole.DestructiveRole)
        wishes = {salvage: RecoveryChoice.SALVAGE, aside: RecoveryChoice.START_EMPTY}
    box.addButton(translate("Start", "Quit"), QMessageBox.ButtonRole.RejectRole)
    box.exec()
    clicked = box.clickedButton()
    return next((wish for button, wish in wishes.items() if button is clicked), RecoveryChoice.QUIT)


def show_error(error: UserError) -> None:
    _box(error).exec()


def _box(error: UserError) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.Warning, "specchat", translate_text(error.message))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(translate_text(error.hint))
    return box
