"""Removes models from disk or from the list; only specchat's own downloads are deleted."""

from contextlib import suppress
from pathlib import Path, PurePosixPath

from specchat.domain.errors import ModelFileError, UserError
from specchat.domain.hub import HubFileKind, parse_hub_reference
from specchat.domain.shell_quoting import quote_command
from specchat.services.hub.unfinished_downloads import UnfinishedDownload, find_unfinished
from specchat.services.models.download_registry import DownloadRegistry
from specchat.services.models.early_exit_store import EarlyExitStore
from specchat.services.models.model_discovery import OLLAMA_PREFIX
from specchat.services.models.model_files import find_local_path, resolve_path
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.origins import ORIGINS, Origin
from specchat.services.models.pair_fit import LocalModel
from specchat.sources.file_names import all_parts, kind_of
from specchat.sources.hub_cache import HubCache


def find_removable(reference: str, library: ModelLibrary, cache: HubCache) -> LocalModel | UnfinishedDownload:
    """What is whole goes before what has only begun to arrive."""
    here = find_local_path(reference)
    if here is None and (begun := find_unfinished(reference, cache)):
        return begun
    with suppress(ModelFileError):  # which would have it downloaded first
        if model := library.find_model(resolve_path(reference)):
            return model
    if here is not None:
        raise _not_ours_error(here)
    raise ModelFileError(
        "{reference} is not on this computer.",
        "List the models with: specchat models",
        reference=reference,
    )


def _not_ours_error(here: Path) -> ModelFileError:
    if here.is_dir():
        return ModelFileError("{path} is a folder.", "Choose a .gguf file inside it.", path=here)
    facts = ORIGINS[Origin.FOLDER]
    return ModelFileError(facts.whose, facts.instead, name=here, what=here)


def remove_model(
    model: LocalModel, library: ModelLibrary, owned: DownloadRegistry, early_exits: EarlyExitStore
) -> int | None:
    """How many bytes that frees, with what was made of it; None: it left the list, and its file stays."""
    if (draft := early_exits.draft_at(model.path)) is not None:
        return early_exits.delete(draft)
    if owned.owns(model.path):
        made = early_exits.find(model.path)
        freed = owned.delete(model.path)
        freed += _delete_vision_encoders(model.path, owned)
        if made is not None and not made.target.exists():
            freed += early_exits.delete(made)
        return freed
    if model.origin is Origin.ADDED:
        library.remove(model.path)
        return None
    facts = ORIGINS[model.origin]
    raise UserError(facts.whose, facts.instead, name=model.name, what=_as_its_program_calls_it(model))


def _delete_vision_encoders(deleted: Path, owned: DownloadRegistry) -> int:
    """With the last model of their folder."""
    names = [path.name for path in deleted.parent.glob("*.gguf")]
    if any(kind_of(name) is HubFileKind.MODEL for name in names):
        return 0
    encoders = [deleted.with_name(name) for name in names if kind_of(name) is HubFileKind.MMPROJ]
    return sum(owned.delete(encoder) for encoder in encoders if owned.owns(encoder))


def _as_its_program_calls_it(model: LocalModel) -> str:
    if model.origin is Origin.OLLAMA:
        return quote_command(model.reference.removeprefix(OLLAMA_PREFIX))
    if reference := parse_hub_reference(model.reference):
        folder = PurePosixPath(reference.file).parent
        names = all_parts(PurePosixPath(reference.file).name)
        return quote_command(*(f"hf://models/{reference.repo}/{folder / name}" for name in names))
    return str(model.path)
