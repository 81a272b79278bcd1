"""Finds the graphics cards that the system knows, even if llama.cpp doesn't use them. Linux only."""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from specchat.domain.graphics import CardVendor, GraphicsCard

_VENDORS = {"0x10de": CardVendor.NVIDIA, "0x1002": CardVendor.AMD, "0x8086": CardVendor.INTEL}
_DISPLAY = "0x03"
"""The prefix of the PCI class of display devices."""
_MODEL = re.compile(r"^Model:\s*(.+)$", re.MULTILINE)


def find_cards(root: Path = Path("/")) -> list[GraphicsCard]:
    """`root`: the root of the file system."""
    named = list(_named_by_nvidia(root))
    others = [card for card in _on_pci(root) if not (named and card.vendor is CardVendor.NVIDIA)]
    return [*named, *others]


def _named_by_nvidia(root: Path) -> Iterator[GraphicsCard]:
    for file in sorted((root / "proc/driver/nvidia/gpus").glob("*/information")):
        found = _MODEL.search(_text(file))
        yield GraphicsCard(CardVendor.NVIDIA, found[1].strip() if found else "NVIDIA")


def _on_pci(root: Path) -> Iterator[GraphicsCard]:
    for device in sorted((root / "sys/bus/pci/devices").glob("*")):
        vendor = _VENDORS.get(_text(device / "vendor").strip())
        if vendor is not None and _text(device / "class").startswith(_DISPLAY):
            yield GraphicsCard(vendor, vendor.value)


def _text(file: Path) -> str:
    with suppress(OSError):
        return file.read_text(encoding="utf-8", errors="replace")[:4096]
    return ""
