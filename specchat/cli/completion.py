"""specchat completion (bash | zsh | fish | --models)"""

import argparse

from specchat.cli import COMMANDS, App
from specchat.cli.bash_completion import bash_script
from specchat.cli.completion_words import CompletionWords, completion_words
from specchat.cli.file_arguments import MAIN_OPTIONS
from specchat.cli.fish_completion import fish_script
from specchat.cli.output import add_json, write_json, write_output
from specchat.cli.parser import CommandParser, format_examples
from specchat.cli.zsh_completion import zsh_script
from specchat.services.models.demo_pair import DEMO
from specchat.services.models.model_files import command_reference

_FIRST = CompletionWords(MAIN_OPTIONS, {}, (*COMMANDS, DEMO))
_SHELLS = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}


class CompletionCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        wanted = parser.add_mutually_exclusive_group()
        wanted.add_argument(
            "shell",
            nargs="?",
            choices=tuple(_SHELLS),
            help="the shell; in bash, add this to ~/.bashrc: source <(specchat completion bash)",
        )
        names = "print the models on this computer instead, as the script needs them"
        wanted.add_argument("--models", action="store_true", help=names)
        add_json(parser)
        parser.epilog = format_examples(*(f"specchat completion {name}" for name in _SHELLS))

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        if arguments.models:
            offered = [model for model in app.library().models() if model.early_exit_of is None]
            names = [DEMO, *map(command_reference, offered)]
            _write(arguments, "models", names, "\n".join(names))
        elif arguments.shell is None:
            raise argparse.ArgumentError(None, f"name your shell: {', '.join(_SHELLS)}")
        else:
            script = _SHELLS[arguments.shell]({"": _FIRST, **completion_words(_parsers())})
            _write(arguments, "script", script, script)
        return 0


def _write(arguments: argparse.Namespace, key: str, value: object, text: str) -> None:
    if arguments.json:
        write_json({key: value})
    else:
        write_output(f"{text}\n")


def _parsers() -> dict[str, CommandParser]:
    """Of all commands, whose modules are imported only for this."""
    parsers = {}
    for name, (_, make) in COMMANDS.items():
        parsers[name] = CommandParser(prog=name, allow_abbrev=False)
        make().add_arguments(parsers[name])
    return parsers
