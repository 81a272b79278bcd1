"""Keeps text from outside from becoming control tokens while a chat template works with it.

Characters of such text that would be part of a control token pass through the template as private ones ("shadows").
What comes out of the template tells which characters they were.
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
"""Words that templates compare, and nobody's text."""
_WIRE = {
    *("messages", "role", "content", "type", "text", "name", "function", "id", "tool_calls", "tool_call_id"),
    *("arguments", "variables", "tools", "documents", "parameters", "properties", "required", "description", "enum"),
    *("items", "add_generation_prompt"),
}
"""Names that the conversation's form has by itself."""


@dataclass(frozen=True, slots=True)
class PromptText:
    text: str
    literal: tuple[Span, ...] = ()
    """Characters that must not become part of a control token."""


def shield(inputs: list[Any], controls: ControlTexts, template: str) -> tuple[list[Any], Shadows]:
    """The inputs of a template with shadows in them. Most inputs need none, and stay as they are."""
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
    """All texts in a value, also the names in it, changed where they could become control tokens."""
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
    """The first of the private characters that the text leaves free; some that are in use where it has nearly all."""
    free = _FIRST_PRIVATE
    for used in sorted(set(map(ord, _PRIVATE.findall(text)))):
        if used >= free + size:
            break
        free = used + 1
    return min(free, _FIRST_PRIVATE + _N_PRIVATE - size)
