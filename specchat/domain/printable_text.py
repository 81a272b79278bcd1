"""Makes untrusted text safe to show in a terminal or a window."""

import re

_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours and the cursor
    r"|(?:\x1b[PX\]^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)?"  # titles, links and other texts
    r"|\x1b[ -/]*[0-~]?"
)

_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0)), "\N{REPLACEMENT CHARACTER}") | {
    ord("\t"): "\t",
    ord("\n"): "\n",
    ord("\r"): "",
}


def printable_text(text: str, instead: str = "\N{REPLACEMENT CHARACTER}") -> str:
    """Escape sequences go as a whole: what is left of one would stand among the words."""
    return "".join(c if c.isprintable() else instead for c in _ESCAPES.sub(instead, text))


def without_controls(text: str) -> str:
    """Replaces control characters one by one, so that a text can also come in pieces. Keeps its lines, and joiners."""
    return text.translate(_CONTROLS)
