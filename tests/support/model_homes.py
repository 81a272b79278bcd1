"""Models where other programs keep them."""

import json
from hashlib import sha256
from pathlib import Path

from support.gguf_bytes import Tensor, Value, gguf, model_metadata, model_tensors

from specchat.domain.hub import RemoteFile
from specchat.sources.hub_cache import HubCache

REPO = "someone/small-GGUF"
COMMIT = "c" * 40


def small_model(name: str | None = None, rows: int = 32, changes: dict[str, Value | None] | None = None) -> bytes:
    """A header that is in order, and zeros."""
    tensors = [*model_tensors(), Tensor("blk.0.ffn_up.weight", (32, rows), "F32")]
    return gguf(model_metadata({"general.name": name, **(changes or {})}), tensors)


def remote(path: str, data: bytes, repo: str = REPO, commit: str = COMMIT) -> RemoteFile:
    return RemoteFile(repo, commit, path, len(data), sha256(data).hexdigest())


def put_into_hub_cache(folder: Path, path: str, data: bytes, repo: str = REPO, commit: str = COMMIT) -> Path:
    cache, file = HubCache(folder), remote(path, data, repo, commit)
    blob = cache.blob(file)
    if not blob.exists():
        blob.parent.mkdir(parents=True, exist_ok=True)
        blob.write_bytes(data)
    return cache.install(file)


def put_into_ollama(folder: Path, manifest: str, data: bytes) -> Path:
    """`manifest`: registry.ollama.ai/library/llama3.2/1b"""
    digest = sha256(data).hexdigest()
    layers = [
        {"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:" + "0" * 64, "size": 5},
        {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{digest}", "size": len(data)},
    ]
    write_manifest(folder, manifest, json.dumps({"schemaVersion": 2, "layers": layers}))
    blob = folder / "blobs" / f"sha256-{digest}"
    blob.parent.mkdir(exist_ok=True)
    blob.write_bytes(data)
    return blob


def write_manifest(folder: Path, manifest: str, content: str) -> None:
    path = folder / "manifests" / manifest
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    (folder / "blobs").mkdir(exist_ok=True)
