"""Finds the mmproj file that a target sees or hears with.

Importing this costs nothing: headers are read only where there is such a file.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.errors import ModelFileError, UserError
from specchat.domain.hub import HubFileKind, is_model_file
from specchat.domain.media import TEXT_ONLY, Senses
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import PairChoice
from specchat.services.models.model_facts import file_state
from specchat.services.models.model_refs import path_for_ref
from specchat.sources.file_names import kind_of, parse_part, quantization_of

if TYPE_CHECKING:
    from specchat.gguf.projector import Projector

_PREFERRED = ("F16", "Q8_0", "BF16", "F32")
_SEPARATORS = re.compile(r"[^a-z0-9]+")


def with_mmproj(choice: PairChoice) -> PairChoice:
    """With the one that lies beside the target, where none is named nor all are left out."""
    settings = choice.target_settings
    if settings.mmproj is not None or settings.text_only or isinstance(choice.target, ServedModel):
        return choice
    try:
        found = find_mmproj(path_for_ref(choice.target))
    except UserError:
        return choice  # whoever reads the target tells why
    return choice if found is None else replace(choice, target_settings=replace(settings, mmproj=found))


def without_mmproj(choice: PairChoice) -> PairChoice:
    return replace(choice, target_settings=replace(choice.target_settings, mmproj=None, text_only=True))


def find_mmproj(target: Path) -> Path | None:
    """In its folder, or the one above in a Hub snapshot. One that was made for another model is no match."""
    for folder in _folders(target):
        fitting = [path for path in _candidates(folder, target) if _fits(path, target)]
        if fitting:
            return min(fitting, key=_preference)
    return None


def read_projector(path: Path) -> "Projector":
    return _projector(path, file_state(path))


def read_senses(mmproj: Path) -> Senses:
    """Of a target that has this file; none where it has changed for the worse meanwhile."""
    try:
        projector = read_projector(mmproj)
    except UserError:
        return TEXT_ONLY
    return Senses(projector.sees, projector.hears)


def require_fitting(mmproj: Path, target: Path) -> None:
    """Before llama.cpp sees it."""
    width, wanted = read_projector(mmproj).width, _n_embd(target)
    if width is not None and wanted is not None and width != wanted:
        raise ModelFileError(
            "{name} was made for another model than {target}.",
            "Choose the mmproj file from the target's repository, or none (--no-mmproj).",
            name=mmproj.name,
            target=target.name,
        )


def _folders(target: Path) -> Iterator[Path]:
    yield target.parent
    if target.parent.parent.parent.name == "snapshots":
        yield target.parent.parent


def _candidates(folder: Path, target: Path) -> list[Path]:
    try:
        names = [name for name in os.listdir(folder) if is_model_file(name)]
    except (OSError, ValueError):
        return []
    found = [name for name in names if kind_of(name) is HubFileKind.MMPROJ]
    models = {_stem(name) for name in names if kind_of(name) is HubFileKind.MODEL}
    is_alone = len(models) <= 1 or folder != target.parent
    return [folder / name for name in found if is_alone or _is_named_after(name, target.name)]


def _is_named_after(mmproj: str, target: str) -> bool:
    stem = _stem(mmproj)
    return bool(stem) and _stem(target).startswith(stem)


def _stem(name: str) -> str:
    """Without what tells its kind, quantization and part."""
    part = parse_part(name)
    plain = (part[0] if part else name.removesuffix(".gguf")).casefold()
    words = _SEPARATORS.split(plain.replace("mmproj", ""))
    quantization = set(_SEPARATORS.split(quantization_of(name).casefold())) | {"ud", "model", "fp16", "fp32"}
    return "-".join(word for word in words if word and word not in quantization)


def _preference(path: Path) -> tuple[int, str]:
    quantization = quantization_of(path.name)
    return _PREFERRED.index(quantization) if quantization in _PREFERRED else len(_PREFERRED), path.name


def _fits(mmproj: Path, target: Path) -> bool:
    try:
        require_fitting(mmproj, target)
    except UserError:
        return False
    return True


def _n_embd(target: Path) -> int | None:
    return _n_embd_in_state(target, file_state(target))


@lru_cache(maxsize=32)
def _n_embd_in_state(target: Path, state: str | None) -> int | None:
    from specchat.gguf.header import read_header
    from specchat.gguf.metadata import integer
    from specchat.gguf.source import FileSource

    header = read_header(FileSource(target))
    return integer(header.metadata, f"{header.architecture}.embedding_length", header.name)


@lru_cache(maxsize=32)
def _projector(path: Path, state: str | None) -> "Projector":
    from specchat.gguf.projector import read_projector

    return read_projector(path)
