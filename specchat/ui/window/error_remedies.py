"""The remedies that the window offers for each kind of error, besides trying again."""

from collections.abc import Mapping
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication

from specchat.domain.errors import (
    ContextFullError,
    EngineKeyError,
    EngineUnreachableError,
    IncapableError,
    IncompatibleError,
    MemoryShortageError,
    ModelFileError,
    ModelLoadError,
    ServedModelGoneError,
    UserError,
)

translate = QCoreApplication.translate


class Remedy(Enum):
    SMALLER_CONTEXT = auto()
    LARGER_CONTEXT = auto()
    OTHER_MODEL = auto()
    OTHER_DRAFT = auto()
    NEW_CHAT = auto()
    ENGINE_KEY = auto()


_BY_KIND: Mapping[type[UserError], tuple[Remedy, ...]] = {
    MemoryShortageError: (Remedy.SMALLER_CONTEXT, Remedy.OTHER_MODEL),
    ModelLoadError: (Remedy.OTHER_MODEL,),
    ModelFileError: (Remedy.OTHER_MODEL,),
    IncompatibleError: (Remedy.OTHER_DRAFT,),
    IncapableError: (Remedy.OTHER_MODEL,),
    EngineKeyError: (Remedy.ENGINE_KEY, Remedy.OTHER_MODEL),
    EngineUnreachableError: (Remedy.OTHER_MODEL,),
    ServedModelGoneError: (Remedy.OTHER_MODEL,),
    ContextFullError: (Remedy.LARGER_CONTEXT, Remedy.NEW_CHAT),
}
"""The first one that an error is of counts."""


def find_remedies(error: UserError, *, can_grow: bool, message_alone: bool) -> list[Remedy]:
    """`can_grow`: the context; `message_alone`: one that is too long for it would be so in a new chat as well."""
    found = next((remedies for kind, remedies in _BY_KIND.items() if isinstance(error, kind)), ())
    useless = {Remedy.LARGER_CONTEXT: not can_grow, Remedy.NEW_CHAT: message_alone}
    return [remedy for remedy in found if not useless.get(remedy, False)]


def remedy_label(remedy: Remedy) -> str:
    return {
        Remedy.SMALLER_CONTEXT: translate("Remedy", "Use a smaller context…"),
        Remedy.LARGER_CONTEXT: translate("Remedy", "Use a larger context…"),
        Remedy.OTHER_MODEL: translate("Remedy", "Choose another model…"),
        Remedy.OTHER_DRAFT: translate("Remedy", "Choose another draft…"),
        Remedy.NEW_CHAT: translate("Remedy", "New chat"),
        Remedy.ENGINE_KEY: translate("Remedy", "Enter the key…"),
    }[remedy]
