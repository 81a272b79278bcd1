"""Parses the log of llama.cpp for the memory of a model on each device."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from specchat.domain.memory import CPU, MemoryBreakdown

ByDevice = Mapping[str, MemoryBreakdown]

_BUFFER = re.compile(r": +(\S+) +(model|KV|RS|DSV4 \S+ state|compute|output) buffer size = +([\d.]+) MiB")
_PROJECTOR = re.compile(r"load_hparams: model size: +([\d.]+) MiB")
_ENCODER = "clip_ctx: CLIP using"
_LAYER = re.compile(r"load_tensors: layer +\d+ assigned to device (\S+),")
_UNUSED = re.compile(r"model has unused tensor (\S+) ")
_CACHE_WIDTHS = re.compile(r"print_info: n_embd_[kv]_gqa += \[?([\d, ]+)")
_CACHED_LAYER = re.compile(r"llama_kv_cache: layer +(\d+): dev = (\S+)")
_CACHE = re.compile(r"llama_kv_cache: size = +([\d.]+) MiB")


@dataclass(frozen=True, slots=True)
class LayerPlacement:
    devices: tuple[str, ...]
    """The device of each layer, and of the output as the one after the last."""
    cache_widths: tuple[int, ...]
    """The number of values that each layer caches per token."""
    unused: tuple[str, ...]
    """Tensors of the file that are not loaded."""


def parse_layer_placement(loading: Iterable[str]) -> LayerPlacement:
    """Parses the log of a model that was loaded without allocating it."""
    text = "\n".join(loading)
    devices = tuple(_LAYER.findall(text))
    widths = [[int(width) for width in found.split(",")] for found in _CACHE_WIDTHS.findall(text)]
    per_layer = [found * len(devices) if len(found) == 1 else found for found in widths]
    return LayerPlacement(devices, tuple(map(sum, zip(*per_layer, strict=False))), tuple(_UNUSED.findall(text)))


def parse_context_log(making: Sequence[str], places: LayerPlacement, output: int, names: Sequence[str]) -> ByDevice:
    """Parses the log of its context. `output`: the bytes of all outputs, of which only one is allocated at first."""
    found = _caches(making, places)
    for buffer, what, size in _buffers(making):
        device = _device(buffer, names)
        match what:
            case "compute":
                found[device] += MemoryBreakdown(compute=size)
            case "output":
                found[device] += MemoryBreakdown(output=output)
            case "model" | "KV":  # not allocated, therefore empty
                pass
            case _:
                found[device] += MemoryBreakdown(kv=size)
    return dict(found)


def parse_allocated_log(log: Iterable[str], names: Sequence[str], n_outputs: float) -> ByDevice:
    """Parses the log of a model in use. Repacked weights count twice, because the file is mapped as well."""
    found: dict[str, MemoryBreakdown] = defaultdict(MemoryBreakdown)
    for buffer, what, size in _buffers(log):
        match what:
            case "model":
                parts = MemoryBreakdown(weights=size)
            case "compute":
                parts = MemoryBreakdown(compute=size)
            case "output":
                parts = MemoryBreakdown(output=round(n_outputs * size))
            case _:
                parts = MemoryBreakdown(kv=size)
        found[_device(buffer, names)] += parts
    return dict(found)


def parse_projector_log(log: Iterable[str], names: Sequence[str]) -> ByDevice:
    """From the log of what encodes pictures and recordings, one after the other. The weights of both are on the device
    that they compute with most; each tells the size of the whole file.
    """
    computes: list[dict[str, int]] = [{}]
    weights = 0
    for line in log:
        if _ENCODER in line:
            computes.append({})
        elif size := _PROJECTOR.search(line):
            weights = _bytes(size[1])
        elif (buffer := _BUFFER.search(line)) and buffer[2] == "compute":
            computes[-1][_device(buffer[1], names)] = _bytes(buffer[3])  # what is said last holds
    found: dict[str, MemoryBreakdown] = defaultdict(MemoryBreakdown)
    for encoder in computes:
        for name, compute in encoder.items():
            found[name] += MemoryBreakdown(compute=compute)
    device = next((name for name in names if name in found and name != CPU), CPU)
    found[device] += MemoryBreakdown(weights=weights)
    return dict(found)


def _caches(making: Iterable[str], places: LayerPlacement) -> dict[str, MemoryBreakdown]:
    """Returns the memory of the caches. A model may have several; each is logged with its layers, then its size."""
    found: dict[str, MemoryBreakdown] = defaultdict(MemoryBreakdown)
    widths: dict[str, int] = defaultdict(int)
    for line in making:
        if layer := _CACHED_LAYER.search(line):
            widths[layer[2]] += places.cache_widths[int(layer[1])]
        elif cache := _CACHE.search(line):
            for device, width in widths.items():
                found[device] += MemoryBreakdown(kv=_bytes(cache[1]) * width // max(1, sum(widths.values())))
            widths.clear()
    return found


def _buffers(log: Iterable[str]) -> Iterator[tuple[str, str, int]]:
    for line in log:
        if found := _BUFFER.search(line):
            yield found[1], found[2], _bytes(found[3])


def _bytes(mib: str) -> int:
    return round(float(mib) * 2**20)


def _device(buffer: str, names: Sequence[str]) -> str:
    """Returns the device of a buffer. RAM that a GPU can access has its own buffer names."""
    return next((name for name in names if buffer == name or buffer.startswith(f"{name}_")), CPU)
