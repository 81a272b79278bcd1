"""Shows foreign names on buttons and in menus as they are."""


def literal_text(words: str) -> str:
    """In these texts Qt would hide an ampersand and make the character after it a shortcut."""
    return words.replace("&", "&&")
