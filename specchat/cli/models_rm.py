"""specchat models rm REF"""

import argparse

from specchat.cli import App
from specchat.cli.confirmation import is_confirmed
from specchat.cli.output import print_note, write_json, write_output
from specchat.cli.quantities import format_size
from specchat.domain.errors import SettingError
from specchat.services.hub.unfinished_downloads import UnfinishedDownload, discard_unfinished
from specchat.services.models.model_removal import find_removable, remove_model
from specchat.services.models.pair_fit import LocalModel, Origin


class ModelsRmCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("reference", metavar="REF", help="model, as listed by specchat models, or its path")
        parser.add_argument("-y", "--yes", action="store_true", help="don't ask for confirmation")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        shelf, cache = app.library(), app.cache()
        found = find_removable(arguments.reference, shelf, cache)
        is_wanted = arguments.yes or not _may_go(found) or _agreed(_question(found))
        freed = None
        if is_wanted:
            freed = (
                remove_model(found, shelf, app.download_registry(), app.early_exits())
                if isinstance(found, LocalModel)
                else discard_unfinished(found, cache)
            )
        path = found.path if isinstance(found, LocalModel) else cache.blob(found.files[0])
        if arguments.json:
            write_json({"removed": is_wanted, "path": str(path), "bytes_freed": freed or 0})
        elif is_wanted:
            write_output(f"{found.path if isinstance(found, LocalModel) else found.reference}\n  {_outcome(freed)}\n")
        else:
            print_note("Nothing was deleted.")
        return 0


def _may_go(found: LocalModel | UnfinishedDownload) -> bool:
    """Otherwise it is refused without a question."""
    if isinstance(found, UnfinishedDownload) or found.early_exit_of is not None:
        return True
    return found.ours or found.origin is Origin.ADDED


def _question(found: LocalModel | UnfinishedDownload) -> str:
    if isinstance(found, UnfinishedDownload):
        return f"Delete the partial download of {found.reference} ({format_size(found.done)})?"
    is_deleted = found.ours or found.early_exit_of is not None
    return f"Delete {found.path} ({format_size(found.size)})?" if is_deleted else f"Remove {found.path} from the list?"


def _agreed(question: str) -> bool:
    cannot_ask = SettingError(
        "Nothing was deleted: there is no terminal to ask for confirmation.",
        "Add --yes to delete without confirmation.",
    )
    return is_confirmed(question, cannot_ask)


def _outcome(freed: int | None) -> str:
    if freed is None:
        return "removed from the list; the file stays"
    return f"deleted, {format_size(freed)} freed" if freed else "deleted; another model still uses the same data"
