"""Model files before they are loaded: what a reference names, what a header says, whether two go together."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import IncompatibleError, ModelFileError
from specchat.domain.hub import HubReference, parse_reference
from specchat.gguf.compatibility import Compatibility, Verdict
from specchat.gguf.files import compare_files, compare_sources, read_model
from specchat.gguf.source import ByteSource, FileSource
from specchat.gguf.summary import ModelSummary
from specchat.services.demo_pair import DEMO, demo_draft, demo_file
from specchat.services.found_models import OLLAMA, in_ollama

if TYPE_CHECKING:
    from specchat.services.hub import Hub


def resolve(reference: str) -> Path:
    """Whether the file is there and readable shows when it is read."""
    demo = demo_file(reference)
    if demo is not None:
        return demo
    path = _at_home(Path(reference))
    if os.path.exists(path):
        return path
    if here := _here(reference):
        return here
    if parse_reference(reference):
        raise ModelFileError(
            "{reference} is not on this computer.",
            "Download it: specchat models pull {reference}",
            reference=reference,
        )
    if reference.startswith(OLLAMA):
        raise ModelFileError(
            "{reference} is not on this computer.",
            "Download it: ollama pull {name}",
            reference=reference,
            name=reference.removeprefix(OLLAMA),
        )
    return path


def on_the_hub(reference: str) -> HubReference | None:
    """None also where it is on this computer already."""
    if os.path.exists(_at_home(Path(reference))) or _here(reference):
        return None
    return parse_reference(reference)


def _here(reference: str) -> Path | None:
    if remote := parse_reference(reference):
        from specchat.sources.hub_cache import HubCache

        return HubCache().find(remote)
    if reference.startswith(OLLAMA):
        name = reference.removeprefix(OLLAMA)
        wanted = name if ":" in name else f"{name}:latest"
        return next((found.path for found in in_ollama() if found.name == wanted), None)
    return None


def resolve_pair(target: str, draft: str | None) -> tuple[Path, Path | None]:
    """The demo brings its draft along."""
    if draft == DEMO or (draft is None and target == DEMO):
        return resolve(target), demo_draft()
    return resolve(target), resolve(draft) if draft is not None else None


def _at_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:  # ~ of nobody here is an ordinary character
        return path


def inspect(reference: str, hub: "Callable[[], Hub]", cancel: CancelToken) -> ModelSummary:
    remote = on_the_hub(reference)
    if remote is None:
        return read_model(resolve(reference))
    the_hub = hub()
    return the_hub.inspect(the_hub.find(remote, cancel), cancel)


def compare(target: str, draft: str, hub: "Callable[[], Hub]", cancel: CancelToken) -> Compatibility:
    draft = str(demo_draft()) if draft == DEMO else draft
    with _opened(target, hub, cancel) as target_source, _opened(draft, hub, cancel) as draft_source:
        return compare_sources(target_source, draft_source)


@contextmanager
def _opened(reference: str, hub: "Callable[[], Hub]", cancel: CancelToken) -> Iterator[ByteSource]:
    remote = on_the_hub(reference)
    if remote is None:
        yield FileSource(resolve(reference))
        return
    the_hub = hub()
    with the_hub.opened(the_hub.find(remote, cancel), cancel) as source:
        yield source


def require_compatible(target: Path, draft: Path) -> Compatibility:
    result = compare_files(target, draft)
    if result.verdict is Verdict.INCOMPATIBLE:
        raise IncompatibleError(
            "{draft} cannot draft for {target}: {reason}",
            "Choose a draft of the target's own family, or leave the draft out.",
            draft=draft.name,
            target=target.name,
            reason=result.reasons[0].message,
        )
    return result
