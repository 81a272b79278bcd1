"""Models that are split into several files: the part number and the names of the other parts."""

from dataclasses import dataclass
from pathlib import Path

from specchat.domain.errors import ModelFileError
from specchat.gguf.file_errors import damaged_file_error
from specchat.gguf.header import Header, read_header
from specchat.gguf.metadata import integer
from specchat.gguf.source import FileSource


@dataclass(frozen=True, slots=True)
class Split:
    part: int
    """Counted from 1."""
    n_parts: int

    def suffix(self, part: int) -> str:
        return f"-{part:05d}-of-{self.n_parts:05d}.gguf"


def read_split(header: Header) -> Split | None:
    n_parts = integer(header.metadata, "split.count", header.name) or 0
    if n_parts <= 1:
        return None
    part = (integer(header.metadata, "split.no", header.name) or 0) + 1
    if not 1 <= part <= n_parts <= 99999:
        raise damaged_file_error(header.name, "it claims to be part {part} of {all}", part=part, all=n_parts)
    return Split(part, n_parts)


def require_first_part(header: Header) -> Split | None:
    split = read_split(header)
    if split is not None and split.part > 1:
        raise ModelFileError(
            "{name} is part {part} of {all} of a model.",
            "Choose the first part, ending in {suffix}.",
            name=header.name,
            part=split.part,
            all=split.n_parts,
            suffix=split.suffix(1),
        )
    return split


def read_parts(path: Path) -> list[tuple[Path, Header]]:
    """All files of the model whose first part this is."""
    header = read_header(FileSource(path))
    return [(path, header), *((part, read_header(FileSource(part))) for part in find_other_parts(path, header))]


def find_other_parts(path: Path, header: Header) -> list[Path]:
    """The other files of the model whose first part this is."""
    split = require_first_part(header)
    return [path.with_name(name) for name in other_parts(path.name, split)] if split else []


def size_of_files(path: Path, n_parts: int) -> int:
    """In bytes, of the model whose first part this is."""
    others = other_parts(path.name, Split(1, n_parts)) if n_parts > 1 else []
    files = [path, *(path.with_name(name) for name in others)]
    return sum(file.stat().st_size for file in files if file.is_file())


def other_parts(name: str, split: Split) -> list[str]:
    """Empty for a file that was renamed: llama.cpp would not find its parts either."""
    stem = name.removesuffix(split.suffix(1))
    if stem == name:
        return []
    return [stem + split.suffix(part) for part in range(2, split.n_parts + 1)]
