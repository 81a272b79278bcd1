"""Groups that are repeated possessively are matched wrongly by Python 3.11.0 to 3.11.4, which Debian 12 has."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import specchat

_POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+")


def texts(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_no_group_is_possessive() -> None:
    folder = Path(specchat.__file__).parent
    found = {
        (str(path.relative_to(folder)), text)
        for path in folder.rglob("*.py")
        for text in texts(path.read_text(encoding="utf-8"))
        if _POSSESSIVE_GROUP.search(text)
    }
    assert found == set()
