"""Tells which graphics cards of this computer llama.cpp does not use, why, and what to do about it."""

import os
import sys
from collections.abc import Collection, Sequence

from specchat.domain.graphics import CardVendor, GraphicsCard, UnusedCard
from specchat.domain.rpc import RPC
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import Device

_WORDS = {
    CardVendor.NVIDIA: ("nvidia", "geforce"),
    CardVendor.AMD: ("amd", "radeon"),
    CardVendor.INTEL: ("intel",),
}
"""One of them is in the description of each device."""
_BACKENDS = {
    CardVendor.NVIDIA: {"CUDA": "cuda", "Vulkan": "vulkan"},
    CardVendor.AMD: {"ROCm": "rocm", "Vulkan": "vulkan"},
    CardVendor.INTEL: {"Vulkan": "vulkan"},
}
"""Backend names in llama.cpp and for --gpu, the best first."""


def list_unused_cards(devices: Sequence[Device]) -> list[UnusedCard]:
    """`devices`: those that llama.cpp lists."""
    from specchat.backends.devices import backend_names
    from specchat.backends.graphics_cards import find_cards

    return find_unused_cards(
        find_cards(),
        devices,
        backend_names(),
        is_packaged=bool(getattr(sys, "frozen", False)),
        is_switched_off=os.environ.get("GGML_DISABLE_VULKAN") == "1",
    )


def find_unused_cards(
    cards: Sequence[GraphicsCard],
    devices: Sequence[Device],
    backends: Collection[str],
    *,
    is_packaged: bool,
    is_switched_off: bool,
) -> list[UnusedCard]:
    gpus = [
        device.description.lower()
        for device in devices
        if device.kind in ("gpu", "igpu") and not device.name.startswith(RPC)
    ]
    return [
        _explain(card, backends, is_packaged=is_packaged, is_switched_off=is_switched_off)
        for card in cards
        if not any(word in described for described in gpus for word in _WORDS[card.vendor])
    ]


def _explain(card: GraphicsCard, backends: Collection[str], *, is_packaged: bool, is_switched_off: bool) -> UnusedCard:
    if is_switched_off:
        reason = TranslatableText("GPUs are turned off because a driver crashed")
        return UnusedCard(card.name, reason, TranslatableText("Open the specchat window and click “Use GPU again”."))
    fitting = _BACKENDS[card.vendor]
    loaded = next((name for name in fitting if name in backends), "")
    if loaded:
        reason = TranslatableText("{backend} can't find it", backend=loaded)
        return UnusedCard(card.name, reason, TranslatableText("Install the card's driver, or update it."))
    reason = TranslatableText("llama.cpp has no backend for it here")
    if is_packaged:
        return UnusedCard(card.name, reason, TranslatableText("Install libvulkan1 and the card's Vulkan driver."))
    best = next(iter(fitting.values()))
    hint = TranslatableText("Start specchat once with: python3 packaging/dev.py run --gpu {name}", name=best)
    return UnusedCard(card.name, reason, hint)
