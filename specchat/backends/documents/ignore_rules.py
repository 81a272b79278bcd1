"""Decides which files of a folder to leave out: those that .gitignore names, and those that programs generate."""

import re
from dataclasses import dataclass
from functools import lru_cache

PRODUCED = frozenset(
    re.findall(
        r"[\w-]+", "__pycache__ node_modules bower_components venv env build dist target out obj coverage vendor"
    )
)
"""Folders that usually contain generated files."""
_ONE_OF = re.compile(r"\[([!^]?)(\]?[^\]/]*)\]")


@dataclass(frozen=True, slots=True)
class IgnoreRule:
    pattern: re.Pattern[str]
    keeps: bool
    folders_only: bool


def parse_rules(text: str, folder: str) -> list[IgnoreRule]:
    """`folder`: the folder of the .gitignore file, such as "a/b/". Patterns are relative to it."""
    return [rule for line in text.splitlines() if (rule := _rule(line.strip(), folder)) is not None]


def is_ignored(rules: list[IgnoreRule], path: str, *, is_folder: bool) -> bool:
    """The last matching rule decides."""
    for rule in reversed(rules):
        if (is_folder or not rule.folders_only) and rule.pattern.fullmatch(path):
            return not rule.keeps
    return False


def _rule(line: str, folder: str) -> IgnoreRule | None:
    if not line or line.startswith("#"):
        return None
    keeps, line = line.startswith("!"), line.removeprefix("!").removeprefix("\\")
    folders_only, line = line.endswith("/"), line.rstrip("/")
    anchored = "/" in line
    body = _translate(line.lstrip("/"))
    prefix = re.escape(folder) + ("" if anchored else "(?:.*/)?")
    return IgnoreRule(re.compile(prefix + body), keeps, folders_only) if line else None


@lru_cache(maxsize=1024)
def _translate(pattern: str) -> str:
    made, at = [], 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            made.append("(?:.*/)?")
            at += 3
        elif pattern.startswith("**", at):
            made.append(".*")
            at += 2
        elif one_of := _ONE_OF.match(pattern, at):
            made.append(_translate_one_of(*one_of.groups()))
            at = one_of.end()
        else:
            made.append({"*": "[^/]*", "?": "[^/]"}.get(pattern[at], re.escape(pattern[at])))
            at += 1
    return "".join(made)


def _translate_one_of(inverted: str, characters: str) -> str:
    pairs = ((first, last or first) for first, last in re.findall("(.)(?:-(.))?", characters))
    ranges = [f"{re.escape(first)}-{re.escape(last)}" for first, last in pairs if first <= last]
    return f"[{'^/' if inverted else ''}{''.join(ranges)}]" if ranges else "(?!)"
