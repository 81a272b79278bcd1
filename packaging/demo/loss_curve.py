"""The loss curves as a picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from html import escape
from math import ceil
from pathlib import Path

_WIDTH, _HEIGHT, _LEFT, _BOTTOM = 720, 360, 56, 44
_COLOURS = ("#2563eb", "#d97706", "#059669")

Curve = Sequence[tuple[float, float]]
"""Millions of tokens, and the loss then."""
Placing = Callable[[float, float], tuple[float, float]]


def read_curve(path: Path) -> Curve:
    entries = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(entry["tokens"] / 1e6, entry["loss"]) for entry in entries]


def loss_svg(curves: Mapping[str, Curve]) -> str:
    most_tokens = max(tokens for curve in curves.values() for tokens, _ in curve)
    most_loss = ceil(max(loss for curve in curves.values() for _, loss in curve))

    def at(tokens: float, loss: float) -> tuple[float, float]:
        x = _LEFT + tokens / most_tokens * (_WIDTH - _LEFT - 16)
        return round(x, 1), round(12 + (1 - loss / most_loss) * (_HEIGHT - _BOTTOM - 12), 1)

    parts = [*_grid(most_tokens, most_loss, at)]
    for curve, colour in zip(curves.values(), _COLOURS, strict=False):
        points = " ".join("{},{}".format(*at(*point)) for point in curve)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>')
    for i, (name, colour) in enumerate(zip(curves, _COLOURS, strict=False)):
        parts.append(
            f'<text x="{_WIDTH - 20}" y="{32 + 20 * i}" fill="{colour}" text-anchor="end">{escape(name)}</text>'
        )
    body = "\n".join(parts)
    attributes = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" font-size="13"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {attributes}>\n'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>\n{body}\n</svg>\n'
    )


def _grid(most_tokens: float, most_loss: int, at: Placing) -> Sequence[str]:
    lines = []
    for loss in range(most_loss + 1):
        x, y = at(0, loss)
        lines.append(f'<line x1="{x}" y1="{y}" x2="{_WIDTH - 16}" y2="{y}" stroke="#e5e7eb"/>')
        lines.append(f'<text x="{x - 8}" y="{y + 4}" text-anchor="end" fill="#4b5563">{loss}</text>')
    for i in range(5):
        x, y = at(most_tokens * i / 4, 0)
        lines.append(f'<text x="{x}" y="{y + 18}" text-anchor="middle" fill="#4b5563">{most_tokens * i / 4:.1f}</text>')
    x, y = at(most_tokens / 2, 0)
    lines.append(f'<text x="{x}" y="{y + 36}" text-anchor="middle" fill="#4b5563">million tokens</text>')
    return lines
