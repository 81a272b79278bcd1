"""Medusa heads, each with residual blocks and an output matrix that read the state of the latest token."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from specchat.backends import devices
from specchat.backends.cached_sequence import CacheState
from specchat.backends.cores import physical_cores
from specchat.backends.ggml_device import Formula, GgmlDevice, Tensor, can_multiply, quantize
from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import MemoryShortageError, ModelFileError
from specchat.domain.heads import HeadKind
from specchat.domain.medusa import BF16, F16, F32, StoredHead, StoredHeads, StoredMatrix, place_of_heads
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.translatable_text import with_decimals
from specchat.domain.types import OUTPUT_STATE, Device, ModelSettings

_GIGABYTE = 10**9
_PART = 16 << 20
"""The number of bytes that are read and converted at a time."""

Floats = NDArray[np.float32]
Progress = Callable[[float], None]


class MedusaHeads:
    kind = HeadKind.MEDUSA
    layers: Sequence[int] = (OUTPUT_STATE,)
    shares_cache = True
    """It needs no cache."""
    state_bytes = 0

    def __init__(
        self,
        path: Path,
        stored: StoredHeads,
        target: LlamaModel,
        settings: ModelSettings,
        cancel: CancelToken | None = None,
        progress: Progress = lambda _: None,
    ) -> None:
        self.path = path
        self.settings = settings
        self.n_ctx = target.n_ctx
        self.state_width = target.weights.n_embd
        self._stored = stored
        matrices = list(stored.matrices)
        place = place_of_heads(settings, _suitable_devices(matrices))
        threads = settings.threads or physical_cores()
        self._device = GgmlDevice(devices.find(place.name), threads, len(matrices))
        try:
            self._tensors = self._load(matrices, cancel or CancelToken(), progress)
        except BaseException:
            self.close()
            raise
        self.allocated: Mapping[str, MemoryBreakdown] = {place.name: MemoryBreakdown(weights=self._device.n_bytes)}

    def add_slots(self, targets: Sequence[LlamaModel]) -> "list[MedusaHeads]":
        """Returns the heads for each answer: always these, because they keep nothing of a text."""
        return [self] * len(targets)

    def n_free(self, n_tokens: int) -> int:
        return self.n_ctx - n_tokens

    @property
    def n_guesses(self) -> int:
        return len(self._stored.heads)

    def logits(self, ahead: int, states: Floats, cancel: CancelToken) -> Floats:
        """Returns the logits for the token `ahead` places after the one that the states' own logits predict."""
        cancel.check()
        return self._device.compute(partial(self._apply, self._stored.heads[ahead]), states)

    def keep(self, length: int) -> None:
        """There is no cache."""

    def clear(self) -> None:
        """There is no cache."""

    def state(self, tokens: NDArray[np.int32]) -> CacheState:
        return CacheState(tokens.copy(), np.empty(0, dtype=np.uint8))

    def restore(self, state: CacheState) -> bool:
        return False

    def close(self) -> None:
        self._device.close()

    def _apply(self, head: StoredHead, formula: Formula, states: Tensor) -> Tensor:
        for block in head.blocks:
            change = formula.product(self._tensors[block.weight], states)
            if block.bias is not None:
                change = formula.sum(change, self._tensors[block.bias])
            states = formula.sum(formula.silu(change), states)
        return formula.product(self._tensors[head.output], states)

    def _load(
        self,
        matrices: Sequence[StoredMatrix],
        cancel: CancelToken,
        progress: Progress,
    ) -> Mapping[StoredMatrix, Tensor]:
        tensors = {each: self._device.add(each.loaded_type, each.n_columns, each.n_rows) for each in matrices}
        if not self._device.allocate():
            raise MemoryShortageError(
                "{name} needs {size} GB of memory, more than is free.",
                "Use a smaller context (-c), or choose a smaller model.",
                name=self.path.name,
                size=with_decimals(self._stored.loaded_size / _GIGABYTE, 1),
            )
        done, total = 0, sum(each.size for each in tensors)
        for each, tensor in tensors.items():
            self._device.fill(tensor, _checked(_loaded(each), cancel))
            done += each.size
            progress(done / total)
        return tensors


def _suitable_devices(matrices: Sequence[StoredMatrix]) -> list[Device]:
    """Returns the devices that can compute with these matrices, always including the CPU."""
    shapes = {(each.loaded_type, each.n_columns, each.n_rows) for each in matrices}
    return [
        device
        for device in devices.available()
        if all(can_multiply(devices.find(device.name), *shape) for shape in shapes)
    ]


def _checked(parts: Iterator[NDArray[np.uint8]], cancel: CancelToken) -> Iterator[NDArray[np.uint8]]:
    for part in parts:
        cancel.check()
        yield part


def _loaded(matrix: StoredMatrix) -> Iterator[NDArray[np.uint8]]:
    """Yields the rows in the format in which they are loaded, a few at a time."""
    n_bytes = max(1, _PART * matrix.n_rows // matrix.size) * (matrix.size // matrix.n_rows)
    try:
        with matrix.path.open("rb") as file:
            file.seek(matrix.offset)
            for at in range(0, matrix.size, n_bytes):
                yield _converted(_read(file, min(n_bytes, matrix.size - at), matrix.path.name), matrix)
    except OSError as error:
        raise ModelFileError(
            "Can't read {path}: {reason}.", "Check the path and the disk.", path=matrix.path, reason=error.strerror
        ) from error


def _read(file: BinaryIO, n_bytes: int, name: str) -> NDArray[np.uint8]:
    data = np.fromfile(file, np.uint8, n_bytes)
    if len(data) < n_bytes:
        raise ModelFileError("{name} is shorter than expected.", "Check the disk.", name=name)
    return data


def _converted(raw: NDArray[np.uint8], matrix: StoredMatrix) -> NDArray[np.uint8]:
    if matrix.type == matrix.loaded_type:
        return raw
    floats = _floats(raw, matrix.type).reshape(-1, matrix.n_columns)
    if matrix.loaded_type == F32:
        return floats.view(np.uint8).reshape(-1)
    if matrix.loaded_type == F16:
        return floats.astype(np.float16).view(np.uint8).reshape(-1)
    return quantize(matrix.loaded_type, floats)


def _floats(raw: NDArray[np.uint8], type_number: int) -> Floats:
    if type_number == BF16:
        return (raw.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return raw.view(np.float16 if type_number == F16 else np.float32).astype(np.float32)
