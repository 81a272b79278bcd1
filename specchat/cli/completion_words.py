"""The words that complete a command line, read from the parsers of the commands."""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from specchat.cli.subcommands import TaskParser
from specchat.domain.drafter_types import AUTO, DRAFTER_TYPES, NONE
from specchat.domain.types import GRAMMAR

_MODELS = ("TARGET", "DRAFT", "MODEL", "REF")
_FILES = ("FILE", "PATH")


class ValueKind(StrEnum):
    FILES = "files"
    MODELS = "models"
    """Their names and files."""
    OTHER = "other"
    """Something that only the user knows."""


Value = ValueKind | tuple[str, ...]
"""A kind, or the words that are allowed."""


@dataclass(frozen=True, slots=True)
class CompletionWords:
    """Of a command, or of a subcommand such as `models pull`."""

    options: tuple[str, ...]
    values: Mapping[str, Value]
    """Of the options that take one."""
    positional: Value
    """Subcommands, or what else stands without an option."""


def completion_words(parsers: Mapping[str, argparse.ArgumentParser]) -> dict[str, CompletionWords]:
    """Of each command, and of each subcommand as in "models pull"."""
    found = {}
    for name, parser in parsers.items():
        found[name] = _words(parser)
        for task, task_parser in _tasks(parser):
            found[f"{name} {task}"] = _words(task_parser)
    return found


def _tasks(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, task in action.choices.items():
                if isinstance(task, TaskParser):
                    task.add_arguments()
                yield name, task


def _words(parser: argparse.ArgumentParser) -> CompletionWords:
    options = [action for action in parser._actions if action.option_strings]
    positionals = [_value(action) for action in parser._actions if not action.option_strings]
    return CompletionWords(
        tuple(option for action in options for option in action.option_strings),
        {option: _value(action) for action in options if action.nargs != 0 for option in action.option_strings},
        next(iter(positionals), ValueKind.OTHER),
    )


def _value(action: argparse.Action) -> Value:
    if action.choices is not None:
        return tuple(map(str, action.choices))
    if action.dest == "draft_type":
        return (AUTO, *(name for name in DRAFTER_TYPES if name != GRAMMAR), NONE)
    names = [action.metavar] if isinstance(action.metavar, str) else list(action.metavar or ())
    if any(name in _MODELS for name in names):
        return ValueKind.MODELS
    is_file = action.type is Path or any(name.partition(".")[0] in _FILES for name in names)
    return ValueKind.FILES if is_file else ValueKind.OTHER
