"""specchat models list"""

import argparse
from collections.abc import Sequence

from specchat.cli import App
from specchat.cli.output import one_line, print_note, write_json, write_output
from specchat.cli.quantities import format_parameters, format_partial_size, format_size
from specchat.cli.text_table import format_entries, format_table, wrap_text
from specchat.domain.shell_quoting import quote_command
from specchat.services.hub.unfinished_downloads import UnfinishedDownload, list_unfinished
from specchat.services.models.model_files import command_reference
from specchat.services.models.origins import ORIGINS, Origin
from specchat.services.models.pair_fit import LocalModel

_HEADINGS = ("name", "quantization", "parameters", "size", "from")


class ModelsListCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        pass

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        app.early_exits().delete_stale()
        models, begun = app.library().models(), list_unfinished(app.cache())
        if arguments.json:
            write_json({"models": [_plain(model) for model in models], "unfinished": [_plain_begun(b) for b in begun]})
        elif models or begun:
            write_output("\n".join([*model_lines(models), *_listed_begun(begun)]) + "\n")
        else:
            print_note("No models on this computer yet. Find some with: specchat models search")
        return 0


def model_lines(models: Sequence[LocalModel]) -> list[str]:
    """What commands take stands below each."""
    rows = format_table(_HEADINGS, [_row(model) for model in models], right=("parameters", "size"))
    return format_entries(
        rows,
        [[quote_command(command_reference(model)), *wrap_text(" ".join(model.target_problems))] for model in models],
    )


def _listed_begun(begun: Sequence[UnfinishedDownload]) -> list[str]:
    """With what goes on with each."""
    lines = ["", "Unfinished downloads:"] if begun else []
    for each in begun:
        name = each.reference.file.rpartition("/")[2]
        lines += [
            f"{name}  {format_partial_size(each.done, each.size)}",
            f"  specchat models pull {quote_command(str(each.reference))}",
        ]
    return [one_line(line) for line in lines]


def _row(model: LocalModel) -> tuple[str, ...]:
    return (
        model.name,
        model.quantization,
        format_parameters(model.parameters),
        format_size(model.whole_size) if model.size else "",
        "downloaded" if model.ours else ORIGINS[model.origin].label,
    )


def _plain(model: LocalModel) -> dict[str, object]:
    return {
        "name": model.name,
        "reference": command_reference(model),
        "path": str(model.path),
        "origin": model.origin,
        "ours": model.ours,
        "size": model.whole_size,
        "mmproj": str(model.mmproj) if model.mmproj is not None else None,
        "sees_pictures": model.senses.sees,
        "hears_recordings": model.senses.hears,
        "parameters": model.parameters,
        "quantization": model.quantization,
        "n_ctx_train": model.n_ctx_train,
        "problems": list(model.problems),
        "head": model.head or (Origin.EARLY_EXIT if model.early_exit_of is not None else None),
    }


def _plain_begun(begun: UnfinishedDownload) -> dict[str, object]:
    return {"reference": str(begun.reference), "size": begun.size, "done": begun.done}
