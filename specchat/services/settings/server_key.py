"""API key of the window's server, kept in the system keyring."""

import re
import threading
from enum import StrEnum

from specchat.domain.errors import SettingError
from specchat.domain.translatable_text import TranslatableText
from specchat.services.settings.keyring_entry import KeyringEntry

_KEPT = KeyringEntry("API key of the server")
_KEY = re.compile(r"[!-~]{1,1000}")


class KeyStorage(StrEnum):
    NOWHERE = "nowhere"
    KEYRING = "keyring"
    THIS_RUN = "this run"

    @property
    def description(self) -> TranslatableText:
        return _EXPLAINED[self]


_EXPLAINED = {
    KeyStorage.NOWHERE: TranslatableText("Without a key, any program on this computer can use the server."),
    KeyStorage.KEYRING: TranslatableText("The API key is stored in this computer's keyring. Requests must include it."),
    KeyStorage.THIS_RUN: TranslatableText(
        "Requests must include the API key. This computer has no keyring, so the key is kept only until specchat quits."
    ),
}


class ServerKey:
    """Call it for the key; empty: there is none. The keyring may ask the user before it answers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._key = ""
        self._home: KeyStorage | None = None

    def __call__(self) -> str:
        with self._lock:
            self._load()
            return self._key

    @property
    def storage(self) -> KeyStorage:
        with self._lock:
            return self._load()

    def set(self, key: str) -> None:
        key = key.strip()
        if not _KEY.fullmatch(key):
            raise SettingError(
                "Not a valid key: it is too long or contains spaces or unusual characters.",
                "Use letters, digits, and punctuation.",
            )
        with self._lock:
            self._key = key
            self._home = KeyStorage.KEYRING if _KEPT.put(key) else KeyStorage.THIS_RUN

    def delete(self) -> None:
        with self._lock:
            is_gone = _KEPT.delete()
            if is_gone or self._home is not KeyStorage.KEYRING:
                self._key, self._home = "", KeyStorage.NOWHERE
            if not is_gone:
                raise SettingError(
                    "Couldn't delete the key from the keyring.",
                    "Remove specchat's entry with your keyring app.",
                )

    def _load(self) -> KeyStorage:
        if self._home is None:
            self._key = _KEPT.get() or ""
            self._home = KeyStorage.KEYRING if self._key else KeyStorage.NOWHERE
        return self._home
