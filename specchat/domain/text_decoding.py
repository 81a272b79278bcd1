"""Decides whether bytes are text, and decodes them."""

import codecs

UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ALLOWED = "\t\n\v\f\r\x1b"
_CONTROLS = frozenset(map(chr, range(32))) - frozenset(_ALLOWED)


def decode_text(content: bytes) -> str | None:
    """None: it is not text in UTF-8, or in UTF-16 that says so."""
    try:
        text = content.decode("utf-16" if content.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        return None
    return unify_line_ends(text) if _CONTROLS.isdisjoint(text) else None


def unify_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def may_be_text(head: bytes) -> bool:
    """Its last character may be cut in two."""
    decoder = codecs.getincrementaldecoder("utf-16" if head.startswith(UTF_16) else "utf-8")()
    try:
        return _CONTROLS.isdisjoint(decoder.decode(head))
    except UnicodeDecodeError:
        return False
