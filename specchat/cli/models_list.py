"""specchat models list"""

import argparse
from collections.abc import Sequence

from specchat.cli import App
from specchat.cli.amounts import parameters, part, size
from specchat.cli.output import note, one_line, write, write_json
from specchat.cli.table import entries, table, wrapped
from specchat.domain.shell import quoted
from specchat.services.hub.unfinished import Unfinished, unfinished
from specchat.services.models.model_files import reference_of
from specchat.services.models.origins import ORIGINS
from specchat.services.models.pair_values import ShelfModel

_HEADINGS = ("name", "quantisation", "parameters", "size", "from")


class ModelsList:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        pass

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        models, begun = app.shelf().models(), unfinished(app.cache())
        if arguments.json:
            write_json({"models": [_plain(model) for model in models], "unfinished": [_plain_begun(b) for b in begun]})
        elif models or begun:
            write("\n".join([*listed(models), *_listed_begun(begun)]) + "\n")
        else:
            note("There is no model on this computer yet. `specchat models search` finds some.")
        return 0


def listed(models: Sequence[ShelfModel]) -> list[str]:
    """What commands take stands below each."""
    rows = table(_HEADINGS, [_row(model) for model in models], right=("parameters", "size"))
    return entries(rows, [[quoted(reference_of(model)), *wrapped(" ".join(model.target_problems))] for model in models])


def _listed_begun(begun: Sequence[Unfinished]) -> list[str]:
    """With what goes on with each."""
    lines = ["", "Unfinished downloads:"] if begun else []
    for each in begun:
        name = each.reference.file.rpartition("/")[2]
        lines += [f"{name}  {part(each.done, each.size)}", f"  specchat models pull {quoted(str(each.reference))}"]
    return [one_line(line) for line in lines]


def _row(model: ShelfModel) -> tuple[str, ...]:
    return (
        model.name,
        model.quantization,
        parameters(model.parameters),
        size(model.size) if model.size else "",
        "downloaded" if model.ours else ORIGINS[model.origin].label,
    )


def _plain(model: ShelfModel) -> dict[str, object]:
    return {
        "name": model.name,
        "reference": reference_of(model),
        "path": str(model.path),
        "origin": model.origin,
        "ours": model.ours,
        "size": model.size,
        "parameters": model.parameters,
        "quantization": model.quantization,
        "n_ctx_train": model.n_ctx_train,
        "problems": list(model.problems),
        "head": model.head or None,
    }


def _plain_begun(begun: Unfinished) -> dict[str, object]:
    return {"reference": str(begun.reference), "size": begun.size, "done": begun.done}
