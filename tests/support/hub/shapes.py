"""Repositories as the Hub's JSON shows them."""

import hashlib
from collections.abc import Iterable
from datetime import datetime

from support.hub.blobs import Blob
from support.hub.repositories import Commit, Repository

Json = dict[str, object]

LISTED = ("likes", "private", "downloads", "tags", "pipeline_tag", "library_name", "createdAt", "modelId")
LISTED_IN_FULL = (*LISTED, "author", "sha", "lastModified", "gated", "disabled", "siblings")
EXPANDABLE = {
    *LISTED_IN_FULL,
    *("baseModels", "cardData", "childrenModelCount", "config", "downloadsAllTime", "evalResults", "gguf", "inference"),
    *("inferenceProviderMapping", "mask_token", "model-index", "resourceGroup", "safetensors", "spaces"),
    *("transformersInfo", "trendingScore", "usedStorage", "widgetData"),
} - {"modelId"}


def model(repository: Repository, commit: Commit, *, with_blobs: bool = False) -> Json:
    """Everything that is known; the Hub leaves out what was not asked for."""
    card = repository.card
    is_gguf = any(path.endswith(".gguf") for path in commit.files)
    shown: Json = {
        "_id": hashlib.sha1(repository.name.encode()).hexdigest()[:24],
        "id": repository.name,
        "modelId": repository.name,
        "author": repository.author,
        "sha": commit.id,
        "createdAt": _time(next(iter(repository.commits.values())).at),
        "lastModified": _time(commit.at),
        "private": card.private,
        "gated": False if card.gating == "open" else card.gating,
        "disabled": False,
        "downloads": card.downloads,
        "likes": card.likes,
        "trendingScore": card.trending,
        "tags": [*(["gguf"] if is_gguf else []), f"license:{card.licence}", "region:us"],
        "pipeline_tag": "text-generation",
        "library_name": "gguf",
        "cardData": {"license": card.licence},
        "spaces": [],
        "usedStorage": sum(blob.size for blob in commit.files.values()),
        "siblings": [_sibling(path, blob, with_blobs) for path, blob in sorted(commit.files.items())],
    }
    return shown if card.gguf is None else {**shown, "gguf": dict(card.gguf)}


def only(shown: Json, names: Iterable[str]) -> Json:
    return {name: shown[name] for name in ("_id", "id", *names) if name in shown}


def entry(commit: Commit, path: str, *, expanded: bool) -> Json | None:
    blob = commit.files.get(path)
    last: Json = {"id": commit.id, "title": "Upload files", "date": _time(commit.at)}
    more: Json = {"lastCommit": last} if expanded else {}
    if blob is not None:
        if expanded:
            more["securityFileStatus"] = {"status": "safe", "avScan": None, "pickleImportScan": None}
        return {"type": "file", "oid": blob.oid, "size": blob.size, **_lfs(blob, "oid"), "path": path, **more}
    if path in _folders(commit):
        oid = hashlib.sha1(f"{commit.id} {path}".encode()).hexdigest()
        return {"type": "directory", "oid": oid, "size": 0, "path": path, **more}
    return None


def paths_in(commit: Commit, folder: str, *, recursive: bool) -> list[str] | None:
    if folder and folder not in _folders(commit):
        return None
    start = f"{folder}/" if folder else ""
    inside = [path for path in sorted({*commit.files, *_folders(commit)}) if path.startswith(start)]
    return [path for path in inside if recursive or "/" not in path.removeprefix(start)]


def _folders(commit: Commit) -> set[str]:
    return {path[:at] for path in commit.files for at, letter in enumerate(path) if letter == "/"}


def _sibling(path: str, blob: Blob, with_blobs: bool) -> Json:
    if not with_blobs:
        return {"rfilename": path}
    return {"rfilename": path, "blobId": blob.oid, "size": blob.size, **_lfs(blob, "sha256")}


def _lfs(blob: Blob, name_of_hash: str) -> Json:
    if not blob.is_lfs:
        return {}
    return {"lfs": {name_of_hash: blob.sha256, "size": blob.size, "pointerSize": len(blob.pointer)}}


def _time(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")
