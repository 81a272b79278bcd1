"""The sections in which models think aloud."""

import re

_TAGS = ("think", "thinking", "thought", "thoughts", "reasoning", "reflection", "seed:think")
_SECTIONS = (
    *((f"<{tag}>", f"</{tag}>") for tag in _TAGS),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel>thought", "<channel|>"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
)
_BEGIN = "|".join(re.escape(begin) for begin, _ in _SECTIONS)
_END = "|".join(re.escape(end) for _, end in _SECTIONS)
_SECTION = "|".join(f"{re.escape(begin)}.*?{re.escape(end)}" for begin, end in _SECTIONS)

_ANYTHING = re.compile(f"{_BEGIN}|{_END}", re.IGNORECASE)
_ENDED = re.compile(_END, re.IGNORECASE)
_BEGUN_BEFORE = re.compile(rf"\A(?:(?!{_BEGIN}).)*?(?:{_END})[ \t]*(?:\n\s*|\Z)", re.DOTALL | re.IGNORECASE)
"""Some templates open the section themselves: only its end is in the text."""
_CODE_OR_SECTION = re.compile(
    rf"(^(?P<fence>```+|~~~+).*?(?:^(?P=fence)|\Z))|^[ \t]*(?:{_SECTION})\s*", re.DOTALL | re.IGNORECASE | re.MULTILINE
)
_UNFINISHED = re.compile(rf"\A\s*(?:{_BEGIN}).*", re.DOTALL | re.IGNORECASE)
_FINAL = re.compile(r"\A\s*(?:<\|start\|>assistant)?<\|channel\|>final<\|message\|>")


def ends_thought(text: str) -> bool:
    return _ENDED.search(text) is not None


def without_reasoning(text: str) -> str:
    """Markers count at the beginning of a line, and not inside code: an answer may be about them."""
    if _ANYTHING.search(text) is None:
        return text
    if ends_thought(text):
        text = _BEGUN_BEFORE.sub("", text)
        text = _CODE_OR_SECTION.sub(lambda found: found[1] or "", text)
    return _FINAL.sub("", _UNFINISHED.sub("", text))
