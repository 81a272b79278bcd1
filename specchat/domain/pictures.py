"""Pictures in messages."""

from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256


@dataclass(frozen=True)
class Picture:
    """A picture, as the bytes of its file."""

    content: bytes = field(repr=False)
    name: str = ""

    @cached_property
    def digest(self) -> str:
        """Identifies the content."""
        return sha256(self.content).hexdigest()
