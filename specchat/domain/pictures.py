"""Pictures in messages."""

from dataclasses import dataclass

from specchat.domain.media import Media


@dataclass(frozen=True, slots=True)
class Picture(Media):
    """A picture, as the bytes of its file."""
