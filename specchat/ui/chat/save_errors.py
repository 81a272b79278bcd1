"""Explains to the user why an answer cannot be saved at the moment."""

from PySide6.QtCore import QCoreApplication

from specchat.domain.errors import StorageBusyError, StorageError, StorageFullError, UserError

translate = QCoreApplication.translate


def save_error(reason: StorageError) -> UserError:
    match reason:
        case StorageFullError():
            message = translate("Unsaved", "The answer cannot be saved: the disk is full.")
            hint = translate("Unsaved", "Free some space, and keep the window open: then it is saved by itself.")
        case StorageBusyError():
            message = translate("Unsaved", "The answer cannot be saved: another program is using the chats.")
            hint = translate("Unsaved", "Close that program, and keep the window open: then it is saved by itself.")
        case _:
            message = translate("Unsaved", "The answer cannot be saved: {reason}")
            hint = translate("Unsaved", "{hint} Keep the window open: then it is saved by itself.")
    error = UserError(message, hint, reason=reason.message, hint=reason.hint)
    error.__cause__ = reason
    return error
