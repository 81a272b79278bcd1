"""What a reference stands for, as it is shown before the model is loaded. Costs nothing to import."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import HubAbsentError
from specchat.domain.hub import HubReference, parse_reference
from specchat.services.hub.address import is_repository
from specchat.services.models.file_choice import choose
from specchat.services.models.model_names import parameters_named
from specchat.sources.file_names import part_of, quantization_of

if TYPE_CHECKING:  # they take their time to import
    from specchat.services.hub.hub import Hub
    from specchat.services.models.model_shelf import ModelShelf


_IN_THE_CACHE = re.compile(r"/models--(?P<repo>[^/]+)/snapshots/[^/]+/(?P<file>.+)")


@dataclass(frozen=True, slots=True)
class ChosenModel:
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


def at_first_sight(reference: str) -> ChosenModel:
    """Before anything is read or asked."""
    remote = parse_reference(reference)
    if remote is None:
        return ChosenModel(reference, Path(reference).name.removesuffix(".gguf"), reference)
    return ChosenModel(reference, _name(remote.file), remote.repo, quantization=quantization_of(remote.file))


def settled(reference: str, hub: "Callable[[], Hub]", cancel: CancelToken, *, is_draft: bool) -> str:
    """With the usual file where only a repository is named; what was deleted here can be had from the Hub again."""
    if os.path.exists(reference):
        return reference
    if not is_repository(reference):
        return _downloaded_as(reference) or reference
    models = hub().look(reference, None, cancel).models
    chosen = choose(models, parameters_named(reference), is_draft=is_draft)
    if chosen is None:
        raise HubAbsentError("{repo} has no GGUF models.", "Choose another repository.", repo=reference)
    return str(chosen.reference)


def looked_up(
    reference: str, shelf: "ModelShelf", hub: "Callable[[], Hub]", cancel: CancelToken
) -> Iterator[ChosenModel]:
    """More and more of it: even where its header may not be read, its size can be known."""
    from specchat.services.models.model_files import on_the_hub

    remote = on_the_hub(reference)
    if remote is None:
        yield _here(reference, shelf)
    else:
        yield from _on_the_hub(reference, remote, hub, cancel)


def _downloaded_as(path: str) -> str | None:
    found = _IN_THE_CACHE.search(PurePath(path).as_posix())
    remote = parse_reference(f"{found['repo'].replace('--', '/', 1)}:{found['file']}") if found else None
    return str(remote) if remote is not None else None


def _here(reference: str, shelf: "ModelShelf") -> ChosenModel:
    from specchat.gguf.files import read_model
    from specchat.services.models.model_files import resolve

    path = resolve(reference)
    model = shelf.at(path)
    if model is not None and not model.problems:
        facts = model.size, model.quantization, model.n_ctx_train
        return ChosenModel(reference, _usual_name(reference) or model.name, str(path), True, *facts)
    found = read_model(path)
    facts = found.file_size, found.quantization, found.n_ctx_train
    return ChosenModel(reference, _usual_name(reference) or path.stem, str(path), True, *facts)


def _on_the_hub(
    reference: str, remote: HubReference, hub: "Callable[[], Hub]", cancel: CancelToken
) -> Iterator[ChosenModel]:
    """The repository is asked anew: what it lists may have changed since it was shown."""
    model = replace(at_first_sight(reference), here=False)
    yield model
    the_hub = hub()
    listing = the_hub.look(remote.repo, remote.revision, cancel)
    first = the_hub.find(remote, cancel)
    listed = next(model for model in listing.models if first in model.files)
    model = replace(model, size=listed.size, quantization=listed.quantization)
    yield model
    yield replace(model, n_ctx_train=the_hub.inspect(first, cancel).n_ctx_train)


def _usual_name(reference: str) -> str:
    """The same before and after a download; empty where it is no model of the Hub."""
    remote = parse_reference(reference)
    return _name(remote.file) if remote is not None else ""


def _name(file: str) -> str:
    name = file.rpartition("/")[2]
    part = part_of(name)
    return part[0] if part else name.rpartition(".")[0]
