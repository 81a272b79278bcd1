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

if TYPE_CHECKING:
    from specchat.services.hub import Hub


def resolve(reference: str) -> Path:
    """Whether the file is there and readable shows when it is read."""
    demo = demo_file(reference)
    if demo is not None:
        return demo
    if on_the_hub(reference):
        raise ModelFileError(
            "{reference} is a model on the Hub, which this version cannot open.",
            "Download the file and give its path.",
            reference=reference,
        )
    return _at_home(Path(reference))


def on_the_hub(reference: str) -> HubReference | None:
    """What is on this computer goes first."""
    return None if os.path.exists(_at_home(Path(reference))) else parse_reference(reference)


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
