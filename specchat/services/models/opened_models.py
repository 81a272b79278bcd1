"""Adds model files opened by the user to the library."""

import os
from collections.abc import Sequence
from pathlib import Path

from specchat.domain.errors import ModelFileError
from specchat.services.models.header_facts import read_model_facts
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import LocalModel


def add_opened_models(files: Sequence[Path], library: ModelLibrary) -> LocalModel:
    """Returns the largest that is no head: the others may be its drafts."""
    for file in files:
        require_usable_model(file, is_alone=len(files) == 1)
    return max(map(library.add, files), key=lambda model: (model.can_answer, model.size))


def require_usable_model(file: Path, *, is_alone: bool = True) -> None:
    facts = read_model_facts(file)
    if facts.head and is_alone:
        raise ModelFileError(
            "{name} is a draft head and can't answer by itself.",
            "Open it together with its target, or select it as the draft.",
            name=file.name,
        )
    if facts.problems:
        raise ModelFileError(
            "Can't use {name}: {reason}", "Open another model.", name=file.name, reason=facts.problems[0]
        )
    for part in facts.other_parts:
        if not os.path.isfile(file.with_name(part)):
            raise ModelFileError("The part {name} is missing.", "Put all parts of the model in one folder.", name=part)
