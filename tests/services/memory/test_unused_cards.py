"""Cards that the system knows and llama.cpp does not use."""

from collections.abc import Collection, Sequence
from pathlib import Path

import pytest

from specchat.backends.graphics_cards import find_cards
from specchat.domain.graphics import CardVendor, GraphicsCard
from specchat.domain.types import Device
from specchat.services.memory.unused_cards import find_unused_cards

PROCESSOR = Device("CPU", "AMD Ryzen 9", "cpu", 1, 1)
GEFORCE = GraphicsCard(CardVendor.NVIDIA, "NVIDIA GeForce RTX 4070")


def put_card(root: Path, slot: str, vendor: str, kind: str = "0x030000") -> None:
    folder = root / "sys/bus/pci/devices" / slot
    folder.mkdir(parents=True)
    (folder / "vendor").write_text(f"{vendor}\n")
    (folder / "class").write_text(f"{kind}\n")


def words(
    cards: Sequence[GraphicsCard],
    devices: Sequence[Device] = (PROCESSOR,),
    backends: Collection[str] = ("CPU",),
    *,
    is_packaged: bool = False,
    is_switched_off: bool = False,
) -> list[str]:
    found = find_unused_cards(cards, devices, backends, is_packaged=is_packaged, is_switched_off=is_switched_off)
    return [f"{card.name}: {card.reason}. {card.hint}" for card in found]


def test_cards_are_found_on_the_bus(tmp_path: Path) -> None:
    put_card(tmp_path, "0000:00:02.0", "0x8086")
    put_card(tmp_path, "0000:01:00.0", "0x1002", "0x038000")
    put_card(tmp_path, "0000:02:00.0", "0x10de", "0x040300")  # its sound
    put_card(tmp_path, "0000:03:00.0", "0x1af4")  # a virtual one
    assert [card.vendor for card in find_cards(tmp_path)] == [CardVendor.INTEL, CardVendor.AMD]


def test_nvidia_names_its_own(tmp_path: Path) -> None:
    put_card(tmp_path, "0000:01:00.0", "0x10de")
    information = tmp_path / "proc/driver/nvidia/gpus/0000:01:00.0/information"
    information.parent.mkdir(parents=True)
    information.write_text("Model: \t\t NVIDIA GeForce RTX 4070\nIRQ: 1\n")
    assert find_cards(tmp_path) == [GEFORCE]


def test_a_system_without_cards(tmp_path: Path) -> None:
    assert find_cards(tmp_path) == []


def test_what_is_used_is_not_listed() -> None:
    card = Device("CUDA0", "NVIDIA GeForce RTX 4070", "gpu", 1, 1)
    assert words([GEFORCE], [PROCESSOR, card], ["CPU", "CUDA"]) == []


def test_a_processor_of_the_same_maker_is_no_card() -> None:
    assert words([GraphicsCard(CardVendor.AMD, "AMD")])[0].startswith("AMD: llama.cpp has no backend for it here")


@pytest.mark.parametrize(
    ("backends", "is_packaged", "is_switched_off", "said"),
    [
        (["CPU"], False, False, "no backend for it here. Start specchat once with: python3 packaging/dev.py run --gpu"),
        (["CPU"], True, False, "no backend for it here. Install libvulkan1"),
        (["CPU", "Vulkan"], True, False, "Vulkan can't find it. Install the card's driver"),
        (["CPU", "Vulkan"], True, True, "GPUs are turned off"),
    ],
)
def test_why_and_what_to_do(backends: list[str], is_packaged: bool, is_switched_off: bool, said: str) -> None:
    (line,) = words([GEFORCE], backends=backends, is_packaged=is_packaged, is_switched_off=is_switched_off)
    assert said in line


def test_another_machine_is_no_card_of_this_one() -> None:
    there = Device("RPC0", "nvidia:50052", "gpu", 1, 1)
    assert len(words([GEFORCE], [PROCESSOR, there], ["CPU", "RPC"])) == 1
