"""Keyrings that belong to the test: the one of whoever runs it stays untouched."""

from collections.abc import Iterator
from contextlib import contextmanager

import keyring.core
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked


class MemoryKeyring(KeyringBackend):
    priority = 1

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class PlainFileKeyring(MemoryKeyring):
    """As keyring's users are advised against."""

    priority = 0.5  # type: ignore[assignment]


class LockedKeyring(MemoryKeyring):
    """Complains, and repeats what it was given."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked(f"locked: {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked(f"locked: {username} {password}")


class OddKeyring(MemoryKeyring):
    """Fails with errors of its own, and repeats what it was given."""

    def get_password(self, service: str, username: str) -> str | None:
        raise Odd(f"{super().get_password(service, username)}")

    def set_password(self, service: str, username: str, password: str) -> None:
        super().set_password(service, username, password)
        raise Odd(password)


class Odd(Exception):
    pass


@contextmanager
def using(backend: KeyringBackend) -> Iterator[None]:
    before = keyring.core._keyring_backend
    keyring.set_keyring(backend)
    try:
        yield
    finally:
        keyring.core._keyring_backend = before
