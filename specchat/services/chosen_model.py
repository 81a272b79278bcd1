"""What a reference stands for, as it is shown before the model is loaded. Costs nothing to import."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import HubAbsentError
from specchat.domain.hub import HubReference, parse_reference
from specchat.services.file_choice import choose
from specchat.services.hub_address import is_repository
from specchat.services.model_names import parameters_named
from specchat.sources.file_names import part_of, quantization_of

if TYPE_CHECKING:  # they take their time to import
    from specchat.services.hub import Hub
    from specchat.services.model_shelf import ModelShelf


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
    """With the usual file where only a repository is named."""
    if not is_repository(reference) or Path(reference).exists():
        return reference
    models = hub().look(reference, None, cancel).models
    chosen = choose(models, parameters_named(reference), is_draft=is_draft)
    if chosen is None:
        raise HubAbsentError("{repo} has no GGUF models.", "Choose another repository.", repo=reference)
    return str(chosen.reference)


def looked_up(reference: str, shelf: "ModelShelf", hub: "Callable[[], Hub]", cancel: CancelToken) -> ChosenModel:
    from specchat.services.model_files import on_the_hub

    remote = on_the_hub(reference)
    return _here(reference, shelf) if remote is None else _on_the_hub(reference, remote, hub(), cancel)


def _here(reference: str, shelf: "ModelShelf") -> ChosenModel:
    from specchat.gguf.files import read_model
    from specchat.services.model_files import resolve

    path = resolve(reference)
    model = shelf.at(path)
    if model is not None and not model.problems:
        facts = model.size, model.quantization, model.n_ctx_train
        return ChosenModel(reference, model.name, str(path), True, *facts)
    found = read_model(path)
    return ChosenModel(reference, path.stem, str(path), True, found.file_size, found.quantization, found.n_ctx_train)


def _on_the_hub(reference: str, remote: HubReference, hub: "Hub", cancel: CancelToken) -> ChosenModel:
    """The repository is asked anew: what it lists may have changed since it was shown."""
    listing = hub.look(remote.repo, remote.revision, cancel)
    first = hub.find(remote, cancel)
    model = next(model for model in listing.models if first in model.files)
    n_ctx_train = hub.inspect(first, cancel).n_ctx_train
    name = _name(remote.file)
    return ChosenModel(reference, name, remote.repo, False, model.size, model.quantization, n_ctx_train)


def _name(file: str) -> str:
    name = file.rpartition("/")[2]
    part = part_of(name)
    return part[0] if part else name.rpartition(".")[0]
