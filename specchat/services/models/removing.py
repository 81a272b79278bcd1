"""Models leave this computer, or only the list: nothing is deleted that specchat did not download."""

from contextlib import suppress
from pathlib import PurePosixPath

from specchat.domain.errors import ModelFileError, UserError
from specchat.domain.hub import parse_reference
from specchat.domain.shell import quoted
from specchat.services.hub.unfinished import Unfinished, unfinished_of
from specchat.services.models.found_models import OLLAMA
from specchat.services.models.model_files import find, resolve
from specchat.services.models.model_shelf import ModelShelf
from specchat.services.models.origins import ORIGINS, Origin
from specchat.services.models.owned import Owned
from specchat.services.models.pair_values import ShelfModel
from specchat.sources.file_names import all_parts
from specchat.sources.hub_cache import HubCache


def to_remove(reference: str, shelf: ModelShelf, cache: HubCache) -> ShelfModel | Unfinished:
    """What is whole goes before what has only begun to arrive."""
    if find(reference) is None and (begun := unfinished_of(reference, cache)):
        return begun
    with suppress(ModelFileError):  # which would have it downloaded first
        if model := shelf.at(resolve(reference)):
            return model
    raise ModelFileError(
        "{reference} is not among the models on this computer.",
        "`specchat models` lists them.",
        reference=reference,
    )


def remove(model: ShelfModel, shelf: ModelShelf, owned: Owned) -> int | None:
    """How many bytes that frees; None: it left the list, and its file stays."""
    if owned.owns(model.path):
        return owned.delete(model.path)
    if model.origin is Origin.ADDED:
        shelf.remove(model.path)
        return None
    facts = ORIGINS[model.origin]
    raise UserError(facts.whose, facts.instead, name=model.name, what=_as_its_program_calls_it(model))


def _as_its_program_calls_it(model: ShelfModel) -> str:
    if model.origin is Origin.OLLAMA:
        return quoted(model.reference.removeprefix(OLLAMA))
    if reference := parse_reference(model.reference):
        folder = PurePosixPath(reference.file).parent
        names = all_parts(PurePosixPath(reference.file).name)
        return quoted(*(f"hf://models/{reference.repo}/{folder / name}" for name in names))
    return str(model.path)
