"""Parses the GGUF header of an untrusted file."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from struct import Struct
from types import MappingProxyType

from specchat.domain.errors import ModelFileError
from specchat.gguf.cursor import Cursor
from specchat.gguf.file_errors import DOWNLOAD_AGAIN, damaged_file_error, truncated_file_error
from specchat.gguf.foreign_formats import GLANCE, not_gguf_error
from specchat.gguf.hyperparameters import check_hyperparameters
from specchat.gguf.medusa_tensors import MEDUSA, medusa_tensors
from specchat.gguf.metadata import Value, integer, read_metadata, text
from specchat.gguf.safetensors import is_safetensors, read_safetensors
from specchat.gguf.source import ByteSource
from specchat.gguf.tensors import TensorInfo, align, read_tensors

MAX_HEADER = 64 * 1024 * 1024
MAX_ALIGNMENT = 64 * 1024

_MAGIC = b"GGUF"
_VERSION = Struct("<I")
_COUNT = Struct("<Q")
_ARCHITECTURE = re.compile(r"[\w.+-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True, eq=False)
class Header:
    name: str
    version: int
    metadata: Mapping[str, Value]
    tensors: tuple[TensorInfo, ...]
    data_offset: int
    bytes_read: int

    @property
    def architecture(self) -> str | None:
        """None in the later parts of a split model."""
        return text(self.metadata, "general.architecture", self.name)


def read_header(source: ByteSource) -> Header:
    if source.size == 0:
        raise ModelFileError("{name} is empty.", DOWNLOAD_AGAIN, name=source.name)
    cursor = Cursor(source, MAX_HEADER)
    if is_safetensors(source.name, cursor.peek(GLANCE)):
        return _read_medusa(cursor, source)
    version = _read_version(cursor)
    n_tensors, n_keys = cursor.number(_COUNT), cursor.number(_COUNT)
    metadata = read_metadata(cursor, n_keys)
    alignment = read_alignment(metadata, source.name)
    _check_architecture(metadata, source.name)
    tensors = read_tensors(cursor, n_tensors, alignment)
    data_offset = align(cursor.position, alignment)
    if tensors:
        needed = data_offset + tensors[-1].offset + tensors[-1].size
        if needed > source.size:
            raise truncated_file_error(source.name, needed, source.size)
    return Header(source.name, version, MappingProxyType(metadata), tensors, data_offset, source.bytes_read)


def _read_medusa(cursor: Cursor, source: ByteSource) -> Header:
    """Of safetensors files, only those with such heads are of use: they get the header that a GGUF file would have."""
    start = cursor.peek(GLANCE)
    tensors = medusa_tensors(source.name, read_safetensors(cursor, source.size))
    if not tensors:
        raise not_gguf_error(source.name, start)
    metadata: dict[str, Value] = {
        "general.architecture": MEDUSA,
        f"{MEDUSA}.embedding_length": tensors[0].shape[0],
    }
    if outputs := [tensor.shape[1] for tensor in tensors if tensor.name.endswith("output.weight")]:
        metadata[f"{MEDUSA}.vocab_size"] = outputs[0]
    check_hyperparameters(metadata, MEDUSA, source.name)
    return Header(source.name, 0, MappingProxyType(metadata), tensors, cursor.position, source.bytes_read)


def _read_version(cursor: Cursor) -> int:
    start = cursor.peek(GLANCE)
    if start.startswith(_MAGIC[::-1]):
        raise _big_endian(cursor.name)
    if not start.startswith(_MAGIC):
        raise not_gguf_error(cursor.name, start)
    cursor.take(len(_MAGIC))
    version = cursor.number(_VERSION)
    if version and not version & 0xFFFF:
        raise _big_endian(cursor.name)
    if version == 1:
        raise ModelFileError(
            "{name} uses GGUF version 1, which llama.cpp no longer reads.",
            "Download a newer GGUF version of this model.",
            name=cursor.name,
        )
    if version not in (2, 3):
        raise ModelFileError(
            "{name} uses GGUF version {version}; only versions 2 and 3 are supported.",
            "Update specchat, or download another GGUF version.",
            name=cursor.name,
            version=version,
        )
    return version


def _big_endian(name: str) -> ModelFileError:
    return ModelFileError(
        "{name} is a big-endian GGUF file for a different kind of CPU.",
        "Download the ordinary (little-endian) version.",
        name=name,
    )


def read_alignment(metadata: Mapping[str, Value], name: str) -> int:
    alignment = integer(metadata, "general.alignment", name)
    if alignment is None:
        return 32
    if not 1 <= alignment <= MAX_ALIGNMENT or alignment & (alignment - 1):
        raise damaged_file_error(name, "general.alignment is {alignment}", alignment=alignment)
    return alignment


def _check_architecture(metadata: Mapping[str, Value], name: str) -> None:
    architecture = text(metadata, "general.architecture", name)
    if architecture is None:
        return
    if not _ARCHITECTURE.fullmatch(architecture):
        raise damaged_file_error(name, "general.architecture is not a name")
    if architecture == MEDUSA:
        raise ModelFileError(
            "{name} contains Medusa heads as GGUF, which specchat doesn't read.",
            "Choose the .safetensors file of these heads.",
            name=name,
        )
    check_hyperparameters(metadata, architecture, name)
