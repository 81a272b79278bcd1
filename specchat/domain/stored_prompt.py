"""A prompt in the library, which can be inserted into a message."""

import re
from dataclasses import dataclass

_PLACEHOLDER = re.compile(r"\{\{[^{}\n]{1,80}\}\}")


@dataclass(frozen=True, slots=True)
class StoredPrompt:
    name: str
    text: str
    """With placeholders to fill in, such as {{topic}}."""


def find_placeholder(text: str, start: int = 0) -> tuple[int, int] | None:
    """Where the first one begins and ends, braces included."""
    found = _PLACEHOLDER.search(text, start)
    return found.span() if found else None
