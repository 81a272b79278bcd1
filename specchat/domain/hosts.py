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
    """Parses an IP address; an IPv4 address in IPv6 form becomes IPv4. None: it is a name."""
    try:
        address = ip_address(normalize_host(host))
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def normalize_host(host: str) -> str:
    """Returns the usual form of a host name, without a dot at its end."""
    return host.casefold().removesuffix(".")
