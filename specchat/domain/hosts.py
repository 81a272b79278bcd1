"""Parses and classifies host names and addresses."""

from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit


def host_of(address: str) -> str:
    """The address itself where it names no host."""
    try:
        return urlsplit(address).hostname or address
    except ValueError:
        return address


def is_loopback(host: str) -> bool:
    address = parse_ip(host)
    return normalize_host(host) == "localhost" if address is None else address.is_loopback


def is_unspecified(host: str) -> bool:
    address = parse_ip(host)
    return not host if address is None else address.is_unspecified


def parse_ip(host: str) -> IPv4Address | IPv6Address | None:
    """What IPv6 wraps is the IPv4 address inside. None: it is a name."""
    try:
        address = ip_address(normalize_host(host))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def normalize_host(host: str) -> str:
    """As everybody writes it: a dot at its end only says that nothing more belongs to the name."""
    return host.casefold().removesuffix(".")
