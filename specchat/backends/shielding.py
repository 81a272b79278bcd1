"""Prevents text from outside from becoming control tokens in a chat template.

Characters of such text that would be part of a control token are replaced with private characters ("shadows"). In the
output of the template, the original characters are restored, and their positions are marked as text.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from specchat.backends.control_texts import ControlTexts, Span

Shadows = Mapping[str, str]
"""Maps each private character to the one it stands for."""

_PRIVATE = re.compile("[\U000f0000-\U0010fffd]")
_FIRST_PRIVATE, _N_PRIVATE = 0xF0000, 0x1FFFE
_NAME = "a name"
_FIXED = ("role", "type")
"""Keys whose values are words that templates compare, not text from outside."""
_WIRE = {
    *("messages", "role", "content", "type", "text", "name", "function", "id", "tool_calls", "tool_call_id"),
    *("arguments", "variables", "tools", "documents", "parameters", "properties", "required", "description", "enum"),
    *("items", "add_generation_prompt"),
}
"""Names that belong to the format of conversations."""


@dataclass(frozen=True, slots=True)
class PromptText:
    text: str
    literal: tuple[Span, ...] = ()
    """Spans of characters that must not become part of a control token."""


def shield(inputs: list[Any], controls: ControlTexts, template: str) -> tuple[list[Any], Shadows]:
    """Returns the inputs of a template with shadows. Most inputs need none and stay unchanged."""
    dangerous: set[str] = set()

    def collect(text: str, spans: list[Span]) -> str:
        dangerous.update(*(text[start:end] for start, end in spans))
        return text

    _mapped(inputs, controls, collect)
    if not dangerous:
        return inputs, {}
    characters = sorted(dangerous)[:_N_PRIVATE]
    free = _free_block(len(characters), json.dumps(inputs, ensure_ascii=False) + template)
    to_shadow = {ord(character): chr(free + i) for i, character in enumerate(characters)}

    def cover(text: str, spans: list[Span]) -> str:
        covered = list(text)
        for start, end in spans:
            covered[start:end] = text[start:end].translate(to_shadow)
        return "".join(covered)

    return [_mapped(each, controls, cover) for each in inputs], {shadow: chr(c) for c, shadow in to_shadow.items()}


def unshield(rendered: str, shadows: Shadows) -> PromptText:
    if not shadows:
        return PromptText(rendered)
    runs = re.finditer(f"[{min(shadows)}-{max(shadows)}]+", rendered)
    literal = tuple(match.span() for match in runs)
    table = {ord(shadow): character for shadow, character in shadows.items()}
    return PromptText(rendered.translate(table), literal)


def _mapped(value: Any, controls: ControlTexts, change: Callable[[str, list[Span]], str], key: str = "") -> Any:
    """Changes all texts in a value, including names, that could become control tokens."""
    if isinstance(value, str):
        spans = _spans(value, controls, key)
        return change(value, spans) if spans else value
    if isinstance(value, list):
        return [_mapped(item, controls, change, key) for item in value]
    if isinstance(value, dict):
        return {
            _mapped(name, controls, change, _NAME): _mapped(item, controls, change, name)
            for name, item in value.items()
        }
    return value


def _spans(text: str, controls: ControlTexts, key: str) -> list[Span]:
    if key in _FIXED or (key == _NAME and text in _WIRE):
        return controls.spans(text)
    if controls.has_inside(text):
        return [(0, len(text))]
    return [*controls.spans(text), *controls.edges(text), *controls.outer(text)]


def _free_block(size: int, text: str) -> int:
    """Returns the first block of private characters that the text doesn't use. If it uses nearly all, they overlap."""
    free = _FIRST_PRIVATE
    for used in sorted(set(map(ord, _PRIVATE.findall(text)))):
        if used >= free + size:
            break
        free = used + 1
    return min(free, _FIRST_PRIVATE + _N_PRIVATE - size)
