"""The user's token for the Hub. It is kept in the system's keyring or nowhere: never in a file, a log or an error."""

import logging
import os
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING

from specchat.domain.errors import SettingError
from specchat.domain.said import Said

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

log = logging.getLogger(__name__)

_SERVICE, _USER = "specchat", "Hugging Face"
_TOKEN = re.compile(r"[!-~]+")


class TokenHome(StrEnum):
    NOWHERE = "nowhere"
    KEYRING = "keyring"
    THIS_RUN = "this run"
    ENVIRONMENT = "environment"

    @property
    def explained(self) -> Said:
        return _EXPLAINED[self]


_EXPLAINED = {
    TokenHome.NOWHERE: Said("No token is given: models that are open to everyone need none."),
    TokenHome.KEYRING: Said("The token is kept in this computer's keyring."),
    TokenHome.THIS_RUN: Said(
        "This computer has no keyring to keep the token in: it is forgotten when the program ends."
    ),
    TokenHome.ENVIRONMENT: Said("The token comes from HF_TOKEN, which goes before any other."),
}


class HubToken:
    """Call it for the token."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._token: str | None = None
        self._home: TokenHome | None = None

    def __call__(self) -> str | None:
        if given := os.environ.get("HF_TOKEN", "").strip():
            return _checked(given)
        with self._lock:
            self._look()
            return self._token

    @property
    def home(self) -> TokenHome:
        if os.environ.get("HF_TOKEN", "").strip():
            return TokenHome.ENVIRONMENT
        with self._lock:
            return self._look()

    def set(self, token: str) -> TokenHome:
        with self._lock:
            self._token = _checked(token.strip())
            self._home = TokenHome.KEYRING if _put(self._token) else TokenHome.THIS_RUN
            return self._home

    def forget(self) -> None:
        with self._lock:
            self._token, self._home = None, TokenHome.NOWHERE
            if not _delete():
                raise SettingError(
                    "The keyring does not let go of the token.",
                    "Remove the entry of specchat with the keyring's own program.",
                )

    def _look(self) -> TokenHome:
        if self._home is None:
            self._token = _get()
            self._home = TokenHome.KEYRING if self._token else TokenHome.NOWHERE
        return self._home


def _checked(token: str) -> str:
    """Anything else would be shown by those who cannot send it."""
    if not _TOKEN.fullmatch(token):
        raise SettingError(
            "This is not a token: it has blanks or unusual characters.", "Copy it again; most tokens begin with hf_."
        )
    return token


def _get() -> str | None:
    token = None
    with _failures_logged("read"):
        backend = _backend()
        token = backend.get_password(_SERVICE, _USER) if backend else None
    return _checked(token) if token else None


def _put(token: str) -> bool:
    with _failures_logged("kept"):
        backend = _backend()
        if backend is not None:
            backend.set_password(_SERVICE, _USER, token)
            return backend.get_password(_SERVICE, _USER) == token
    return False


def _delete() -> bool:
    with _failures_logged("removed"):
        backend = _backend()
        if backend is not None and backend.get_password(_SERVICE, _USER) is not None:
            backend.delete_password(_SERVICE, _USER)
        return True
    return False


def _backend() -> "KeyringBackend | None":
    """None also for those that keyring itself advises against: they keep secrets in plain files, or lose them."""
    import keyring

    backend = keyring.get_keyring()
    return backend if keyring.core.recommended(backend) else None


@contextmanager
def _failures_logged(what: str) -> Iterator[None]:
    """Without the words of a stranger, which may hold the token."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - each keyring has errors of its own
        log.info("The token could not be %s: %s", what, type(error).__name__)
