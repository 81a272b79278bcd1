"""An argparse parser with examples in its help and suggestions for misspelt words."""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NoReturn

from specchat.cli.output import keep_together, one_line, print_note, write_json, write_output
from specchat.domain.shell_quoting import quote_command
from specchat.services.models.demo_pair import DEMO_NAMES
from specchat.services.models.suggestions import suggest_similar

_JSON = "--json"
_NO_VALUE = "expected one argument"
_TELLING = len("--ctx")
"""So much of an option says which one it is."""


class CommandParser(argparse.ArgumentParser):
    extra_words: Sequence[str] = ()
    """Words that may stand where a command does."""
    other_names: Mapping[str, str] = {}
    """Names of commands in other programs, with the ones here."""
    _given: Sequence[str] = ()
    _stray: Sequence[str] = ()
    """What belongs to no option."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"formatter_class": argparse.RawDescriptionHelpFormatter, **given})

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """What a command does not know it refuses itself: its own options are the ones that were meant."""
        self._given = [] if args is None else list(args)
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self._stray = [word for word in unknown if not word.startswith("-")]
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found, unknown

    def reject(self, given: Sequence[str], message: str) -> NoReturn:
        """Without looking further."""
        self._given = given
        self.error(message)

    def error(self, message: str) -> NoReturn:
        meant = next(self._value_like_an_option() if message.endswith(_NO_VALUE) else self._meant(), None)
        words = one_line(message)
        hint = f"Did you mean {meant}?" if meant else ""
        if _JSON in self._given and _JSON in self._option_string_actions:
            write_json({"error": words, "hint": hint or f"Run: {self.prog} --help"})
        self.print_usage(sys.stderr)
        said = keep_together(f"{self.prog}: error: {words}", map(one_line, self._given))
        print_note(said + (f"\nhint: {keep_together(hint, [meant])}" if meant else ""))
        self.exit(2)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Help and version are output as well, of which argparse wouldn't notice that it is lost."""
        if file is sys.stdout:
            write_output(message)
        else:
            super()._print_message(message, file)

    def _meant(self) -> Iterator[str]:
        commands = self._commands()
        if self._given[:1] == ["help"]:
            yield f"{self.prog} --help"
        if other := self.other_names.get(next(iter(self._given), "")):
            yield f"{self.prog} {other}"
        for word in self._given:
            if word in commands or word == "--":
                return
            if not word.startswith("-"):
                yield from (f"{self.prog} {command}" for command in suggest_similar(word, commands))
            elif word not in self._option_string_actions:
                yield from _alike(word.partition("=")[0], self._option_string_actions)
        yield from self._model_without_its_option()
        if self._stray and "-p" in self._option_string_actions and not {"-p", "--prompt"} & {*self._given}:
            yield quote_command("-p", " ".join(self._stray))

    def _value_like_an_option(self) -> Iterator[str]:
        """As a prompt may be."""
        for word, value in pairwise(self._given):
            action = self._option_string_actions.get(word)
            if action is not None and action.nargs is None and value.startswith("-") and value != "-":
                yield quote_command(f"{action.option_strings[-1]}={value}")

    def _model_without_its_option(self) -> Iterator[str]:
        """As other commands take it."""
        first = next(iter(self._given), "")
        is_model = first in DEMO_NAMES or first.casefold().endswith(".gguf")
        if is_model and "-m" in self._option_string_actions and not {"-m", "--model"} & {*self._given}:
            yield quote_command("-m", first)

    def _commands(self) -> Sequence[str]:
        found: Iterable[argparse.Action] = self._actions
        names = [name for action in found if isinstance(action, argparse._SubParsersAction) for name in action.choices]
        return [*names, *self.extra_words] if names else []


def _alike(word: str, options: Iterable[str]) -> list[str]:
    """One that only goes on, or that the word goes on with, is meant rather than one that is spelt alike."""
    known = list(options)
    telling = [each for each in known if min(len(each), len(word)) >= _TELLING]
    begun = [each for each in telling if each.startswith(word) or word.startswith(each)]
    return [min(begun, key=lambda each: abs(len(each) - len(word)))] if begun else suggest_similar(word, known)


def format_examples(*lines: str) -> str:
    """To stand at the end of the help."""
    return "\n  ".join(("examples:", *lines))
