"""Converts between model files and model references; cheap to import."""

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from specchat.domain.errors import ModelFileError
from specchat.domain.hub import HubReference, parse_hub_reference
from specchat.domain.model_ref import ModelFile, ModelRef, ServedModel
from specchat.domain.shell_quoting import quote_command
from specchat.services.models.model_discovery import is_same_file


def ref_for_path(path: Path) -> ModelRef:
    """A file in the Hub's cache is one of its repository, with the commit only where another file is meant without."""
    if "snapshots" not in path.parts:
        return ModelFile(path)
    from specchat.sources.hub_cache import HubCache  # takes its time to import

    cache = HubCache()
    reference = cache.reference(path)
    if reference is None or parse_hub_reference(str(reference)) != reference:  # a few repositories have no owner
        return ModelFile(path)
    plain = replace(reference, revision=None)
    meant = cache.find(plain)
    is_another = meant is not None and os.path.exists(path) and not is_same_file(meant, path)
    return reference if is_another else plain


def path_for_ref(ref: ModelRef) -> Path:
    """Returns the path without checking whether the file is there and readable."""
    match ref:
        case ModelFile(path):
            return path
        case HubReference():
            from specchat.sources.hub_cache import HubCache  # takes its time to import

            found = HubCache().find(ref)
            if found is None:
                raise not_downloaded_error(str(ref))
            return found
        case ServedModel(url):
            raise ModelFileError(
                "{name} is on another engine, so its file is not on this computer.",
                "Choose a model on this computer, or use this one with: --engine {url}",
                name=ref.name,
                url=url,
            )


def is_local(ref: ModelRef) -> bool:
    with suppress(ModelFileError):
        return path_for_ref(ref).is_file()
    return False


def is_missing(ref: ModelRef) -> bool:
    """Returns whether a model is on this computer; doesn't ask other engines."""
    return not isinstance(ref, ServedModel) and not is_local(ref)


def is_same_model(one: ModelRef, other: ModelRef) -> bool:
    """Returns whether both refs name the same file."""
    if one == other:
        return True
    with suppress(ModelFileError):
        return is_same_file(path_for_ref(one), path_for_ref(other))
    return False


def not_downloaded_error(reference: str) -> ModelFileError:
    return ModelFileError(
        "{reference} is not on this computer.",
        "Download it: {command}",
        reference=reference,
        command=quote_command("specchat", "models", "pull", reference),
    )
