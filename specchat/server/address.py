"""Where the server listens, and by which names it may be called."""

import ipaddress
import socket

from specchat.domain.errors import SettingError, UserError
from specchat.domain.serving import ServerSettings

_BACKLOG = 512


def require_key_beyond_loopback(settings: ServerSettings) -> None:
    if not settings.api_key and not is_loopback(settings.host):
        raise SettingError(
            "On {host} other computers could use the models.",
            "Set a key with --api-key KEY, or serve on 127.0.0.1.",
            host=settings.host or "every address",
        )


def is_loopback(host: str) -> bool:
    address = _address(host)
    return host == "localhost" if address is None else address.is_loopback


def listening_socket(settings: ServerSettings) -> socket.socket:
    host, port = settings.host, settings.port
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, *_, address = min(found, key=lambda info: info[0] != socket.AF_INET)
        return socket.create_server(address, family=family, backlog=_BACKLOG)
    except (OSError, UnicodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise UserError(
            "{host}:{port} cannot be used: {reason}.",
            "Choose another port (--port), or end the program that uses it.",
            host=host,
            port=port,
            reason=reason,
        ) from error


def url(host: str, port: int) -> str:
    """As this computer calls it."""
    address = _address(host)
    if address is None:
        return f"http://{host or '127.0.0.1'}:{port}/v1"
    if address.is_unspecified:
        return f"http://127.0.0.1:{port}/v1"
    return f"http://{f'[{address}]' if address.version == 6 else address}:{port}/v1"


class Names:
    """What a request's Host may say. A web page that has its own name lead here (DNS rebinding) sends that name."""

    def __init__(self, host: str) -> None:
        """Served on all addresses it may be called by each of them, and by the computer's name."""
        self._names = {"localhost", host.casefold()} - {""}
        self._any_address = is_unspecified(host)
        if self._any_address:
            own = socket.gethostname().casefold()
            self._names |= {own, f"{own}.local"}

    def __contains__(self, host: str) -> bool:
        name = _without_port(host).casefold()
        address = _address(name)
        if address is None:
            return name in self._names
        return address.is_loopback or self._any_address or name in self._names


def is_unspecified(host: str) -> bool:
    address = _address(host)
    return not host if address is None else address.is_unspecified


def _without_port(host: str) -> str:
    """The port does not matter: it may be forwarded from another one."""
    name, colon, port = host.rpartition(":")
    without = name if colon and (port.isdecimal() or not port) else host
    return without[1:-1] if without.startswith("[") and without.endswith("]") else without


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
