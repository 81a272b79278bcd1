"""From what the Hub's client found to the models in a repository."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from huggingface_hub.hf_api import ModelInfo, RepoSibling

from specchat.domain.hub import FileKind, Gating, HubModel, Listing, RemoteFile, RemoteModel
from specchat.sources.file_names import is_safe, kind_of, part_of, quantization_of

_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def hub_model(info: ModelInfo) -> HubModel:
    gguf = info.gguf or {}
    return HubModel(
        repo=info.id,
        gating=_gating(info),
        private=bool(info.private),
        licence=_licence(info),
        downloads=info.downloads or 0,
        likes=info.likes or 0,
        updated=info.last_modified,
        architecture=str(gguf.get("architecture", "")),
        parameters=int(gguf.get("total", 0)),
        n_ctx_train=int(gguf["context_length"]) if gguf.get("context_length") else None,
    )


def repository(info: ModelInfo) -> Listing:
    commit = info.sha or ""
    if not _COMMIT.fullmatch(commit):
        raise ValueError(commit)
    files = [file for each in info.siblings or () if (file := _file(each, info.id, commit))]
    return Listing(info.id, commit, _gating(info), _licence(info), tuple(_models(files)))


def _file(sibling: RepoSibling, repo: str, commit: str) -> RemoteFile | None:
    path, size = sibling.rfilename, sibling.lfs.size if sibling.lfs else sibling.size
    if not path.casefold().endswith(".gguf") or not is_safe(path) or size is None:
        return None
    sha256 = sibling.lfs.sha256 if sibling.lfs else None
    return RemoteFile(repo, commit, path, size, sha256 if sha256 and _SHA256.fullmatch(sha256) else None)


def _models(files: Iterable[RemoteFile]) -> Iterator[RemoteModel]:
    """Those of which parts are missing are left out: nobody could run them."""
    parts: dict[tuple[str, int], dict[int, RemoteFile]] = defaultdict(dict)
    for file in files:
        name, part, n_parts = part_of(file.path) or (file.path, 1, 1)
        parts[name, n_parts][part] = file
    for (_, n_parts), found in sorted(parts.items()):
        if sorted(found) == list(range(1, n_parts + 1)):
            yield _model(tuple(found[part] for part in sorted(found)))


def _model(files: tuple[RemoteFile, ...]) -> RemoteModel:
    kind = kind_of(files[0].path)
    return RemoteModel(files, kind, "" if kind is FileKind.IMATRIX else quantization_of(files[0].path))


def _gating(info: ModelInfo) -> Gating:
    return Gating.AUTO if info.gated == "auto" else Gating.MANUAL if info.gated else Gating.OPEN


def _licence(info: ModelInfo) -> str:
    return next((tag.removeprefix("license:") for tag in info.tags or () if tag.startswith("license:")), "")
