"""specchat models files OWNER/REPO"""

import argparse

from specchat.cli import App
from specchat.cli.models_search import ACCESS
from specchat.cli.output import one_line, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.cli.quantities import format_size
from specchat.cli.text_table import format_entries, format_table, wrap_text
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ModelFileError
from specchat.domain.hub import HubFileKind, RemoteModel
from specchat.domain.shell_quoting import quote_command
from specchat.services.hub.hub_search import RepositoryDetails, RepositoryFile
from specchat.services.models.name_resolver import NamedRepository, parse_repository_name
from specchat.services.models.quantization_labels import describe_quantization

_SIDECARS = {
    HubFileKind.MMPROJ: "encoder for pictures or audio",
    HubFileKind.IMATRIX: "calibration data for quantizing",
    HubFileKind.MTP: "a draft head for its model",
    HubFileKind.EAGLE3: "a draft head for its model",
    HubFileKind.DFLASH: "a draft head for its model",
    HubFileKind.DSPARK: "a draft head for its model",
    HubFileKind.MEDUSA: "draft heads for its model",
}
_NUMBERS = ("size", "files")


class ModelsFilesCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("repo", metavar="OWNER/REPO", help="repository, as listed by specchat models search")
        parser.epilog = format_examples("specchat models files ggml-org/Qwen3-8B-GGUF")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        found = app.hub_search().fetch_repository(_repository(arguments.repo), CancelToken())
        if arguments.json:
            write_json(_plain(found))
        else:
            write_output("\n".join(_lines(found)) + "\n")
        return 0


def _repository(text: str) -> str:
    named = parse_repository_name(text)
    if named != NamedRepository(named.repo):
        raise ModelFileError(
            "{text} is not just a repository name.", "Use {repo}, without a file name.", text=text, repo=named.repo
        )
    return named.repo


def _plain(found: RepositoryDetails) -> dict[str, object]:
    listing = found.listing
    return {
        "repo": listing.repo,
        "commit": listing.commit,
        "gating": listing.gating,
        "licence": listing.licence,
        "models": [_plain_model(file.model) | {"fit": file.fit, "here": file.here} for file in found.files],
        "sidecars": [_plain_model(model) for model in _sidecars(found)],
    }


def _sidecars(found: RepositoryDetails) -> list[RemoteModel]:
    return [model for model in found.listing.models if model.kind is not HubFileKind.MODEL]


def _plain_model(model: RemoteModel) -> dict[str, object]:
    return {
        "reference": str(model.reference),
        "kind": model.kind,
        "quantization": model.quantization,
        "meaning": describe_quantization(model.quantization),
        "size": model.size,
        "files": [{"path": file.path, "size": file.size, "sha256": file.sha256} for file in model.files],
    }


def _lines(found: RepositoryDetails) -> list[str]:
    listing = found.listing
    lines = [", ".join(filter(None, (listing.repo, listing.licence, ACCESS[listing.gating]))), ""]
    headings = ("quantization", "size", "files", "memory", "here", "file")
    rows = [_row(file) for file in found.files]
    meanings = [wrap_text(describe_quantization(file.model.quantization) or "") for file in found.files]
    lines += format_entries(format_table(headings, rows, _NUMBERS), meanings) if rows else ["It has no GGUF models."]
    if others := _sidecars(found):
        rows = [(model.kind, format_size(model.size), _files(model), model.first.path) for model in others]
        below = [wrap_text(_SIDECARS[model.kind]) for model in others]
        sidecars = format_table(("kind", *_NUMBERS, "file"), rows, _NUMBERS)
        lines += ["", "Other files:", *format_entries(sidecars, below)]
    heads = (model for model in _sidecars(found) if model.kind.is_head)
    first = next((file.model for file in found.files), None) or next(heads, None)
    return (
        [*lines, "", f"To download one: specchat models pull {one_line(quote_command(str(first.reference)))}"]
        if first
        else lines
    )


def _row(file: RepositoryFile) -> tuple[str, ...]:
    model = file.model
    return (
        model.quantization,
        format_size(model.size),
        _files(model),
        file.fit,
        "yes" if file.here else "",
        model.first.path,
    )


def _files(model: RemoteModel) -> str:
    return str(len(model.files)) if len(model.files) > 1 else ""
