"""specchat models [list|search|files|pull|verify|rm|pairs|drafts-for]"""

import argparse

from specchat.cli import App, Command
from specchat.cli.parser import format_examples
from specchat.cli.subcommands import Subcommands, add_subcommands, run_subcommand


class ModelsCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_subcommands(parser, _TASKS)
        parser.epilog = format_examples(
            "specchat models", "specchat models search qwen --fits", "specchat models drafts-for demo"
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        return run_subcommand(arguments, app, _TASKS)


def _list() -> Command:
    from specchat.cli.models_list import ModelsListCommand

    return ModelsListCommand()


def _search() -> Command:
    from specchat.cli.models_search import ModelsSearchCommand

    return ModelsSearchCommand()


def _files() -> Command:
    from specchat.cli.models_files import ModelsFilesCommand

    return ModelsFilesCommand()


def _pull() -> Command:
    from specchat.cli.models_pull import ModelsPullCommand

    return ModelsPullCommand()


def _verify() -> Command:
    from specchat.cli.models_verify import ModelsVerifyCommand

    return ModelsVerifyCommand()


def _rm() -> Command:
    from specchat.cli.models_rm import ModelsRmCommand

    return ModelsRmCommand()


def _pairs() -> Command:
    from specchat.cli.models_pairs import ModelsPairsCommand

    return ModelsPairsCommand()


def _drafts() -> Command:
    from specchat.cli.models_drafts import ModelsDraftsCommand

    return ModelsDraftsCommand()


_TASKS: Subcommands = {
    "list": ("what is on this computer; done without a task, too", _list),
    "search": ("models on the Hub, huggingface.co", _search),
    "files": ("what a repository on the Hub holds, and what its files are", _files),
    "pull": ("download models, checked and whole; several of them together or not at all", _pull),
    "verify": ("whether files here are, byte for byte, what was published", _verify),
    "rm": ("delete what specchat downloaded", _rm),
    "pairs": ("which pairs this machine can run", _pairs),
    "drafts-for": ("which drafts suit a target, here and on the Hub", _drafts),
}
