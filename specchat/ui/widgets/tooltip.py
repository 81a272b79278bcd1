"""Makes tooltips show text literally, as Qt may mistake it for rich text."""

from html import escape
from textwrap import TextWrapper

_LINES = TextWrapper(80, break_long_words=False, break_on_hyphens=False, expand_tabs=False, replace_whitespace=False)
"""Qt would make a single one, as wide as the screen."""


def tooltip_text(words: str) -> str:
    """What shows exactly these words."""
    if "<" in words:
        return f"<p>{escape(words).replace(chr(10), '<br>')}</p>"
    return "\n".join("\n".join(_LINES.wrap(line)) for line in words.split("\n"))
