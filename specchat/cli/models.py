"""specchat models [list|search|files|pull|verify|rm|pairs|drafts-for]"""

import argparse

from specchat.cli import App, Command
from specchat.cli.parser import examples
from specchat.cli.tasks import Tasks, add_tasks, run_task


class Models:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_tasks(parser, _TASKS)
        parser.epilog = examples(
            "specchat models", "specchat models search qwen --fits", "specchat models drafts-for demo"
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        return run_task(arguments, app, _TASKS)


def _list() -> Command:
    from specchat.cli.models_list import ModelsList

    return ModelsList()


def _search() -> Command:
    from specchat.cli.models_search import ModelsSearch

    return ModelsSearch()


def _files() -> Command:
    from specchat.cli.models_files import ModelsFiles

    return ModelsFiles()


def _pull() -> Command:
    from specchat.cli.models_pull import ModelsPull

    return ModelsPull()


def _verify() -> Command:
    from specchat.cli.models_verify import ModelsVerify

    return ModelsVerify()


def _rm() -> Command:
    from specchat.cli.models_rm import ModelsRm

    return ModelsRm()


def _pairs() -> Command:
    from specchat.cli.models_pairs import ModelsPairs

    return ModelsPairs()


def _drafts() -> Command:
    from specchat.cli.models_drafts import ModelsDrafts

    return ModelsDrafts()


_TASKS: Tasks = {
    "list": ("what is on this computer; done without a task, too", _list),
    "search": ("models on the Hub, huggingface.co", _search),
    "files": ("what a repository on the Hub holds, and what its files are", _files),
    "pull": ("download models, checked and whole; several of them together or not at all", _pull),
    "verify": ("whether files here are, byte for byte, what was published", _verify),
    "rm": ("delete what specchat downloaded", _rm),
    "pairs": ("which pairs this machine can run", _pairs),
    "drafts-for": ("which drafts suit a target, here and on the Hub", _drafts),
}
