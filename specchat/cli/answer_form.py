"""The options of `specchat chat` for the form of the answer: a JSON schema, or a grammar."""

import argparse
import json
from pathlib import Path

from specchat.cli.model_options import ArgumentContainer
from specchat.domain.errors import SettingError
from specchat.domain.shell_quoting import quote_command

_LARGEST_FILE = 1 << 20
_EXAMPLE = 'Write a JSON schema such as {"type": "object", "properties": {"name": {"type": "string"}}}.'


def add_form_arguments(group: ArgumentContainer) -> None:
    add = group.add_mutually_exclusive_group().add_argument
    add("-j", "--json-schema", metavar="SCHEMA", help="answer with JSON that conforms to this schema; {}: any object")
    add("-jf", "--json-schema-file", type=Path, metavar="FILE", help="the same, with the schema in a file")
    add("--grammar", metavar="GBNF", help="answer with a text that this grammar allows (GBNF, as in llama.cpp)")
    add("--grammar-file", type=Path, metavar="FILE", help="the same, with the grammar in a file")


def has_form(arguments: argparse.Namespace) -> bool:
    given = arguments.json_schema, arguments.json_schema_file, arguments.grammar, arguments.grammar_file
    return any(each is not None for each in given)


def json_schema(arguments: argparse.Namespace) -> str:
    """Empty: there is none."""
    if arguments.json_schema_file is not None:
        return _require_json(_read(arguments.json_schema_file), str(arguments.json_schema_file))
    given = arguments.json_schema
    if given is None:
        return ""
    hint = f"To read it from the file, use: -jf {quote_command(given)}" if _names_file(given) else _EXAMPLE
    return _require_json(given, "The JSON schema", hint)


def _names_file(given: str) -> bool:
    return given.casefold().endswith(".json")


def grammar(arguments: argparse.Namespace) -> str:
    """Empty: there is none."""
    given = _read(arguments.grammar_file) if arguments.grammar_file is not None else arguments.grammar
    if given is not None and not given.strip():
        raise SettingError("The grammar is empty.", 'Write a grammar such as root ::= "yes" | "no".')
    return given or ""


def _require_json(text: str, name: str, hint: str = _EXAMPLE) -> str:
    try:
        schema = json.loads(text)
    except ValueError as error:
        raise SettingError(f"{name} is not JSON: {error}.", hint) from error
    except RecursionError as error:
        raise SettingError(f"{name} is nested too deeply.", hint) from error
    if not isinstance(schema, dict):
        raise SettingError(f"{name} is not a JSON object.", hint)
    return json.dumps(schema)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise SettingError(f"Can't read {path}: {error.strerror}.", "Check the path.") from error
    if len(content) > _LARGEST_FILE:
        raise SettingError(f"{path} is larger than {_LARGEST_FILE >> 20} MB.", "Use a smaller file.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingError(f"{path} is not UTF-8.", "Save it as UTF-8.") from error
