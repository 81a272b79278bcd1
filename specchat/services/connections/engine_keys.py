"""Keys of other engines: in the system keyring, by the address they belong to, or in SPECCHAT_ENGINE_KEY."""

import os
import re
from collections.abc import Mapping

from specchat.domain.engine_address import EngineAddress
from specchat.domain.errors import SettingError
from specchat.domain.translatable_text import TranslatableText
from specchat.services.settings.keyring_entry import KeyringEntry

VARIABLE = "SPECCHAT_ENGINE_KEY"
_KEY = re.compile(r"[!-~]{1,4096}")
_EXPOSED = TranslatableText(
    "The connection to {where} is not encrypted: others on the network could read your key and your "
    "chats. Use https:// if you can."
)
_READABLE = TranslatableText("The connection to {where} is not encrypted: others on the network could read your chats.")


class EngineKeys:
    """What no keyring keeps is forgotten when the program ends. A keyring may ask the user before it answers."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._environment = environment
        self._of_this_run: dict[str, str] = {}

    def find(self, address: EngineAddress) -> str:
        """Empty: it has none. The variable is for an engine without a key of its own."""
        origin = address.origin
        if origin not in self._of_this_run:
            self._of_this_run[origin] = _entry(origin).get() or ""
        key = self._of_this_run[origin] or self._environment.get(VARIABLE, "").strip()
        if key:
            require_valid_key(key)
        return key

    def put(self, address: EngineAddress, key: str) -> bool:
        """Stores a key; returns whether the keyring has it."""
        require_valid_key(key)
        self._of_this_run[address.origin] = key.strip()
        return _entry(address.origin).put(key.strip())

    def delete(self, address: EngineAddress) -> None:
        self._of_this_run.pop(address.origin, None)
        if not _entry(address.origin).delete():
            raise SettingError(
                "Couldn't delete the key from the keyring.", "Remove specchat's entry with your keyring app."
            )


def require_valid_key(key: str) -> None:
    if not _KEY.fullmatch(key.strip()):
        raise SettingError(
            "Not a valid key: it is too long or contains spaces or unusual characters.",
            "Use letters, digits, and punctuation.",
        )


def exposure_warning(address: EngineAddress, *, has_key: bool) -> TranslatableText | None:
    """Returns a warning if others on the network could read the traffic."""
    if not address.exposes_keys:
        return None
    return TranslatableText(_EXPOSED if has_key else _READABLE, where=address.origin)


def _entry(origin: str) -> KeyringEntry:
    return KeyringEntry(f"Key of the engine {origin}")
