"""Locates the bundled resource files: beside the package in a checkout, inside it when installed."""

from functools import cache
from pathlib import Path


@cache
def resources() -> Path:
    package = Path(__file__).parents[2]
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"
