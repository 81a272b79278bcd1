"""Chooses the vision encoder (mmproj) that is downloaded with a model."""

import re
from collections.abc import Sequence
from os.path import commonprefix
from pathlib import PurePosixPath

from specchat.domain.hub import HubFileKind, RemoteModel

_PREFERRED = ("F16", "Q8_0", "BF16", "F32")
"""As small as can be without a loss; BF16 is slow on many computers."""
_ROOT = PurePosixPath()
_SEPARATORS = re.compile(r"[-_.]+")


def find_vision_encoder(model: RemoteModel, listing: Sequence[RemoteModel]) -> RemoteModel | None:
    """In the model's folder or above all; of several, the one that is named after it."""
    if model.kind is not HubFileKind.MODEL:
        return None
    folder = PurePosixPath(model.first.path).parent
    found = [
        each
        for each in listing
        if each.kind is HubFileKind.MMPROJ and PurePosixPath(each.first.path).parent in (folder, _ROOT)
    ]
    return min(found, key=lambda each: _distance(each, model), default=None)


def _distance(encoder: RemoteModel, model: RemoteModel) -> tuple[int, int, int, int]:
    own, path = PurePosixPath(encoder.first.path), PurePosixPath(model.first.path)
    quantization = encoder.quantization
    rank = _PREFERRED.index(quantization) if quantization in _PREFERRED else len(_PREFERRED)
    return own.parent != path.parent, -len(commonprefix((_words(own.name), _words(path.name)))), rank, encoder.size


def _words(name: str) -> list[str]:
    return [word for word in _SEPARATORS.split(name.casefold()) if word not in ("", "mmproj")]
