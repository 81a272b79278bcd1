"""Explains to the user why an answer cannot be saved at the moment."""

from PySide6.QtCore import QCoreApplication

from specchat.domain.errors import StorageBusyError, StorageError, StorageFullError, UserError

translate = QCoreApplication.translate


def save_error(reason: StorageError) -> UserError:
    match reason:
        case StorageFullError():
            message = translate("Unsaved", "Can't save the answer: the disk is full.")
            hint = translate(
                "Unsaved",
                "Free up some space and keep the window open. specchat will then save the answer automatically.",
            )
        case StorageBusyError():
            message = translate("Unsaved", "Can't save the answer: another program is using the chat database.")
            hint = translate(
                "Unsaved",
                "Close that program and keep the window open. specchat will then save the answer automatically.",
            )
        case _:
            message = translate("Unsaved", "Can't save the answer: {reason}")
            hint = translate(
                "Unsaved", "{hint} Keep the window open. specchat will then save the answer automatically."
            )
    error = UserError(message, hint, reason=reason.message, hint=reason.hint)
    error.__cause__ = reason
    return error
