"""Manages the user's Hub access token.

What is given to specchat is kept in the system's keyring or nowhere: never in a file, a log or an error.
"""

import logging
import os
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubError, HubUnknownTokenError, SettingError, UserError
from specchat.domain.translatable_text import TranslatableText
from specchat.services.settings.keyring_entry import KeyringEntry

LookUpUser = Callable[[str, CancelToken], str]
"""Asks the Hub whose token it is."""

log = logging.getLogger(__name__)

_KEPT = KeyringEntry("Hugging Face")
_TOKEN = re.compile(r"[!-~]+")


class TokenStorage(StrEnum):
    NOWHERE = "nowhere"
    KEYRING = "keyring"
    THIS_RUN = "this run"
    ENVIRONMENT = "environment"
    HUB_CLIENT = "hub client"

    @property
    def description(self) -> TranslatableText:
        return _EXPLAINED[self]


_EXPLAINED = {
    TokenStorage.NOWHERE: TranslatableText("No token set. Public models don't need one."),
    TokenStorage.KEYRING: TranslatableText("The token is stored in this computer's keyring."),
    TokenStorage.THIS_RUN: TranslatableText(
        "This computer has no keyring, so the token is kept only until specchat quits."
    ),
    TokenStorage.ENVIRONMENT: TranslatableText("The token comes from HF_TOKEN, which overrides any other."),
    TokenStorage.HUB_CLIENT: TranslatableText("Using the token from hf auth login. A token entered here overrides it."),
}


@dataclass(frozen=True, slots=True)
class TokenState:
    home: TokenStorage
    standing: TranslatableText | None = None
    """What the Hub says of it, if it was asked."""


class HubToken:
    """Call it for the token."""

    def __init__(self, who: LookUpUser | None = None) -> None:
        """Without `who` a token is kept unchecked."""
        self._who = who
        self._lock = threading.Lock()
        self._token: str | None = None
        self._home: TokenStorage | None = None
        self._standing: TranslatableText | None = None
        self._listeners: list[Callable[[UserError], None]] = []

    def __call__(self) -> str | None:
        if given := os.environ.get("HF_TOKEN", "").strip():
            return _check_form(given)
        with self._lock:
            self._load()
            token = self._token
        return token or _of_hub_client()

    @property
    def storage(self) -> TokenStorage:
        if os.environ.get("HF_TOKEN", "").strip():
            return TokenStorage.ENVIRONMENT
        with self._lock:
            home = self._load()
        return TokenStorage.HUB_CLIENT if home is TokenStorage.NOWHERE and _of_hub_client() else home

    @property
    def state(self) -> TokenState:
        return TokenState(self.storage, self._standing)

    def set(self, token: str, cancel: CancelToken | None = None) -> TokenStorage:
        """One that the Hub does not know is not kept; one that it cannot be asked about is."""
        token = _check_form(token.strip())
        standing = self._ask_hub(token, cancel or CancelToken())
        with self._lock:
            self._token, self._standing = token, standing
            self._home = TokenStorage.KEYRING if _KEPT.put(token) else TokenStorage.THIS_RUN
            return self._home

    def add_rejection_listener(self, listener: Callable[[UserError], None]) -> None:
        """`listener` hears, in any thread, that the Hub does not know the token and was asked without it."""
        self._listeners.append(listener)

    def report_rejection(self, error: UserError) -> None:
        """Told once for each token."""
        with self._lock:
            is_known, self._standing = self._standing == error.message, error.message
        if not is_known:
            log.info("%s %s", error.message, error.hint)
            for listener in self._listeners:
                listener(error)

    def delete(self) -> None:
        with self._lock:
            self._token, self._home, self._standing = None, TokenStorage.NOWHERE, None
            if not _KEPT.delete():
                raise SettingError(
                    "Couldn't delete the token from the keyring.",
                    "Remove specchat's entry with your keyring app.",
                )

    def _ask_hub(self, token: str, cancel: CancelToken) -> TranslatableText | None:
        if self._who is None:
            return None
        try:
            return TranslatableText("Signed in as {name}.", name=self._who(token, cancel))
        except HubUnknownTokenError as unknown:
            raise SettingError(
                "{host} rejected this token, so it wasn't saved.",
                "Copy the whole token again, or create a new one.",
                **unknown.message.values,
            ) from None
        except HubError as error:
            return TranslatableText("Couldn't check the token: {reason}", reason=error.message)

    def _load(self) -> TokenStorage:
        if self._home is None:
            kept = _KEPT.get()
            self._token = _check_form(kept) if kept else None
            self._home = TokenStorage.KEYRING if self._token else TokenStorage.NOWHERE
        return self._home


def _of_hub_client() -> str | None:
    from specchat.sources.stored_token import stored_token

    token = stored_token()
    return token if token and _TOKEN.fullmatch(token) else None


def _check_form(token: str) -> str:
    """Anything else would be shown by those who cannot send it."""
    if not _TOKEN.fullmatch(token):
        raise SettingError(
            "Not a valid token: it contains spaces or unusual characters.", "Copy it again. Most tokens start with hf_."
        )
    return token
