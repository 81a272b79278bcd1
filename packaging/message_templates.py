"""What the services say to the user: the templates of `specchat.domain.translatable_text`, found in the sources."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "specchat"
SOURCES = sorted(source for source in ROOT.rglob("*.py") if source.relative_to(ROOT).parts[0] not in ("cli", "ui"))
"""Commands speak English only, and the window has words of its own."""

_ERRORS = {"UserError", "ChildError"}
"""With those derived from them: what they say comes first, then perhaps a hint."""
_OTHERS = {"TranslatableText": slice(1), "damaged_file_error": slice(1, 2)}
"""Which arguments hold templates."""


class Templates:
    def __init__(self) -> None:
        self.found: set[str] = set()
        self.elsewhere: set[str] = set()
        """What stands in the place of a template and is none, by file: it comes from where another one was found."""
        modules = {
            source.relative_to(ROOT).as_posix(): ast.parse(source.read_text(encoding="utf-8")) for source in SOURCES
        }
        places = _OTHERS | dict.fromkeys(_errors(modules.values()), slice(2))
        self._constants = {name for module in modules.values() for name in _constants(module)}
        for name, module in modules.items():
            for template in _templates(module, places):
                self._collect(template, name)

    def _collect(self, template: ast.expr, file: str) -> None:
        match template:
            case ast.Constant(value=str(words)):
                self.found.add(words)
            case ast.IfExp(body=one, orelse=other):
                self._collect(one, file)
                self._collect(other, file)
            case ast.Call(func=ast.Name(id="TranslatableText")):
                pass  # met by itself
            case ast.Name(id=name) if name in self._constants:
                pass
            case ast.Call(func=ast.Name(id="from_plain"), args=[ast.Name(id="TranslatableText"), _]):
                pass  # another process had it from here
            case _:
                self.elsewhere.add(f"{file}: {ast.unparse(template)}")


def _templates(module: ast.Module, places: Mapping[str, slice]) -> Iterator[ast.expr]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func).rpartition(".")[2]
            yield from node.args[places.get(called, slice(0))]


def _constants(module: ast.Module) -> Iterator[str]:
    for node in module.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="TranslatableText"))):
                yield name


def _errors(modules: Iterable[ast.Module]) -> set[str]:
    bases = {
        node.name: {ast.unparse(base) for base in node.bases}
        for module in modules
        for node in ast.walk(module)
        if isinstance(node, ast.ClassDef)
    }
    errors = set(_ERRORS)
    while more := {name for name in bases.keys() - errors if bases[name] & errors}:
        errors |= more
    return errors
