"""What people can check their download against: `sha256sum --check SHA256SUMS`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path


def write_checksums(files: Sequence[Path]) -> None:
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (files[0].parent / "SHA256SUMS").write_bytes("".join(lines).encode())
