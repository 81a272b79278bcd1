"""Finds models of LM Studio and Ollama on this computer; their files are not trusted."""

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

_LONGEST_TEXT = 1 << 20
_MOST_MANIFESTS = 10_000
_OLLAMA_SERVICE = Path("/usr/share/ollama/.ollama/models")
_OLLAMA_NAME = re.compile(r"[\w.-]+")
_OLLAMA_DIGEST = re.compile("sha256[:-]([0-9a-f]{64})")
_OLLAMA_DEFAULTS = ("registry.ollama.ai", "library")
"""The prefix that a short name omits."""


@dataclass(frozen=True, slots=True)
class OllamaModel:
    name: str
    """As its user says it: llama3.2:1b"""
    blob: Path


def lm_studio_folders(home: Path | None = None) -> list[Path]:
    home = home or _home()
    pointed = _text(home / ".lmstudio-home-pointer").strip()
    own_homes = [home / ".lmstudio", home / ".cache" / "lm-studio"]
    if pointed:
        own_homes.insert(0, home / pointed)
    folders = []
    for each in own_homes:
        match _json(each / "settings.json"):
            case {"downloadsFolder": str(chosen)} if chosen:
                folders.append(home / chosen)
        folders.append(each / "models")
    return [each for each in dict.fromkeys(folders) if os.path.isdir(each)]


def ollama_folders(home: Path | None = None) -> list[Path]:
    named = os.environ.get("OLLAMA_MODELS")
    folders = [*([Path(os.path.expanduser(named))] if named else []), (home or _home()) / ".ollama" / "models"]
    return [each for each in dict.fromkeys([*folders, _OLLAMA_SERVICE]) if is_ollama_folder(each)]


def is_ollama_folder(folder: Path) -> bool:
    return os.path.isdir(folder / "manifests") and os.path.isdir(folder / "blobs")


def ollama_models(folder: Path) -> Iterator[OllamaModel]:
    """manifests/HOST/NAMESPACE/NAME/TAG say which of the blobs is the model."""
    manifests = folder / "manifests"
    for path in _all_below(manifests, "*/*/*/*"):
        names = path.relative_to(manifests).parts
        digest = _digest(_json(path))
        if digest and all(_OLLAMA_NAME.fullmatch(name) for name in names):
            places = (folder / "blobs" / f"sha256{mark}{digest}" for mark in "-:")
            blob = next((each for each in places if os.path.isfile(each)), None)
            if blob:
                yield OllamaModel(_short_name(*names), blob)


def _all_below(folder: Path, pattern: str) -> list[Path]:
    with suppress(OSError):
        return sorted(islice(folder.glob(pattern), _MOST_MANIFESTS))
    return []


def _digest(manifest: object) -> str | None:
    match manifest:
        case {"layers": list(layers)}:
            for layer in layers:
                match layer:
                    case {"mediaType": "application/vnd.ollama.image.model", "digest": str(digest)}:
                        found = _OLLAMA_DIGEST.fullmatch(digest)
                        return found[1] if found else None
    return None


def _short_name(host: str, namespace: str, name: str, tag: str) -> str:
    default_host, default_namespace = _OLLAMA_DEFAULTS
    parts = [name]
    if host != default_host:
        parts = [host, namespace, name]
    elif namespace != default_namespace:
        parts = [namespace, name]
    return f"{'/'.join(parts)}:{tag}"


def _json(path: Path) -> object:
    try:
        return json.loads(_text(path))
    except (ValueError, RecursionError):
        return None


def _text(path: Path) -> str:
    """Empty where it is no file that can be read."""
    with suppress(OSError, ValueError):
        if path.is_file():
            with path.open("rb") as file:
                return file.read(_LONGEST_TEXT).decode()
    return ""


def _home() -> Path:
    return Path(os.path.expanduser("~"))
