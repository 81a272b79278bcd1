"""The --device NAME=BYTES option, which describes the memory of another machine."""

import argparse
import re

from specchat.domain.memory import CPU
from specchat.domain.types import Device

_PLANNED = re.compile(r"(?P<name>[^=]+)=(?P<size>\d+(?:\.\d+)?)(?P<unit>[KMGT]?)(?P<binary>i?)B?", re.IGNORECASE)


def add_planned_devices(parser: argparse.ArgumentParser) -> None:
    plan = "plan for another machine: CPU or a GPU name, and its memory, such as CPU=24G; may be repeated"
    parser.add_argument("--device", type=_device, action="append", default=[], metavar="NAME=BYTES", help=plan)


def _device(text: str) -> Device:
    found = _PLANNED.fullmatch(text)
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=BYTES, such as CPU=16G")
    base = 1024 if found["binary"] else 1000  # as amounts are told everywhere
    size = int(float(found["size"]) * base ** " KMGT".index(found["unit"].upper() or " "))
    is_cpu = found["name"].upper() == CPU
    return Device(CPU if is_cpu else found["name"], "", "cpu" if is_cpu else "gpu", size, size)
