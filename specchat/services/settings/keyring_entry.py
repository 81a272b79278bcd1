"""Stores a secret in the system keyring, never in a file, a log or an error."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

log = logging.getLogger(__name__)

_SERVICE = "specchat"


class KeyringEntry:
    def __init__(self, user: str) -> None:
        """`user`: whose it is; shown by the keyring's own program."""
        self._user = user

    def get(self) -> str | None:
        secret = None
        with self._failures_logged("read"):
            backend = _backend()
            secret = backend.get_password(_SERVICE, self._user) if backend else None
        return secret or None

    def put(self, secret: str) -> bool:
        """Whether it is kept."""
        with self._failures_logged("kept"):
            backend = _backend()
            if backend is not None:
                backend.set_password(_SERVICE, self._user, secret)
                return backend.get_password(_SERVICE, self._user) == secret
        return False

    def delete(self) -> bool:
        """Whether it is gone."""
        with self._failures_logged("removed"):
            backend = _backend()
            if backend is not None and backend.get_password(_SERVICE, self._user) is not None:
                backend.delete_password(_SERVICE, self._user)
            return True
        return False

    @contextmanager
    def _failures_logged(self, what: str) -> Iterator[None]:
        """Without the words of a stranger, which may hold the secret."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - each keyring has errors of its own
            log.info("Couldn't use the keyring entry %s (not %s): %s", self._user, what, type(error).__name__)


def _backend() -> "KeyringBackend | None":
    """None also for those that keyring itself advises against: they keep secrets in plain files, or lose them."""
    import keyring

    backend = keyring.get_keyring()
    return backend if keyring.core.recommended(backend) else None
