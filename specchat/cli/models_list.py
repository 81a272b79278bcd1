"""specchat models list"""

import argparse
from collections.abc import Iterable

from specchat.cli import App
from specchat.cli.amounts import parameters, size
from specchat.cli.output import note, write, write_json
from specchat.cli.table import table
from specchat.services.pair_values import Origin, ShelfModel

_ORIGINS = {
    Origin.ADDED: "added by you",
    Origin.FOLDER: "your folder",
    Origin.DEMO: "ships with specchat",
    Origin.HUB: "Hub cache",
    Origin.LM_STUDIO: "LM Studio",
    Origin.OLLAMA: "Ollama",
}


class ModelsList:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        pass

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        models = app.shelf().models()
        if arguments.json:
            write_json({"models": [_plain(model) for model in models]})
        elif models:
            write("\n".join(listed(models)) + "\n")
        else:
            note("There is no model on this computer yet. `specchat models search` finds some.")
        return 0


def listed(models: Iterable[ShelfModel]) -> list[str]:
    headings = ("name", "quantisation", "parameters", "size", "from", "reference", "problem")
    return table(headings, [_row(model) for model in models], right=("parameters", "size"))


def _row(model: ShelfModel) -> tuple[str, ...]:
    return (
        model.name,
        model.quantization,
        parameters(model.parameters),
        size(model.size) if model.size else "",
        "downloaded" if model.ours else _ORIGINS[model.origin],
        model.reference or str(model.path),
        " ".join(model.problems),
    )


def _plain(model: ShelfModel) -> dict[str, object]:
    return {
        "name": model.name,
        "reference": model.reference or str(model.path),
        "path": str(model.path),
        "origin": model.origin,
        "ours": model.ours,
        "size": model.size,
        "parameters": model.parameters,
        "quantization": model.quantization,
        "n_ctx_train": model.n_ctx_train,
        "problems": list(model.problems),
    }
