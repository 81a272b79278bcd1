"""Every word of the window in every language."""

import ast
import functools
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from message_templates import Templates
from PySide6.QtCore import QTranslator

from specchat.services.program.resources import resources

ROOT = Path(__file__).parents[3]
SCRIPT = ROOT / "packaging" / "translations.py"
SOURCES = sorted((ROOT / "specchat" / "ui").rglob("*.py"))
LANGUAGES = sorted((resources() / "translations").glob("*.ts"))

Words = tuple[str, str]
"""A context and what it says in English."""

FOUND_ELSEWHERE = {
    "backends/child.py: message",
    "backends/template_sandbox.py: str(message)",
    "backends/weights.py: _hint(list(error_lines))",
    "backends/weights.py: reason",
    "backends/documents/document_reader.py: hint",
    "backends/documents/document_reader.py: message",
    "domain/errors.py: hint",
    "domain/errors.py: message",
    "domain/picture_errors.py: hint",
    "domain/picture_errors.py: message",
    "domain/recording_errors.py: hint",
    "domain/recording_errors.py: message",
    "domain/serialization.py: require_type(str, given.get('template'))",
    "domain/serialization.py: plain",
    "gguf/file_errors.py: what",
    "gguf/foreign_formats.py: hint",
    "gguf/foreign_formats.py: what",
    "gguf/reasons.py: _ADD_OTHERS[code]",
    "gguf/reasons.py: words[larger]",
    "services/chat/attached_file.py: error.hint",
    "services/chat/attached_file.py: hint",
    "services/chat/attached_file.py: message",
    "services/connections/tool_refusals.py: dialect.tools_hint",
    "services/engines/in_process.py: pair.slots_reason",
    "services/hub/model_puller.py: job.problem.hint",
    "services/hub/model_puller.py: job.problem.message",
    "services/models/model_removal.py: facts.instead",
    "services/models/model_removal.py: facts.whose",
    "services/tools/server_file.py: config.problem",
    "sources/mcp/tool_connection.py: reason.template",
}
"""What hands on words that were said before, in the services."""

in_each_language = pytest.mark.parametrize("language", LANGUAGES, ids=lambda path: path.stem)


@in_each_language
def test_the_words_are_those_of_the_sources(language: Path) -> None:
    translated, said = set(translations(language)), set(words_of_the_sources())
    assert said - translated == set(), "Run python packaging/translations.py update, and translate"
    assert translated - said == set(), "Run python packaging/translations.py update"


@in_each_language
def test_all_words_are_translated(language: Path) -> None:
    unfinished = [words for words, text in translations(language).items() if not text.strip()]
    marked = [each.get("type") for each in ElementTree.parse(language).iter("translation") if each.get("type")]
    assert (unfinished, marked) == ([], [])


def test_the_benchmark_has_one_name_in_german() -> None:
    german = resources() / "translations" / "specchat_de.ts"
    assert [text for text in translations(german).values() if "Benchmark" in text] == []


@in_each_language
def test_what_is_filled_in_is_the_same(language: Path) -> None:
    differing = [words for words, text in translations(language).items() if kept(words[1]) != kept(text)]
    assert differing == []


@in_each_language
def test_what_the_program_reads_is_what_translators_wrote(tmp_path: Path, language: Path) -> None:
    shutil.copy(language, tmp_path)
    subprocess.run([sys.executable, SCRIPT, "compile", tmp_path], check=True)
    ours, fresh = loaded(language.with_suffix(".qm")), loaded(tmp_path / f"{language.stem}.qm")
    for words, text in translations(language).items():
        assert fresh.translate(*words) == text
        assert ours.translate(*words) == text, "Run python packaging/translations.py compile"


@in_each_language
def test_updating_finds_nothing_new(tmp_path: Path, language: Path) -> None:
    """What is written otherwise than lupdate can read would get lost."""
    fresh = Path(shutil.copy(language, tmp_path))
    subprocess.run([sys.executable, SCRIPT, "update", tmp_path], check=True)
    assert translations(fresh) == translations(language)


def test_all_that_the_services_say_is_found() -> None:
    """Words that are put together at run time could not be translated."""
    assert templates().elsewhere == FOUND_ELSEWHERE


@functools.cache
def templates() -> Templates:
    return Templates()


def translations(language: Path) -> dict[Words, str]:
    return {
        (context.findtext("name", ""), message.findtext("source", "")): message.findtext("translation", "")
        for context in ElementTree.parse(language).iter("context")
        for message in context.iter("message")
    }


def kept(text: str) -> list[str]:
    """Blanks at the ends, places for values, and kinds of files."""
    return sorted(re.findall(r"^\s+|\s+$|\{\w*\}|\*\.\w+", text))


def loaded(file: Path) -> QTranslator:
    translator = QTranslator()
    assert translator.load(str(file))
    return translator


def words_of_the_sources() -> Iterator[Words]:
    yield from (("Said", template) for template in templates().found)
    for source in SOURCES:
        yield from _said(ast.parse(source.read_text(encoding="utf-8")), "")


def _said(node: ast.AST, class_name: str) -> Iterator[Words]:
    match node:
        case ast.ClassDef(name=class_name):
            pass
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr="tr"), args=[ast.Constant(value=str(words))]):
            yield class_name, words
        case ast.Call(func=ast.Attribute(attr="tr")):
            yield class_name, ast.unparse(node)
        case ast.Call(func=function, args=[ast.Constant(value=str(context)), ast.Constant(value=str(words))]):
            if _translates(function):
                yield context, words
    for child in ast.iter_child_nodes(node):
        yield from _said(child, class_name)


def _translates(function: ast.expr) -> bool:
    return ast.unparse(function).split(".")[-1] in ("translate", "QT_TRANSLATE_NOOP")
