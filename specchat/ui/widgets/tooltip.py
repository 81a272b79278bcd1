"""Qt guesses whether a tooltip is marked up, and names of models and files may look like it."""

from html import escape


def tooltip(words: str) -> str:
    """What shows exactly these words."""
    if "<" not in words:
        return words
    return f"<p>{escape(words).replace(chr(10), '<br>')}</p>"
