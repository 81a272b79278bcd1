"""Other machines that lend their devices through llama.cpp's RPC backend (`ggml-rpc-server`)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from specchat.domain.errors import SettingError
from specchat.domain.hosts import is_loopback
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Device, ModelSettings, PairChoice

DEFAULT_PORT = 50052
RPC = "RPC"
"""The prefix of the device names of other machines."""
MOST_SERVERS = 16
_NUMBERED = re.compile(r"\bRPC\d", re.IGNORECASE)
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"(?P<host>(?=.{{1,253}}(?::|$)){_LABEL}(?:\.{_LABEL})*)(?::(?P<port>[0-9]{{1,5}}))?")

_WARNING = TranslatableText(
    "RPC sends prompts, answers, and the model unencrypted, and anyone who can reach the port can use ggml-rpc-server."
    " Use it only on a network that you trust."
)


def rpc_warning(servers: Sequence[str]) -> TranslatableText | None:
    """None: nothing leaves this computer."""
    return None if all(is_loopback(server.rpartition(":")[0]) for server in servers) else _WARNING


@dataclass(frozen=True, slots=True)
class RpcDevice:
    total: int
    free: int
    alignment: int
    max_size: int
    """Of one buffer."""


@dataclass(frozen=True, slots=True)
class RpcServer:
    address: str
    devices: tuple[RpcDevice, ...]


def parse_rpc_address(text: str) -> str:
    """`HOST:PORT`, in one way only. llama.cpp takes what follows the first colon for the port: no IPv6."""
    found = _ADDRESS.fullmatch(text.strip())
    port = int(found["port"] or DEFAULT_PORT) if found is not None else 0
    if found is None or not 1 <= port <= 65535:
        raise SettingError(
            "{address} is not the address of an RPC server.",
            "Write HOST:PORT, such as 192.168.1.20:{port}.",
            address=text.strip()[:80] or "''",
            port=DEFAULT_PORT,
        )
    return f"{found['host'].lower()}:{port}"


def parse_rpc_servers(text: str) -> tuple[str, ...]:
    """Separated by commas, each once."""
    addresses = tuple(dict.fromkeys(parse_rpc_address(part) for part in text.split(",") if part.strip()))
    if len(addresses) > MOST_SERVERS:
        raise SettingError("llama.cpp supports at most {n} RPC servers.", "Use fewer servers.", n=MOST_SERVERS)
    return addresses


def rpc_for_draft(rpc: tuple[str, ...], device: str | None) -> tuple[str, ...]:
    """A draft stays on this machine, where no guess goes over the network, unless it is sent elsewhere."""
    return rpc if device is not None and _NUMBERED.search(device) else ()


def on_this_machine(choice: PairChoice) -> PairChoice:
    """The same pair without the devices of others."""

    def here(settings: ModelSettings) -> ModelSettings:
        is_elsewhere = settings.device is not None and _NUMBERED.search(settings.device)
        device = None if is_elsewhere else settings.device
        return replace(settings, rpc=(), tensor_split=(), device=device)

    return replace(choice, target_settings=here(choice.target_settings), draft_settings=here(choice.draft_settings))


def rpc_devices(servers: Sequence[RpcServer]) -> list[Device]:
    """Names devices like llama.cpp does, numbered in the order of the servers."""
    each = [(server.address, device) for server in servers for device in server.devices]
    return [
        Device(f"{RPC}{number}", address, "gpu", device.total, device.free)
        for number, (address, device) in enumerate(each)
    ]
