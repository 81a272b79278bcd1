"""Subcommands such as `models list` and `models pull`, imported only when run."""

import argparse
from collections.abc import Callable, Mapping
from typing import Any

from specchat.cli import App, Command
from specchat.cli.output import add_json
from specchat.cli.parser import CommandParser

Subcommands = Mapping[str, tuple[str, Callable[[], Command]]]
DEFAULT_SUBCOMMAND = "list"


def add_subcommands(parser: argparse.ArgumentParser, tasks: Subcommands) -> None:
    add_json(parser)
    parsers = parser.add_subparsers(dest="task", metavar="TASK", parser_class=TaskParser)
    for name, (help_text, make) in tasks.items():
        parsers.add_parser(name, help=help_text, description=help_text, allow_abbrev=False, make=make)


def run_subcommand(arguments: argparse.Namespace, app: App, tasks: Subcommands) -> int:
    _, make = tasks[arguments.task or DEFAULT_SUBCOMMAND]
    return make().run(arguments, app)


class TaskParser(CommandParser):
    """Its arguments are added when there is something to parse."""

    def __init__(self, make: Callable[[], Command], **given: Any) -> None:
        super().__init__(**given)
        self._make: Callable[[], Command] | None = make

    def parse_known_args(self, *given: Any, **named: Any) -> Any:
        self.add_arguments()
        return super().parse_known_args(*given, **named)

    def add_arguments(self) -> None:
        if self._make is not None:
            self._make().add_arguments(self)
            self._make = None
            add_json(self, default=argparse.SUPPRESS)
