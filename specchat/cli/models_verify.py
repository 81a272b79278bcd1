"""specchat models verify [REF]"""

import argparse
from collections.abc import Iterable
from dataclasses import dataclass

from specchat.cli import App
from specchat.cli.interrupt import cancelled_by_ctrl_c
from specchat.cli.models_progress import show_line
from specchat.cli.output import end_progress, note, report, write, write_json
from specchat.cli.table import entries, table, wrapped
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import ModelFileError, UserError
from specchat.domain.hub import parse_reference
from specchat.domain.shell import quoted
from specchat.services.models.model_files import reference_of, resolve
from specchat.services.models.model_verifying import Verdict, Verified, verify
from specchat.services.models.owned import Owned
from specchat.services.models.pair_values import Origin, ShelfModel

DAMAGED = 1


@dataclass(frozen=True, slots=True)
class _Checked:
    reference: str
    model: ShelfModel
    found: Verified


class ModelsVerify:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("reference", metavar="REF", nargs="?", help="one model (default: all on this computer)")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        models = _asked(arguments.reference, app)
        owned = app.owned()
        try:
            with cancelled_by_ctrl_c() as cancel:
                checked = [_checked(model, owned, cancel) for model in models]
        finally:
            end_progress()
        damaged = [each for each in checked if each.found.verdict is Verdict.DAMAGED]
        if arguments.json:
            write_json({"models": [_plain(each) for each in checked], "damaged": len(damaged)})
        elif checked:
            rows = table(("verdict", "reference"), [(each.found.verdict, each.reference) for each in checked])
            write("\n".join(entries(rows, [wrapped(each.found.reason) for each in checked])) + "\n")
        else:
            note("There is no model on this computer yet.")
        if damaged:
            report(_explained(damaged))
        return DAMAGED if damaged else 0


def _asked(reference: str | None, app: App) -> Iterable[ShelfModel]:
    if reference is None:
        return [model for model in app.shelf().models() if not model.missing]
    path = resolve(reference)
    if not path.exists():
        raise ModelFileError(
            "There is no file {path}.", "Check the name; `specchat models` lists what is here.", path=path
        )
    if path.is_dir():
        raise ModelFileError("{path} is a folder.", "Choose a .gguf file inside it.", path=path)
    return [app.shelf().at(path) or ShelfModel(path, path.stem)]


def _checked(model: ShelfModel, owned: Owned, cancel: CancelToken) -> _Checked:
    def progress(done: int, size: int) -> None:
        show_line(model.name, f"{done / size:.0%}" if size else "...")

    reference = reference_of(model)
    try:
        found = verify(model.path, cancel, progress, owned.files(model.path))
    except UserError as error:
        found = Verified(Verdict.DAMAGED, error.message, model.path)
    return _Checked(reference, model, found)


def _plain(checked: _Checked) -> dict[str, object]:
    return {
        "reference": checked.reference,
        "path": str(checked.model.path),
        "verdict": checked.found.verdict,
        "reason": checked.found.reason,
    }


def _explained(damaged: list[_Checked]) -> UserError:
    references = [each.reference for each in damaged if parse_reference(each.reference)]
    return ModelFileError(
        "{name} is damaged." if len(damaged) == 1 else "{n} models are damaged.",
        "Download it again: {command}"
        if references
        else "Install specchat again."
        if all(each.model.origin is Origin.DEMO for each in damaged)
        else "Delete the file, and get it again where it came from.",
        name=damaged[0].reference,
        n=len(damaged),
        command=quoted("specchat", "models", "pull", *references),
    )
