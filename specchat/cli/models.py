"""specchat models [list|search|files|pull|verify|rm|pairs|drafts-for|early-exit]"""

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


def _early_exit() -> Command:
    from specchat.cli.models_early_exit import ModelsEarlyExitCommand

    return ModelsEarlyExitCommand()


_TASKS: Subcommands = {
    "list": ("list the models on this computer (the default)", _list),
    "search": ("search the Hugging Face Hub", _search),
    "files": ("list the files in a Hub repository", _files),
    "pull": ("download and verify models; if one of several fails, none is installed", _pull),
    "verify": ("verify files against their published checksums", _verify),
    "rm": ("delete downloaded models", _rm),
    "pairs": ("list known pairs, those that run well on this computer first", _pairs),
    "drafts-for": ("find drafts for a target, here and on the Hub", _drafts),
    "early-exit": ("make a draft from a target's first layers, if it speeds up answers", _early_exit),
}
