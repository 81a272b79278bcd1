"""What other programs must send to the window's server, if the user wants that. In the keyring, as the Hub's token."""

import re
import threading
from enum import StrEnum

from specchat.domain.errors import SettingError
from specchat.domain.said import Said
from specchat.services.settings.keyring_entry import KeyringEntry

_KEPT = KeyringEntry("API key of the server")
_KEY = re.compile(r"[!-~]{1,1000}")


class KeyHome(StrEnum):
    NOWHERE = "nowhere"
    KEYRING = "keyring"
    THIS_RUN = "this run"

    @property
    def explained(self) -> Said:
        return _EXPLAINED[self]


_EXPLAINED = {
    KeyHome.NOWHERE: Said("Without a key every program on this computer may ask."),
    KeyHome.KEYRING: Said("The key is kept in this computer's keyring. Other programs must send it."),
    KeyHome.THIS_RUN: Said(
        "Other programs must send the key. This computer has no keyring: it lasts until the program ends."
    ),
}


class ServerKey:
    """Call it for the key; empty: there is none. The keyring may ask the user before it answers."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._key = ""
        self._home: KeyHome | None = None

    def __call__(self) -> str:
        with self._lock:
            self._look()
            return self._key

    @property
    def home(self) -> KeyHome:
        with self._lock:
            return self._look()

    def set(self, key: str) -> None:
        key = key.strip()
        if not _KEY.fullmatch(key):
            raise SettingError(
                "This cannot be a key: it is very long, or has blanks or unusual characters.",
                "Use letters, digits and signs.",
            )
        with self._lock:
            self._key = key
            self._home = KeyHome.KEYRING if _KEPT.put(key) else KeyHome.THIS_RUN

    def forget(self) -> None:
        with self._lock:
            is_gone = _KEPT.delete()
            if is_gone or self._home is not KeyHome.KEYRING:
                self._key, self._home = "", KeyHome.NOWHERE
            if not is_gone:
                raise SettingError(
                    "The keyring does not let go of the key.",
                    "Remove the entry of specchat with the keyring's own program.",
                )

    def _look(self) -> KeyHome:
        if self._home is None:
            self._key = _KEPT.get() or ""
            self._home = KeyHome.KEYRING if self._key else KeyHome.NOWHERE
        return self._home
