"""Parses the names of model files: split part, quantization and kind."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from specchat.domain.hub import HubFileKind

_PART = re.compile(r"(?P<model>.+)-(?P<part>[0-9]{5})-of-(?P<all>[0-9]{5})\.gguf", re.IGNORECASE)
_QUANTIZATION = re.compile(
    r"(?<![a-z0-9])((?:UD-)?(?:I?Q\d|TQ\d)(?:_(?:\d|K|NL|XXS|XS|S|M|L|XL|XXL))*|MXFP4(?:_MOE)?|NVFP4|BF16|FP?16|FP?32)"
    r"(?![a-z0-9])",
    re.IGNORECASE,
)
_LONGEST, _LONGEST_PART = 1000, 240
"""The longest name in bytes: most file systems allow 255, and specchat adds extensions."""
_BARE_DRAFT = re.compile(r"(?<![a-z0-9])(eagle3|dflash|dspark)(?![a-z0-9])", re.IGNORECASE)


def is_safe_path(path: str) -> bool:
    """It becomes a path on this computer, and is shown: nothing in it may be invisible or turn the text around."""
    return (
        path.isprintable()
        and not {"\\", ":"} & set(path)
        and _size(path) <= _LONGEST
        and all(each and each[-1] not in ". " and _size(each) <= _LONGEST_PART for each in path.split("/"))
    )


def parse_part(path: str) -> tuple[str, int, int] | None:
    """The model, which part of it, and of how many."""
    found = _PART.fullmatch(path)
    if found is None or not 1 <= int(found["part"]) <= int(found["all"]):
        return None
    return found["model"], int(found["part"]), int(found["all"])


def all_parts(path: str) -> Iterator[str]:
    """Itself, or all files of the model that it is a part of."""
    part = parse_part(path)
    if part is None:
        yield path
        return
    model, _, count = part
    yield from (f"{model}-{number:05d}-of-{count:05d}.gguf" for number in range(1, count + 1))


def quantization_of(path: str) -> str:
    """The folder says it where the file does not; empty where neither does."""
    for name in (PurePosixPath(path).name, path):
        if found := _QUANTIZATION.findall(name):
            return str(found[-1]).upper().replace("FP", "F").replace("MXF4", "MXFP4").replace("NVF4", "NVFP4")
    return ""


def kind_of(path: str) -> HubFileKind:
    name = PurePosixPath(path).name.casefold()
    if "mmproj" in name:
        return HubFileKind.MMPROJ
    if "imatrix" in name and not quantization_of(name):  # many a model says that it was made with one
        return HubFileKind.IMATRIX
    if name.endswith(".safetensors"):
        return HubFileKind.MEDUSA
    if name.startswith("mtp-"):
        return HubFileKind.MTP
    found = _BARE_DRAFT.search(name)
    return HubFileKind(found[1].casefold()) if found else HubFileKind.MODEL


def _size(name: str) -> int:
    return len(name.encode())
