"""Finds model files on this computer without reading their headers."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.hub import HubFileKind, HubReference, parse_hub_reference
from specchat.services.models.pair_fit import Origin
from specchat.sources.file_names import kind_of
from specchat.sources.model_folders import find_model_files, is_model_file_name
from specchat.sources.other_programs import is_ollama_folder, lm_studio_folders, ollama_folders, ollama_models

if TYPE_CHECKING:  # it takes its time to import
    from specchat.sources.hub_cache import HubCache

OLLAMA_PREFIX = "ollama:"
"""Begins the references to its models."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    path: Path
    origin: Origin
    reference: str = ""
    """How commands name it where that is not its path."""
    name: str = ""
    """Where its program has one for it."""
    early_exit_of: Path | None = None
    """The target whose first layers it holds."""


ModelFinder = Callable[[], Iterable[FoundFile]]


def external_finders(cache: "Callable[[], HubCache]") -> tuple[ModelFinder, ...]:
    """Finds models of other programs."""
    return lambda: find_in_hub_cache(cache()), find_in_lm_studio, find_in_ollama


def find_in_hub_cache(cache: "HubCache") -> Iterator[FoundFile]:
    """First those that are meant where no revision is named."""
    others = []
    for file in cache.models():
        if is_model_file_name(file.path):
            plain = HubReference(file.repo, file.path)
            if cache.find(plain) == file.place:
                yield FoundFile(file.place, Origin.HUB, _reference_text(plain), _telling_name(plain))
            else:
                others.append(FoundFile(file.place, Origin.HUB, _reference_text(file.reference), _telling_name(plain)))
    yield from others


def find_in_lm_studio(home: Path | None = None) -> Iterator[FoundFile]:
    for folder in lm_studio_folders(home):
        yield from (FoundFile(path, Origin.LM_STUDIO) for path in find_model_files(folder))


def find_in_ollama(home: Path | None = None) -> Iterator[FoundFile]:
    for folder in ollama_folders(home):
        yield from _ollama(folder)


def find_in_folder(folder: Path) -> Iterator[FoundFile]:
    if is_ollama_folder(folder):
        yield from _ollama(folder)
    yield from (FoundFile(path, Origin.FOLDER) for path in find_model_files(folder))


def drop_duplicates(found: Iterable[FoundFile]) -> Iterator[FoundFile]:
    """No file twice, whatever names and links lead to it: the first one counts."""
    seen = set()
    for each in found:
        key = _identity(each.path) or each.path
        if key not in seen:
            seen.add(key)
            yield each


def is_same_file(one: Path, other: Path) -> bool:
    return one == other or ((found := _identity(one)) is not None and found == _identity(other))


def _identity(path: Path) -> object:
    """The same for all names of a file; None: there is none."""
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return (status.st_dev, status.st_ino) if status.st_ino else path.resolve()


def _ollama(folder: Path) -> Iterator[FoundFile]:
    for model in ollama_models(folder):
        yield FoundFile(model.blob, Origin.OLLAMA, f"{OLLAMA_PREFIX}{model.name}", model.name)


def _telling_name(reference: HubReference) -> str:
    """Medusa's files all have the same one."""
    return reference.repo.rpartition("/")[2] if kind_of(reference.file) is HubFileKind.MEDUSA else ""


def _reference_text(reference: HubReference) -> str:
    """Empty where it could not be read again, as for the few repositories without an owner."""
    text = str(reference)
    return text if parse_hub_reference(text) == reference else ""
