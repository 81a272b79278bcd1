"""What SCENARIOS.md tells can be looked up: each test that it names is there."""

import ast
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
_NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
_ROW = re.compile(r"^\| (?!Scenario|---)", re.MULTILINE)

PAGE = (TESTS / "SCENARIOS.md").read_text(encoding="utf-8")


def functions(file: Path) -> set[str]:
    return {part.name for part in ast.walk(ast.parse(file.read_bytes())) if isinstance(part, ast.FunctionDef)}


@pytest.mark.parametrize("path", sorted({path for path, _ in _NAMED.findall(PAGE)}))
def test_named_tests_are_there(path: str) -> None:
    named = {name for of, name in _NAMED.findall(PAGE) if of == path}
    assert named <= functions(TESTS.parent / path)


def test_each_row_names_a_test() -> None:
    rows = [line for line in PAGE.splitlines() if _ROW.match(line)]
    assert len(rows) >= 25
    assert [row for row in rows if not _NAMED.search(row)] == []
