"""From files to the models that are meant, and back. Costs nothing to import."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from specchat.domain.errors import ModelFileError
from specchat.domain.hub import HubReference, parse_reference
from specchat.domain.model_ref import ModelFile, ModelRef
from specchat.domain.shell import quoted
from specchat.services.models.found_models import is_same


def ref_of(path: Path) -> ModelRef:
    """A file in the Hub's cache is one of its repository, with the commit only where another file is meant without."""
    if "snapshots" not in path.parts:
        return ModelFile(path)
    from specchat.sources.hub_cache import HubCache  # takes its time to import

    cache = HubCache()
    reference = cache.reference(path)
    if reference is None or parse_reference(str(reference)) != reference:  # a few repositories have no owner
        return ModelFile(path)
    plain = replace(reference, revision=None)
    meant = cache.find(plain)
    is_another = meant is not None and os.path.exists(path) and not is_same(meant, path)
    return reference if is_another else plain


def file_of(ref: ModelRef) -> Path:
    """Whether a file is there and readable shows when it is read."""
    match ref:
        case ModelFile(path):
            return path
        case HubReference():
            from specchat.sources.hub_cache import HubCache  # takes its time to import

            found = HubCache().find(ref)
            if found is None:
                raise not_downloaded(str(ref))
            return found


def is_here(ref: ModelRef) -> bool:
    with suppress(ModelFileError):
        return file_of(ref).is_file()
    return False


def is_same_model(one: ModelRef, other: ModelRef) -> bool:
    """By whatever names its file goes."""
    if one == other:
        return True
    with suppress(ModelFileError):
        return is_same(file_of(one), file_of(other))
    return False


def not_downloaded(reference: str) -> ModelFileError:
    return ModelFileError(
        "{reference} is not on this computer.",
        "Download it: {command}",
        reference=reference,
        command=quoted("specchat", "models", "pull", reference),
    )
