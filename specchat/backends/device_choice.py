"""Decides which devices a model is loaded on."""

from specchat.backends import devices, rpc_registry
from specchat.domain.types import ModelSettings


def chosen_devices(settings: ModelSettings) -> list[int] | None:
    """Returns device handles without the CPU, which takes the remaining layers. None: llama.cpp chooses."""
    if settings.device is not None:
        named = [devices.find(name) for name in settings.device.split(",")]
        return [handle for handle in named if devices.describe(handle).kind != "cpu"]
    return [*rpc_registry.of_servers(settings.rpc), *_local_gpus()] if rpc_registry.added() else None


def n_sharing(settings: ModelSettings) -> int:
    """Returns the number of devices that may share the model."""
    chosen = chosen_devices(settings)
    return len(_local_gpus() if chosen is None else chosen)


def all_on_cpu(settings: ModelSettings) -> bool:
    if settings.gpu_layers == 0:
        return True
    chosen = chosen_devices(settings)
    return all(devices.describe(handle).kind == "cpu" for handle in (devices.handles() if chosen is None else chosen))


def _local_gpus() -> list[int]:
    """Returns the same GPUs as llama.cpp: an integrated one only if there is no other."""
    of_others = rpc_registry.of_servers(rpc_registry.added())
    here = {handle: devices.describe(handle).kind for handle in devices.handles() if handle not in of_others}
    gpus = [handle for handle, kind in here.items() if kind == "gpu"]
    return gpus or [handle for handle, kind in here.items() if kind == "igpu"][:1]
