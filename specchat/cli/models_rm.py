"""specchat models rm REF"""

import argparse
import sys

from specchat.cli import App
from specchat.cli.amounts import size
from specchat.cli.output import note, one_line, write, write_json
from specchat.domain.errors import SettingError
from specchat.services.hub.unfinished import Unfinished, give_up
from specchat.services.models.pair_values import Origin, ShelfModel
from specchat.services.models.removing import remove, to_remove


class ModelsRm:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("reference", metavar="REF", help="as `specchat models` shows it, or its path")
        parser.add_argument("-y", "--yes", action="store_true", help="do not ask")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        shelf, cache = app.shelf(), app.cache()
        found = to_remove(arguments.reference, shelf, cache)
        is_wanted = arguments.yes or not _may_go(found) or _agreed(_question(found))
        freed = None
        if is_wanted:
            freed = remove(found, shelf, app.owned()) if isinstance(found, ShelfModel) else give_up(found, cache)
        path = found.path if isinstance(found, ShelfModel) else cache.blob(found.files[0])
        if arguments.json:
            write_json({"removed": is_wanted, "path": str(path), "bytes_freed": freed or 0})
        elif is_wanted:
            write(f"{found.path if isinstance(found, ShelfModel) else found.reference}\n  {_told(freed)}\n")
        else:
            note("Nothing was deleted.")
        return 0


def _may_go(found: ShelfModel | Unfinished) -> bool:
    """Otherwise it is refused without a question."""
    return isinstance(found, Unfinished) or found.ours or found.origin is Origin.ADDED


def _question(found: ShelfModel | Unfinished) -> str:
    if isinstance(found, Unfinished):
        return f"Delete what has arrived of {found.reference} ({size(found.done)})?"
    return f"Delete {found.path} ({size(found.size)})?" if found.ours else f"Take {found.path} off the list?"


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        raise SettingError("Nothing was deleted: nobody can be asked here.", "Add --yes.")
    sys.stderr.write(f"{one_line(question)} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().casefold() in ("y", "yes")


def _told(freed: int | None) -> str:
    if freed is None:
        return "off the list; the file stays"
    return f"deleted, {size(freed)} free" if freed else "deleted; another model has the same bytes"
