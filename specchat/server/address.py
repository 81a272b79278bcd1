"""The address the server listens on, and the host names that requests may use."""

import errno
import os
import socket
from ipaddress import IPv4Address

from specchat.domain.completions import ServerSettings
from specchat.domain.errors import SettingError, UserError
from specchat.domain.hosts import is_loopback, is_unspecified, normalize_host, parse_ip
from specchat.domain.translatable_text import TranslatableText

_BACKLOG = 512
_OTHER_HOST = TranslatableText("Set --host to an address of this computer.")
_HIGHER_PORT = TranslatableText("Choose a port above 1023 (--port).")
_PORT_IN_USE = TranslatableText("The server can't start: another program is using port {port}.")
_OTHER_PORT = TranslatableText("Choose another port (--port), or close that program and try again.")
_KNOWN_REASONS = {
    errno.EADDRNOTAVAIL: TranslatableText("this computer has no such address"),
    errno.EACCES: TranslatableText("permission denied"),
}


def require_key_beyond_loopback(settings: ServerSettings) -> None:
    if not settings.api_key and not is_loopback(settings.host):
        raise SettingError(
            "Listening on {host} would let other computers use the models.",
            "Set a key with --api-key KEY, or serve on 127.0.0.1.",
            host=settings.host or "every address",
        )


def open_listening_socket(settings: ServerSettings) -> socket.socket:
    host, port = _plain(settings.host), settings.port
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = min(found, key=lambda info: info[0] != socket.AF_INET)
        both = family == socket.AF_INET6 and is_unspecified(host) and socket.has_dualstack_ipv6()
        return socket.create_server(address, family=family, backlog=_BACKLOG, dualstack_ipv6=both)
    except (OSError, UnicodeError) as error:
        is_elsewhere = isinstance(error, socket.gaierror | UnicodeError) or error.errno == errno.EADDRNOTAVAIL
        needs_rights = isinstance(error, PermissionError)
        is_in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        raise UserError(
            _PORT_IN_USE if is_in_use else "Can't use {host}:{port}: {reason}.",
            _OTHER_HOST if is_elsewhere else _HIGHER_PORT if needs_rights else _OTHER_PORT,
            host=_in_url(host),
            port=port,
            reason=_reason(error),
        ) from error


def _reason(error: OSError | UnicodeError) -> str:
    if isinstance(error, UnicodeError):
        return str(error)
    if isinstance(error, socket.gaierror) or not error.errno:
        return error.strerror or str(error)
    return _KNOWN_REASONS.get(error.errno) or os.strerror(error.errno)  # its own words tell the address again


def server_url(host: str, port: int) -> str:
    """Returns the server's URL for programs on this computer."""
    if is_unspecified(host):
        host = "::1" if ":" in host else "127.0.0.1"
    return f"http://{_in_url(host)}:{port}/v1"


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


class AllowedHosts:
    """The Host values that requests may have. In DNS rebinding, a web page sends its own host name."""

    def __init__(self, host: str) -> None:
        """Served on all addresses it may be called by each of them, and by the computer's name."""
        self._names = {"localhost", normalize_host(host)} - {""}
        self._address = parse_ip(host)
        self._any_address = is_unspecified(host)
        self._own = socket.gethostname().casefold()

    def __contains__(self, host: str) -> bool:
        name = normalize_host(_without_port(host))
        address = parse_ip(name)
        if address is None:
            return name in self._names or (self._any_address and self._is_own(name))
        return address.is_loopback or self._any_address or address == self._address

    def _is_own(self, name: str) -> bool:
        """In whatever network. A page may have such a name, too, but not the key, which is needed then."""
        return name == self._own or name.startswith(f"{self._own}.")


def _without_port(host: str) -> str:
    """The port does not matter: it may be forwarded from another one."""
    name, colon, port = host.rpartition(":")
    without = name if colon and (port.isdecimal() or not port) else host
    return without[1:-1] if without.startswith("[") and without.endswith("]") else without


def _plain(host: str) -> str:
    """A socket for IPv6 does not hear what is sent to the IPv4 address inside its own."""
    address = parse_ip(host)
    if isinstance(address, IPv4Address):
        return str(address)
    return normalize_host(host) if is_loopback(host) else host
