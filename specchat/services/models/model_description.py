"""Describes the model behind a reference before it is loaded; cheap to import."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubNotFoundError
from specchat.domain.hub import HubReference, is_repository, parse_hub_reference
from specchat.services.models.file_choice import choose_model
from specchat.services.models.model_names import parse_parameters
from specchat.sources.file_names import parse_part, quantization_of

if TYPE_CHECKING:  # they take their time to import
    from specchat.services.hub.hub import Hub
    from specchat.services.models.model_library import ModelLibrary


_IN_THE_CACHE = re.compile(r"/models--(?P<repo>[^/]+)/snapshots/[^/]+/(?P<file>.+)")


@dataclass(frozen=True, slots=True)
class ModelDescription:
    reference: str
    name: str
    place: str
    """The file, or the repository."""
    here: bool | None = None
    """None: not known yet."""
    size: int = 0
    """0: not known yet."""
    quantization: str = ""
    n_ctx_train: int | None = None


def describe_reference(reference: str) -> ModelDescription:
    """Before anything is read or asked."""
    remote = parse_hub_reference(reference)
    if remote is None:
        return ModelDescription(reference, Path(reference).name.removesuffix(".gguf"), reference)
    return ModelDescription(reference, _name(remote.file), remote.repo, quantization=quantization_of(remote.file))


def resolve_choice(reference: str, hub: "Callable[[], Hub]", cancel: CancelToken, *, is_draft: bool) -> str:
    """Uses the default file if only a repository is named; deleted models come from the Hub again."""
    if os.path.exists(reference):
        return reference
    if not is_repository(reference):
        return _downloaded_as(reference) or reference
    models = hub().fetch_listing(reference, None, cancel).models
    chosen = choose_model(models, parse_parameters(reference), is_draft=is_draft)
    if chosen is None:
        raise HubNotFoundError("{repo} has no GGUF models.", "Choose another repository.", repo=reference)
    return str(chosen.reference)


def describe_model(
    reference: str, library: "ModelLibrary", hub: "Callable[[], Hub]", cancel: CancelToken
) -> Iterator[ModelDescription]:
    """More and more of it: even where its header may not be read, its size can be known."""
    from specchat.services.models.model_files import parse_remote

    remote = parse_remote(reference)
    if remote is None:
        yield _here(reference, library)
    else:
        yield from _on_the_hub(reference, remote, hub, cancel)


def _downloaded_as(path: str) -> str | None:
    found = _IN_THE_CACHE.search(PurePath(path).as_posix())
    remote = parse_hub_reference(f"{found['repo'].replace('--', '/', 1)}:{found['file']}") if found else None
    return str(remote) if remote is not None else None


def _here(reference: str, library: "ModelLibrary") -> ModelDescription:
    from specchat.gguf.files import read_model
    from specchat.services.models.model_files import resolve_path

    path = resolve_path(reference)
    model = library.find_model(path)
    if model is not None and not model.problems:
        facts = model.size, model.quantization, model.n_ctx_train
        return ModelDescription(reference, _usual_name(reference) or model.name, str(path), True, *facts)
    found = read_model(path)
    facts = found.file_size, found.quantization, found.n_ctx_train
    return ModelDescription(reference, _usual_name(reference) or path.stem, str(path), True, *facts)


def _on_the_hub(
    reference: str, remote: HubReference, hub: "Callable[[], Hub]", cancel: CancelToken
) -> Iterator[ModelDescription]:
    """The repository is asked anew: what it lists may have changed since it was shown."""
    model = replace(describe_reference(reference), here=False)
    yield model
    the_hub = hub()
    listing = the_hub.fetch_listing(remote.repo, remote.revision, cancel)
    first = the_hub.find_file(remote, cancel)
    listed = next(model for model in listing.models if first in model.files)
    model = replace(model, size=listed.size, quantization=listed.quantization)
    yield model
    yield replace(model, n_ctx_train=the_hub.inspect(first, cancel).n_ctx_train)


def _usual_name(reference: str) -> str:
    """The same before and after a download; empty where it is no model of the Hub."""
    remote = parse_hub_reference(reference)
    return _name(remote.file) if remote is not None else ""


def _name(file: str) -> str:
    name = file.rpartition("/")[2]
    part = parse_part(name)
    return part[0] if part else name.rpartition(".")[0]
