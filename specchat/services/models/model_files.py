"""Model files before they are loaded: what a reference names, what a header says, whether two go together.

Importing this costs nothing: what reads headers needs numpy, and waits until there is one to read.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import IncompatibleError, ModelFileError
from specchat.domain.hub import HubReference
from specchat.domain.shell import quoted
from specchat.services.models.demo_pair import DEMO, DEMO_NAMES, demo_draft, demo_file
from specchat.services.models.found_models import OLLAMA, in_ollama
from specchat.services.models.misspelt import nearest
from specchat.services.models.model_refs import not_downloaded
from specchat.services.models.named_models import NamedRepository, model_here, model_on_the_hub, named, reference_here
from specchat.services.models.pair_values import Origin, ShelfModel

_ENDING = ".gguf"
_NO_DRAFT = "none"
"""Named in place of a draft: guesses come from the text alone."""

if TYPE_CHECKING:
    from specchat.gguf.compatibility import Compatibility
    from specchat.gguf.source import ByteSource
    from specchat.gguf.summary import ModelSummary
    from specchat.services.hub.hub import Hub


def resolve(reference: str) -> Path:
    """Whether the file is there and readable shows when it is read."""
    if here := find(reference):
        return here
    if reference.startswith(OLLAMA):
        raise ModelFileError(
            "{reference} is not on this computer.",
            "Download it: {command}",
            reference=reference,
            command=quoted("ollama", "pull", reference.removeprefix(OLLAMA)),
        )
    if named(reference):
        raise not_downloaded(reference)
    return _at_home(Path(reference))


def meant(reference: str) -> Path:
    """As `resolve`, for what somebody typed: a slip is told."""
    path = resolve(reference)
    if not os.path.lexists(path) and (alike := nearest(path.name, _beside(path))):
        name = alike[0] if path.parent == Path() else str(path.with_name(alike[0]))
        raise ModelFileError("There is no file {path}.", "Did you mean {name}?", path=path, name=quoted(name))
    return path


def require_there(files: Iterable[Path]) -> None:
    """Whether they are models shows when they are read."""
    from specchat.gguf.source import FileSource

    for file in files:
        FileSource(meant(str(file)))


def _beside(path: Path) -> list[str]:
    """The models in its folder, and the demo, which needs none."""
    try:
        files = [name for name in os.listdir(path.parent) if name.casefold().endswith(_ENDING)]
    except (OSError, ValueError):
        files = []
    return [*files, *(DEMO_NAMES if path.parent == Path() else ())]


def find(reference: str) -> Path | None:
    """None: it is not on this computer. What may mean several models is refused."""
    if not reference:  # which as a path would be this folder
        raise ModelFileError("The name of a model is empty.", "Name a .gguf file, owner/repo:Q4_K_M, or demo.")
    demo = demo_file(reference)
    if demo is not None:
        return demo
    path = _at_home(Path(reference))
    return path if os.path.exists(path) else _downloaded(reference)


def on_the_hub(reference: str) -> HubReference | None:
    """None also where it is on this computer already, and where no file is named."""
    name = named(reference)
    return name if isinstance(name, HubReference) and find(reference) is None else None


def pinned(text: str, hub: "Callable[[], Hub]", cancel: CancelToken) -> str:
    """With its file named. What is here comes first; the Hub is asked where nothing here is meant."""
    if demo_file(text) or os.path.exists(_at_home(Path(text))):
        return text
    match named(text):
        case HubReference() as reference:
            return str(reference)
        case NamedRepository() as name:
            from specchat.sources.hub_cache import HubCache

            return str(model_here(text, name, HubCache()) or model_on_the_hub(text, name, hub(), cancel))
    return text


def reference_of(model: ShelfModel) -> str:
    """What commands take, as short as it can be."""
    if model.origin is Origin.DEMO:
        return model.path.stem
    return model.reference or str(model.path)


def _downloaded(reference: str) -> Path | None:
    if reference.startswith(OLLAMA):
        tag = reference.removeprefix(OLLAMA)
        wanted = tag if ":" in tag else f"{tag}:latest"
        return next((found.path for found in in_ollama() if found.name == wanted), None)
    if named(reference) is None:
        return None
    from specchat.sources.hub_cache import HubCache

    cache = HubCache()
    remote = reference_here(reference, cache)
    return cache.find(remote) if remote else None


def require_downloaded(references: Iterable[str]) -> None:
    """Of several that are still on the Hub all are named, to be downloaded at once."""
    missing = [each for each in dict.fromkeys(references) if named(each) and find(each) is None]
    if len(missing) > 1:
        raise ModelFileError(
            "These are not on this computer: {names}.",
            "Download them: {command}",
            names=", ".join(missing),
            command=quoted("specchat", "models", "pull", *missing),
        )


def resolve_pair(target: str, draft: str | None) -> tuple[Path, Path | None]:
    """The demo brings its draft along; `none` is no draft, whatever files are there."""
    if draft == _NO_DRAFT:
        return meant(target), None
    require_downloaded(filter(None, (target, draft)))
    if draft == DEMO or (draft is None and target == DEMO):
        return meant(target), demo_draft()
    return meant(target), meant(draft) if draft is not None else None


def _at_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:  # ~ of nobody here is an ordinary character
        return path


def inspect(reference: str, hub: "Callable[[], Hub]", cancel: CancelToken) -> "ModelSummary":
    from specchat.gguf.files import read_model

    reference = pinned(reference, hub, cancel)
    remote = on_the_hub(reference)
    if remote is None:
        return read_model(meant(reference))
    the_hub = hub()
    return the_hub.inspect(the_hub.find(remote, cancel), cancel)


def compare(target: str, draft: str, hub: "Callable[[], Hub]", cancel: CancelToken) -> "Compatibility":
    from specchat.gguf.files import compare_sources

    draft = str(demo_draft()) if draft == DEMO else draft
    with _opened(target, hub, cancel) as target_source, _opened(draft, hub, cancel) as draft_source:
        return compare_sources(target_source, draft_source)


@contextmanager
def _opened(reference: str, hub: "Callable[[], Hub]", cancel: CancelToken) -> "Iterator[ByteSource]":
    from specchat.gguf.source import FileSource

    reference = pinned(reference, hub, cancel)
    remote = on_the_hub(reference)
    if remote is None:
        yield FileSource(meant(reference))
        return
    the_hub = hub()
    with the_hub.opened(the_hub.find(remote, cancel), cancel) as source:
        yield source


def require_compatible(target: Path, draft: Path) -> "Compatibility":
    from specchat.gguf.files import compare_files

    result = compare_files(target, draft)
    if not result.is_possible:
        raise IncompatibleError(
            "{draft} cannot draft for {target}: {reason}",
            "Choose a draft of the target's own family, or leave the draft out.",
            draft=draft.name,
            target=target.name,
            reason=result.reasons[0].message,
        )
    return result
