"""Resolves references to model files, and inspects and compares models before loading.

Importing this costs nothing: what reads headers needs numpy, and waits until there is one to read.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ModelFileError
from specchat.domain.hub import HubReference, is_model_file
from specchat.domain.shell_quoting import quote_command
from specchat.domain.translatable_text import TranslatableText
from specchat.services.models.demo_pair import DEMO, DEMO_NAMES, demo_draft, demo_file
from specchat.services.models.model_discovery import OLLAMA_PREFIX, find_in_ollama
from specchat.services.models.model_refs import not_downloaded_error
from specchat.services.models.name_resolver import (
    NamedRepository,
    find_downloaded_model,
    find_downloaded_reference,
    find_model_on_hub,
    parse_model_name,
)
from specchat.services.models.pair_fit import LocalModel, Origin
from specchat.services.models.suggestions import suggest_similar

_NO_DRAFT = "none"
_WHAT_TO_NAME = TranslatableText("Use a .gguf file, owner/repo:Q4_K_M, or demo.")
_MAGIC = (b"GGUF", b"FUGG")
"""In either byte order: whoever reads more explains the other one."""
_HEADS = ".safetensors"
"""Named in place of a draft: guesses come from the text alone."""

if TYPE_CHECKING:
    from specchat.gguf.compatibility import Compatibility
    from specchat.gguf.source import ByteSource
    from specchat.gguf.summary import ModelSummary
    from specchat.services.hub.hub import Hub


def resolve_path(reference: str) -> Path:
    """Returns the path without checking whether the file is there and readable."""
    if here := find_local_path(reference):
        return here
    if reference.startswith(OLLAMA_PREFIX):
        raise ModelFileError(
            "{reference} is not on this computer.",
            "Download it: {command}",
            reference=reference,
            command=quote_command("ollama", "pull", reference.removeprefix(OLLAMA_PREFIX)),
        )
    if parse_model_name(reference):
        raise not_downloaded_error(reference)
    if "://" in reference:  # a path would lose one of the slashes
        raise ModelFileError("File not found: {path}.", _WHAT_TO_NAME, path=reference)
    return _at_home(Path(reference))


def resolve_typed_path(reference: str) -> Path:
    """Like `resolve`, but explains typing errors in user input."""
    path = resolve_path(reference)
    if os.path.lexists(path):
        return path
    if alike := suggest_similar(path.name, _beside(path)):
        name = alike[0] if path.parent == Path() else str(path.with_name(alike[0]))
        raise ModelFileError("File not found: {path}.", "Did you mean {name}?", path=path, name=quote_command(name))
    if path.name == reference and not is_model_file(reference):
        raise ModelFileError(
            "File not found: {path}.",
            "List the models on this computer: {command}",
            path=path,
            command=quote_command("specchat", "models"),
        )
    return path


def require_files(files: Iterable[Path]) -> None:
    """Checks that the files exist, and by their first bytes that they are models or heads."""
    from specchat.gguf.foreign_formats import GLANCE, not_gguf_error
    from specchat.gguf.source import FileSource

    for file in files:
        source = FileSource(resolve_typed_path(str(file)))
        start = source.read(0, GLANCE)
        if not start.startswith(_MAGIC) and not source.name.casefold().endswith(_HEADS):
            raise not_gguf_error(source.name, start)


def _beside(path: Path) -> list[str]:
    """The models in its folder, and the demo, which needs none."""
    try:
        files = [name for name in os.listdir(path.parent) if is_model_file(name)]
    except (OSError, ValueError):
        files = []
    return [*files, *(DEMO_NAMES if path.parent == Path() else ())]


def find_local_path(reference: str) -> Path | None:
    """None: it is not on this computer. What may mean several models is refused."""
    if not reference:  # which as a path would be this folder
        raise ModelFileError("The model name is empty.", _WHAT_TO_NAME)
    demo = demo_file(reference)
    if demo is not None:
        return demo
    path = _at_home(Path(reference))
    return path if os.path.exists(path) else _find_downloaded(reference)


def parse_remote(reference: str) -> HubReference | None:
    """None also where it is on this computer already, and where no file is named."""
    name = parse_model_name(reference)
    return name if isinstance(name, HubReference) and find_local_path(reference) is None else None


def pin_reference(text: str, hub: "Callable[[], Hub]", cancel: CancelToken) -> str:
    """Adds the file name. Prefers local models; asks the Hub if none matches."""
    if demo_file(text) or os.path.exists(_at_home(Path(text))):
        return text
    match parse_model_name(text):
        case HubReference() as reference:
            return str(reference)
        case NamedRepository() as name:
            from specchat.sources.hub_cache import HubCache

            return str(find_downloaded_model(text, name, HubCache()) or find_model_on_hub(text, name, hub(), cancel))
    return text


def command_reference(model: LocalModel) -> str:
    """Returns the shortest reference that commands accept."""
    if model.origin is Origin.DEMO:
        return model.path.stem
    return model.reference or str(model.path)


def _find_downloaded(reference: str) -> Path | None:
    if reference.startswith(OLLAMA_PREFIX):
        tag = reference.removeprefix(OLLAMA_PREFIX)
        wanted = tag if ":" in tag else f"{tag}:latest"
        return next((found.path for found in find_in_ollama() if found.name == wanted), None)
    if parse_model_name(reference) is None:
        return None
    from specchat.sources.hub_cache import HubCache

    cache = HubCache()
    remote = find_downloaded_reference(reference, cache)
    return cache.find(remote) if remote else None


def require_downloaded(references: Iterable[str]) -> None:
    """Raises an error that names all models that are still on the Hub, to download them at once."""
    missing = [each for each in dict.fromkeys(references) if parse_model_name(each) and find_local_path(each) is None]
    if len(missing) > 1:
        raise ModelFileError(
            "Not on this computer: {names}.",
            "Download them: {command}",
            names=", ".join(missing),
            command=quote_command("specchat", "models", "pull", *missing),
        )


def resolve_pair(target: str, draft: str | None) -> tuple[Path, Path | None]:
    """The demo brings its draft along; `none` is no draft, whatever files are there."""
    if draft == _NO_DRAFT:
        return resolve_typed_path(target), None
    require_downloaded(filter(None, (target, draft)))
    if draft == DEMO or (draft is None and target == DEMO):
        return resolve_typed_path(target), demo_draft()
    return resolve_typed_path(target), resolve_typed_path(draft) if draft is not None else None


def _at_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:  # ~ of nobody here is an ordinary character
        return path


def inspect_model(reference: str, hub: "Callable[[], Hub]", cancel: CancelToken) -> "ModelSummary":
    from specchat.gguf.files import read_model

    reference = pin_reference(reference, hub, cancel)
    remote = parse_remote(reference)
    if remote is None:
        return read_model(resolve_typed_path(reference))
    the_hub = hub()
    return the_hub.inspect(the_hub.find_file(remote, cancel), cancel)


def compare_models(target: str, draft: str, hub: "Callable[[], Hub]", cancel: CancelToken) -> "Compatibility":
    from specchat.gguf.files import compare_sources

    draft = str(demo_draft()) if draft == DEMO else draft
    with _open_source(target, hub, cancel) as target_source, _open_source(draft, hub, cancel) as draft_source:
        return compare_sources(target_source, draft_source)


@contextmanager
def _open_source(reference: str, hub: "Callable[[], Hub]", cancel: CancelToken) -> "Iterator[ByteSource]":
    from specchat.gguf.source import FileSource

    reference = pin_reference(reference, hub, cancel)
    remote = parse_remote(reference)
    if remote is None:
        yield FileSource(resolve_typed_path(reference))
        return
    the_hub = hub()
    with the_hub.open_file(the_hub.find_file(remote, cancel), cancel) as source:
        yield source
