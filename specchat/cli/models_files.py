"""specchat models files OWNER/REPO"""

import argparse

from specchat.cli import App
from specchat.cli.amounts import size
from specchat.cli.models_search import ACCESS
from specchat.cli.output import one_line, write, write_json
from specchat.cli.parser import examples
from specchat.cli.table import entries, table, wrapped
from specchat.domain.cancel import CancelToken
from specchat.domain.errors import ModelFileError
from specchat.domain.hub import FileKind, RemoteModel
from specchat.domain.shell import quoted
from specchat.services.hub.search import OfferedFile, Repository
from specchat.services.models.named_models import NamedRepository, named_repository
from specchat.services.models.quantisations import meaning

_SIDECARS = {
    FileKind.MMPROJ: "reads images for a model",
    FileKind.IMATRIX: "what mattered most when a model was quantised",
    FileKind.MTP: "a head that guesses for its own model",
    FileKind.EAGLE3: "a head that guesses for its own model",
    FileKind.DFLASH: "a head that guesses for its own model",
    FileKind.DSPARK: "a head that guesses for its own model",
}
_NUMBERS = ("size", "files")


class ModelsFiles:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("repo", metavar="OWNER/REPO", help="as `specchat models search` lists it")
        parser.epilog = examples("specchat models files ggml-org/Qwen3-8B-GGUF")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        found = app.hub_search().look(_repository(arguments.repo), CancelToken())
        if arguments.json:
            write_json(_plain(found))
        else:
            write("\n".join(_lines(found)) + "\n")
        return 0


def _repository(text: str) -> str:
    named = named_repository(text)
    if named != NamedRepository(named.repo):
        raise ModelFileError("{text} names more than a repository.", "Write {repo} alone.", text=text, repo=named.repo)
    return named.repo


def _plain(found: Repository) -> dict[str, object]:
    listing = found.listing
    return {
        "repo": listing.repo,
        "commit": listing.commit,
        "gating": listing.gating,
        "licence": listing.licence,
        "models": [_plain_model(file.model) | {"fit": file.fit, "here": file.here} for file in found.files],
        "sidecars": [_plain_model(model) for model in _sidecars(found)],
    }


def _sidecars(found: Repository) -> list[RemoteModel]:
    return [model for model in found.listing.models if model.kind is not FileKind.MODEL]


def _plain_model(model: RemoteModel) -> dict[str, object]:
    return {
        "reference": str(model.reference),
        "kind": model.kind,
        "quantization": model.quantization,
        "meaning": meaning(model.quantization),
        "size": model.size,
        "files": [{"path": file.path, "size": file.size, "sha256": file.sha256} for file in model.files],
    }


def _lines(found: Repository) -> list[str]:
    listing = found.listing
    lines = [", ".join(filter(None, (listing.repo, listing.licence, ACCESS[listing.gating]))), ""]
    headings = ("quantisation", "size", "files", "memory", "here", "file")
    rows = [_row(file) for file in found.files]
    meanings = [wrapped(meaning(file.model.quantization) or "") for file in found.files]
    lines += entries(table(headings, rows, _NUMBERS), meanings) if rows else ["It has no GGUF models."]
    if others := _sidecars(found):
        rows = [(model.kind, size(model.size), _files(model), model.first.path) for model in others]
        below = [wrapped(_SIDECARS[model.kind]) for model in others]
        sidecars = table(("kind", *_NUMBERS, "file"), rows, _NUMBERS)
        lines += ["", "Not models of their own:", *entries(sidecars, below)]
    first = next((file.model for file in found.files), None)
    return (
        [*lines, "", f"To download one: specchat models pull {one_line(quoted(str(first.reference)))}"]
        if first
        else lines
    )


def _row(file: OfferedFile) -> tuple[str, ...]:
    model = file.model
    return (
        model.quantization,
        size(model.size),
        _files(model),
        file.fit,
        "yes" if file.here else "",
        model.first.path,
    )


def _files(model: RemoteModel) -> str:
    return str(len(model.files)) if len(model.files) > 1 else ""
