"""Pictures in messages."""

from dataclasses import dataclass, field
from hashlib import sha256


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Picture:
    """A picture, as the bytes of its file."""

    content: bytes = field(repr=False)
    name: str = ""
    digest: str = field(init=False, repr=False, compare=False)
    """Identifies the content."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", sha256(self.content).hexdigest())
