"""Opens files for memory measurement: a local model, or the header of one on the Hub."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from specchat.domain.cancel_token import CancelToken
from specchat.domain.hub import HubReference, RemoteFile
from specchat.gguf.header import read_header
from specchat.gguf.skeleton import write_skeleton
from specchat.gguf.splits import other_parts, require_first_part
from specchat.services.models.demo_pair import DEMO, demo_draft
from specchat.services.models.model_files import parse_remote, resolve_typed_path

if TYPE_CHECKING:
    from specchat.services.hub.hub import Hub


@contextmanager
def open_measurable_pair(
    target: str, draft: str | None, hub: "Callable[[], Hub]", cancel: CancelToken
) -> Iterator[tuple[Path, Path | None]]:
    """The demo brings its draft along."""
    with ExitStack() as opened:
        target_file = opened.enter_context(open_measurable(target, hub, cancel))
        if draft == DEMO or (draft is None and target == DEMO):
            yield target_file, demo_draft()
        elif draft is None:
            yield target_file, None
        else:
            yield target_file, opened.enter_context(open_measurable(draft, hub, cancel))


@contextmanager
def open_measurable(reference: str, hub: "Callable[[], Hub]", cancel: CancelToken) -> Iterator[Path]:
    remote = parse_remote(reference)
    if remote is None:
        yield resolve_typed_path(reference)
        return
    the_hub = hub()
    with ExitStack() as opened:
        files = _parts(the_hub, remote, cancel)
        sources = [opened.enter_context(the_hub.open_file(file, cancel)) for file in files]
        yield opened.enter_context(write_skeleton(sources))


def _parts(hub: "Hub", reference: HubReference, cancel: CancelToken) -> list[RemoteFile]:
    first = hub.find_file(reference, cancel)
    with hub.open_file(first, cancel) as source:
        split = require_first_part(read_header(source))
    place = PurePosixPath(reference.file)
    others = other_parts(place.name, split) if split else []
    return [first, *(hub.find_file(replace(reference, file=str(place.with_name(name))), cancel) for name in others)]
