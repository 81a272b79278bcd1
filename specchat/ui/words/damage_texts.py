"""Texts about a damaged database and how to salvage it."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from specchat.domain.conversations import DamagedChat

translate = QCoreApplication.translate

_MOST_NAMED = 3


def damaged_chat_names(chats: Sequence[DamagedChat]) -> str:
    names = [f"“{each.title}”" if each.title else translate("Damage", "chat {n}").format(n=each.id) for each in chats]
    if len(names) > _MOST_NAMED:
        more = translate("Damage", "{n} more").format(n=len(names) - _MOST_NAMED)
        names = [*names[:_MOST_NAMED], more]
    return ", ".join(names)


def salvage_hint() -> str:
    return translate(
        "Damage",
        "Recover the readable chats into a new database. The damaged file is kept.",
    )


def salvage_action() -> str:
    return translate("Damage", "Recover chats…")
