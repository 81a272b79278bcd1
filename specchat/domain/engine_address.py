"""The address of another engine: checked, and written in one way only."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from specchat.domain.errors import SettingError
from specchat.domain.hosts import is_loopback

_DEFAULT_PORTS = {"http": 80, "https": 443}
_VERSION = re.compile(r"/v\d+\w*(?:/openai)?$")
"""Matches the end of an address that includes the API's path, such as /v1."""
_LONGEST = 500
_SOLID = re.compile(r"[!-~]+")


@dataclass(frozen=True, slots=True)
class EngineAddress:
    scheme: str
    host: str
    port: int
    path: str = ""
    """What comes before the API's own paths, without a slash at its end."""

    @property
    def netloc(self) -> str:
        """The host and the port, unless it is the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        shown = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{host}{shown}"

    @property
    def origin(self) -> str:
        """The origin that keys belong to."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def is_local(self) -> bool:
        return is_loopback(self.host)

    @property
    def exposes_keys(self) -> bool:
        """Whether others on the network can read what is sent."""
        return self.scheme == "http" and not self.is_local

    def at(self, path: str) -> str:
        """A path of the engine's own."""
        return f"{self.origin}{self.path}{path}"

    def api(self, path: str) -> str:
        """A path of OpenAI's API."""
        return self.at(path) if _VERSION.search(self.path) else self.at(f"/v1{path}")

    def __str__(self) -> str:
        return f"{self.origin}{self.path}"


def parse_engine_address(text: str) -> EngineAddress:
    """Parses an address; the default scheme is http. Raises a SettingError if it is invalid or has a password."""
    written = text.strip()
    if not _SOLID.fullmatch(written) or len(written) > _LONGEST:
        raise _invalid(text)
    try:
        parts = urlsplit(written if "://" in written else f"http://{written}")
        host, port = (parts.hostname or "").removesuffix("."), parts.port
    except ValueError:
        raise _invalid(text) from None
    if "@" in parts.netloc:
        raise SettingError(
            "The address of an engine can't contain a password.",
            "Remove the password. Store a key with specchat engines add, or set SPECCHAT_ENGINE_KEY.",
        )
    if parts.scheme not in _DEFAULT_PORTS or not host or parts.query or parts.fragment or port == 0:
        raise _invalid(text)
    path = parts.path.rstrip("/")
    return EngineAddress(parts.scheme, host, port or _DEFAULT_PORTS[parts.scheme], path.removesuffix("/v1"))


def _invalid(text: str) -> SettingError:
    return SettingError(
        "{address} is not the address of an engine.",
        "Use an address such as http://localhost:8080.",
        address=text.strip()[:_LONGEST] or '""',
    )
