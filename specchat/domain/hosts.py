from urllib.parse import urlsplit


def host_of(address: str) -> str:
    """The address itself where it names no host."""
    try:
        return urlsplit(address).hostname or address
    except ValueError:
        return address
