"""specchat models [list|search|files|pull|verify|rm|pairs|drafts-for]"""

import argparse

from specchat.cli import App, Command
from specchat.cli.models_drafts import ModelsDrafts
from specchat.cli.models_files import ModelsFiles
from specchat.cli.models_list import ModelsList
from specchat.cli.models_pairs import ModelsPairs
from specchat.cli.models_pull import ModelsPull
from specchat.cli.models_rm import ModelsRm
from specchat.cli.models_search import ModelsSearch
from specchat.cli.models_verify import ModelsVerify
from specchat.cli.output import add_json

_TASKS: dict[str, tuple[str, Command]] = {
    "list": ("what is on this computer", ModelsList()),
    "search": ("models on the Hub", ModelsSearch()),
    "files": ("what a repository on the Hub holds, and what its files are", ModelsFiles()),
    "pull": ("download models, checked and whole; several of them together or not at all", ModelsPull()),
    "verify": ("whether what is here is what was published", ModelsVerify()),
    "rm": ("delete what specchat downloaded", ModelsRm()),
    "pairs": ("which pairs this machine can run", ModelsPairs()),
    "drafts-for": ("which drafts suit a target, here and on the Hub", ModelsDrafts()),
}


class Models:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_json(parser)
        tasks = parser.add_subparsers(dest="task", metavar="TASK")
        for name, (help_text, task) in _TASKS.items():
            own = tasks.add_parser(name, help=help_text, description=help_text, allow_abbrev=False)
            task.add_arguments(own)
            add_json(own, default=argparse.SUPPRESS)

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        _, task = _TASKS[arguments.task or "list"]
        return task.run(arguments, app)
