"""The same strings as a regular expression matches, written as JSON."""

import json
import re

import pytest
from support.grammars import Texts, json_texts

from specchat.domain.errors import SettingError

STRINGS = [
    "",
    "a",
    "b",
    "ab",
    "abc",
    "aab",
    "xaby",
    "a1",
    "7",
    "42",
    "a b",
    "_",
    "-",
    "é",
    '"',
    "\\",
    "\n",
    "\t",
    "a.b",
    "a\nb",
]
STRINGS += ["2024-01-31", "me@example.org", "$5", "]", "^", "(", "a{2}", "aa", "AB"]


def allowed_by(pattern: str) -> Texts:
    return json_texts(json.dumps({"type": "string", "pattern": pattern}))


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "^$",
        "a",
        "^a",
        "b$",
        "^ab?$",
        "^(a|b)+$",
        "^a|b$",
        "^(?:ab|[0-9])*$",
        "^(?P<name>a)b$",
        "^[a-c]{2,3}$",
        "^[^a-c]$",
        r"^\d+$",
        r"^\w+$",
        r"^\W$",
        r"^[\d_-]+$",
        r"^[\]\^]$",
        r"^\S+@\S+$",
        r"^\$\d$",
        r"^a\.b$",
        "^a.b$",
        r"^\x41\u0042$",
        "^.$",
        r"^[\s\S]$",
        '^"$',
        r"^\\$",
        r"^\n$",
        r"^\d{4}-\d{2}-\d{2}$",
        "^a+?b*?$",
        r"^a\{2\}$",
        "(^a)",
        "(" * 40 + "a" + ")" * 40,
        "^a{2}$",
    ],
)
def test_as_in_other_programs(pattern: str) -> None:
    python_pattern = re.sub(r"(?<!\\)\$", r"\\Z", pattern)  # whose $ matches before a last line end too
    allowed, meant = allowed_by(pattern), re.compile(python_pattern, re.ASCII)
    for string in STRINGS:
        assert (json.dumps(string, ensure_ascii=False) in allowed) == (meant.search(string) is not None), string


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        ")",
        "[",
        "[a",
        "*a",
        "(?=a)",
        "(?!a)",
        "(?<=a)b",
        r"(a)\1",
        r"\b",
        "a^b",
        "a$b",
        "[z-a]",
        "\\",
    ],
)
def test_what_no_grammar_can_say_is_refused(pattern: str) -> None:
    with pytest.raises(SettingError):
        allowed_by(pattern)


def test_blanks_beyond_ascii() -> None:
    assert '"x\u2003y"' not in allowed_by(r"^x\Sy$"), "an em space is one everywhere"
    assert '"x\u2003y"' in allowed_by(r"^x\sy$")


def test_a_string_stays_json_whatever_the_pattern_lets_in() -> None:
    assert json.loads('"a\\"b"') == 'a"b'
    assert '"a\\"b"' in allowed_by("^a.b$")
    assert '"a"b"' not in allowed_by("^a.b$")
