"""Hosts as addresses and headers name them."""

from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit


def host_of(address: str) -> str:
    """The address itself where it names no host."""
    try:
        return urlsplit(address).hostname or address
    except ValueError:
        return address


def is_this_computer(host: str) -> bool:
    address = ip_of(host)
    return plain_name(host) == "localhost" if address is None else address.is_loopback


def is_every_address(host: str) -> bool:
    address = ip_of(host)
    return not host if address is None else address.is_unspecified


def ip_of(host: str) -> IPv4Address | IPv6Address | None:
    """What IPv6 wraps is the IPv4 address inside. None: it is a name."""
    try:
        address = ip_address(plain_name(host))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def plain_name(host: str) -> str:
    """As everybody writes it: a dot at its end only says that nothing more belongs to the name."""
    return host.casefold().removesuffix(".")
