"""Measures the memory of a model with the allocator of llama.cpp in a child process, without weights."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from specchat.backends.child import (
    Child,
    ChildDied,
    ChildError,
    ChildOutOfMemory,
    ChildTooLarge,
    child_command,
)
from specchat.backends.crash_errors import crash_error, memory_limit_error, was_killed_by_system
from specchat.backends.rpc_servers import KnownRpcServers
from specchat.domain.errors import ModelLoadError
from specchat.domain.heads import HeadKind
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Device, ModelSettings

SECONDS = 20.0
_NO_CRASH = (None, 0, 1)
"""Exit codes of the interpreter itself, which don't depend on the file."""
MEMORY = 512 << 20
"""The memory limit. A tenth is usually enough, but the state of a recurrent model is really allocated."""


@dataclass(frozen=True, slots=True)
class TiedEmbedding:
    """A token embedding that is also used as the output matrix."""

    type: int
    width: int
    n_vocab: int


@dataclass(frozen=True, slots=True)
class MemoryMeasurement:
    parts: Mapping[str, MemoryBreakdown]
    """The memory by device, without the weights."""
    layers: tuple[str, ...]
    """The device of each layer, and of the output as the one after the last."""
    unused: tuple[str, ...]
    """Tensors of the file that are not loaded."""
    rearranged: bool
    """Whether a repacked copy of the embedding is kept for the output."""
    n_ctx: int
    devices: tuple[Device, ...]


@dataclass(frozen=True, slots=True)
class HeadAttachment:
    """The parts of the target that a head uses, needed to measure it."""

    kind: HeadKind
    target: Path
    target_settings: ModelSettings
    in_target: bool
    """Whether the head is in the target's file."""


class MemoryMeasurer:
    """Keeps its process and the latest models, so that measuring other settings of these takes almost no time."""

    def __init__(self, child: Child | None = None, servers: KnownRpcServers | None = None) -> None:
        self._child = child or _measuring_child()
        self._servers = servers or KnownRpcServers()
        self._rpc: tuple[str, ...] = ()
        """The servers that the process knows."""

    def warm_up(self) -> None:
        with suppress(ChildError):  # measuring will report it
            self._child.start()

    def measure(
        self, path: Path, settings: ModelSettings, tied: TiedEmbedding | None = None, head: HeadAttachment | None = None
    ) -> MemoryMeasurement:
        """Raises a `ChildError` if measuring fails. Needs only the header of the file.

        `head`: measures a head, with the states that it reads.
        """
        request = {
            "path": str(path),
            "settings": to_plain(settings),
            "tied": to_plain(tied),
            "head": to_plain(head),
            "servers": [to_plain(self._servers.find(address)) for address in settings.rpc],
        }
        self._keep_to(settings.rpc)
        try:
            reply = self._child.request(request, seconds=SECONDS)
        except ChildTooLarge:
            raise
        except ChildOutOfMemory as error:
            raise memory_limit_error(path.name) from error
        except ChildDied as error:
            if error.returncode in _NO_CRASH or was_killed_by_system(error):
                raise
            raise crash_error(path.name, error) from error
        if reply.get("error"):
            raise ModelLoadError(
                from_plain(TranslatableText, reply["error"]), from_plain(TranslatableText, reply["hint"])
            )
        measured = from_plain(MemoryMeasurement, reply)
        if not (measured.layers and any(parts.compute for parts in measured.parts.values())):
            raise ChildError("llama.cpp didn't report its memory needs.")
        return measured

    def close(self) -> None:
        self._child.close()

    def _keep_to(self, rpc: tuple[str, ...]) -> None:
        """Starts a new process for other servers, because llama.cpp numbers their devices and forgets none."""
        if rpc and rpc != self._rpc:
            if self._rpc:
                self._child.close()
                self._child = _measuring_child()
            self._rpc = rpc


def _measuring_child() -> Child:
    return Child(child_command("measure"), memory=MEMORY)
