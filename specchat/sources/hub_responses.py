"""Parses answers of the Hub into repositories and models; nothing in them is trusted."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from huggingface_hub.hf_api import ModelInfo, RepoSibling

from specchat.domain.hub import Gating, HubFileKind, HubModel, RemoteFile, RemoteModel, RepoListing
from specchat.domain.serialization import require_type
from specchat.sources.file_names import is_safe_path, kind_of, parse_part, quantization_of

_COMMIT = re.compile(r"[0-9a-f]{40}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_REPO = re.compile(r"[\w.-]+(?:/[\w.-]+)?", re.ASCII)
_LONGEST = 200
_MOST_TOKENS = 1 << 31
_MOST_PARAMETERS = 10**14
_MOST_BYTES = 1 << 62
_UNFIT = (ValueError, TypeError, KeyError, AttributeError)
"""What the client raises for values that it does not expect."""


def parse_hub_models(answer: object) -> tuple[HubModel, ...]:
    """What authors describe badly does not hide what others have. ValueError: none of it is a model."""
    found, models = require_type(list, answer), []
    for each in found:
        with suppress(*_UNFIT):
            models.append(_hub_model(ModelInfo(**each)))
    if found and not models:
        raise ValueError("no models")
    return tuple(models)


def parse_listing(answer: object) -> RepoListing:
    """ValueError: it is no repository."""
    try:
        info = ModelInfo(**require_type(dict, answer))
        repo, commit = _matching(_REPO, info.id), _matching(_COMMIT, info.sha)
        files = [file for each in info.siblings or () if (file := _file(each, repo, commit))]
        return RepoListing(repo, commit, _gating(info), _licence(info), tuple(_models(files)))
    except _UNFIT as error:
        raise ValueError("no repository") from error


def _hub_model(info: ModelInfo) -> HubModel:
    gguf: Mapping[str, object] = info.gguf if isinstance(info.gguf, dict) else {}
    return HubModel(
        repo=_matching(_REPO, info.id),
        gating=_gating(info),
        private=bool(info.private),
        licence=_licence(info),
        downloads=_number(info.downloads),
        likes=_number(info.likes),
        updated=info.last_modified,
        architecture=_text(gguf.get("architecture")),
        parameters=_number(gguf.get("total"), _MOST_PARAMETERS),
        n_ctx_train=_number(gguf.get("context_length"), _MOST_TOKENS) or None,
    )


def _file(sibling: RepoSibling, repo: str, commit: str) -> RemoteFile | None:
    path, size = sibling.rfilename, sibling.lfs.size if sibling.lfs else sibling.size
    if not path.casefold().endswith(".gguf") or not is_safe_path(path) or type(size) is not int:
        return None
    if not 0 <= size < _MOST_BYTES:
        return None
    sha256 = sibling.lfs.sha256 if sibling.lfs else None
    is_known = isinstance(sha256, str) and _SHA256.fullmatch(sha256)
    return RemoteFile(repo, commit, path, size, sha256 if is_known else None)


def _models(files: Iterable[RemoteFile]) -> Iterator[RemoteModel]:
    """Those of which parts are missing are left out: nobody could run them."""
    parts: dict[tuple[str, int], dict[int, RemoteFile]] = defaultdict(dict)
    for file in files:
        name, part, n_parts = parse_part(file.path) or (file.path, 1, 1)
        parts[name, n_parts][part] = file
    for (_, n_parts), found in sorted(parts.items()):
        if sorted(found) == list(range(1, n_parts + 1)):
            yield _model(tuple(found[part] for part in sorted(found)))


def _model(files: tuple[RemoteFile, ...]) -> RemoteModel:
    kind = kind_of(files[0].path)
    return RemoteModel(files, kind, "" if kind is HubFileKind.IMATRIX else quantization_of(files[0].path))


def _gating(info: ModelInfo) -> Gating:
    return Gating.AUTO if info.gated == "auto" else Gating.MANUAL if info.gated else Gating.OPEN


def _licence(info: ModelInfo) -> str:
    tags = info.tags if isinstance(info.tags, list) else []
    named = (tag.removeprefix("license:") for tag in tags if isinstance(tag, str) and tag.startswith("license:"))
    return _text(next(named, ""))


def _matching(pattern: re.Pattern[str], plain: object) -> str:
    text = require_type(str, plain)
    if len(text) > _LONGEST or not pattern.fullmatch(text):
        raise ValueError(text)
    return text


def _text(plain: object) -> str:
    """It is shown: nothing in it may be invisible or turn the text around."""
    return plain if isinstance(plain, str) and plain.isprintable() and len(plain) <= _LONGEST else ""


def _number(plain: object, most: int = 1 << 53) -> int:
    """0: not known, or no number that there could be."""
    return plain if type(plain) is int and 0 <= plain <= most else 0
