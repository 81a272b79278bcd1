"""specchat models verify [REF]"""

import argparse
from collections.abc import Iterable
from dataclasses import dataclass

from specchat.cli import App
from specchat.cli.interrupt import cancel_on_ctrl_c
from specchat.cli.models_progress import show_progress_line
from specchat.cli.output import end_progress, print_note, report_error, write_json, write_output
from specchat.cli.text_table import format_entries, format_table, wrap_text
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ModelFileError, UserError
from specchat.domain.hub import parse_hub_reference
from specchat.domain.shell_quoting import quote_command
from specchat.services.models.download_registry import DownloadRegistry
from specchat.services.models.model_files import command_reference, resolve_path
from specchat.services.models.model_verification import VerificationResult, VerificationVerdict, verify_model
from specchat.services.models.pair_fit import LocalModel, Origin

DAMAGED = 1


@dataclass(frozen=True, slots=True)
class _Checked:
    reference: str
    model: LocalModel
    found: VerificationResult


class ModelsVerifyCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "reference", metavar="REF", nargs="?", help="model to verify (default: all on this computer)"
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        models = _asked(arguments.reference, app)
        owned = app.download_registry()
        try:
            with cancel_on_ctrl_c() as cancel:
                checked = [_checked(model, owned, cancel) for model in models]
        finally:
            end_progress()
        damaged = [each for each in checked if each.found.verdict is VerificationVerdict.DAMAGED]
        if arguments.json:
            write_json({"models": [_plain(each) for each in checked], "damaged": len(damaged)})
        elif checked:
            rows = format_table(("verdict", "reference"), [(each.found.verdict, each.reference) for each in checked])
            write_output("\n".join(format_entries(rows, [wrap_text(each.found.reason) for each in checked])) + "\n")
        else:
            print_note("No models on this computer yet.")
        if damaged:
            report_error(_error_for(damaged))
        return DAMAGED if damaged else 0


def _asked(reference: str | None, app: App) -> Iterable[LocalModel]:
    if reference is None:
        return [model for model in app.library().models() if not model.missing]
    path = resolve_path(reference)
    if not path.exists():
        raise ModelFileError("File not found: {path}.", "Check the name. List models with: specchat models", path=path)
    if path.is_dir():
        raise ModelFileError("{path} is a folder.", "Choose a .gguf file inside it.", path=path)
    return [app.library().find_model(path) or LocalModel(path, path.stem)]


def _checked(model: LocalModel, owned: DownloadRegistry, cancel: CancelToken) -> _Checked:
    def progress(done: int, size: int) -> None:
        show_progress_line(model.name, f"{done / size:.0%}" if size else "...")

    reference = command_reference(model)
    try:
        found = verify_model(model.path, cancel, progress, owned.published_files(model.path))
    except UserError as error:
        found = VerificationResult(VerificationVerdict.DAMAGED, error.message, model.path)
    return _Checked(reference, model, found)


def _plain(checked: _Checked) -> dict[str, object]:
    return {
        "reference": checked.reference,
        "path": str(checked.model.path),
        "verdict": checked.found.verdict,
        "reason": checked.found.reason,
    }


def _error_for(damaged: list[_Checked]) -> UserError:
    references = [each.reference for each in damaged if parse_hub_reference(each.reference)]
    return ModelFileError(
        "{name} is damaged." if len(damaged) == 1 else "{n} models are damaged.",
        "Download it again: {command}"
        if references
        else "Reinstall specchat."
        if all(each.model.origin is Origin.DEMO for each in damaged)
        else "Delete the file and download it again from its source.",
        name=damaged[0].reference,
        n=len(damaged),
        command=quote_command("specchat", "models", "pull", *references),
    )
