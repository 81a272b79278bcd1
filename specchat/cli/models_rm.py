"""specchat models rm REF"""

import argparse
import sys

from specchat.cli import App
from specchat.cli.amounts import size
from specchat.cli.output import note, one_line, write, write_json
from specchat.domain.errors import ModelFileError, SettingError
from specchat.services.model_files import resolve
from specchat.services.pair_values import Origin, ShelfModel
from specchat.services.removing import remove


class ModelsRm:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("reference", metavar="REF", help="as `specchat models` shows it, or its path")
        parser.add_argument("-y", "--yes", action="store_true", help="do not ask")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        shelf = app.shelf()
        model = shelf.at(resolve(arguments.reference))
        if model is None:
            raise ModelFileError(
                "{reference} is not among the models on this computer.",
                "`specchat models` lists them.",
                reference=arguments.reference,
            )
        may_go = model.ours or model.origin is Origin.ADDED
        is_wanted = not may_go or arguments.yes or _agreed(model)
        freed = remove(model, shelf, app.owned()) if is_wanted else None
        if arguments.json:
            write_json({"removed": is_wanted, "path": str(model.path), "bytes_freed": freed or 0})
        elif is_wanted:
            write(f"{model.path}\n  {_told(freed)}\n")
        else:
            note("Nothing was deleted.")
        return 0


def _agreed(model: ShelfModel) -> bool:
    if not sys.stdin.isatty():
        raise SettingError("Nothing was deleted: nobody can be asked here.", "Add --yes.")
    question = f"Delete {model.path} ({size(model.size)})?" if model.ours else f"Take {model.path} off the list?"
    sys.stderr.write(f"{one_line(question)} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _told(freed: int | None) -> str:
    if freed is None:
        return "off the list; the file stays"
    return f"deleted, {size(freed)} free" if freed else "deleted; another model has the same bytes"
