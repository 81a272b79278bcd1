"""What models see or hear besides text: pictures and recordings."""

from dataclasses import dataclass, field
from hashlib import sha256

from specchat.domain.translatable_text import TranslatableText

WITH_MMPROJ = TranslatableText("Load it with its mmproj file (--mmproj), or choose a model that has one.")
OTHER_MODEL = TranslatableText("Choose another model of the engine.")
"""What to do about a model that another engine has loaded."""


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Media:
    """The bytes of a file."""

    content: bytes = field(repr=False)
    name: str = ""
    digest: str = field(init=False, repr=False, compare=False)
    """Identifies the content."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", sha256(self.content).hexdigest())


@dataclass(frozen=True, slots=True)
class Senses:
    """Whether a model sees pictures, and whether it hears recordings."""

    sees: bool = False
    hears: bool = False


TEXT_ONLY = Senses()
