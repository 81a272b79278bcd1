"""Says what a model file can be beside the loaded target, by its header."""

from enum import Enum, auto
from pathlib import Path

from specchat.gguf.header import read_header
from specchat.gguf.projector import ARCHITECTURE
from specchat.gguf.source import FileSource
from specchat.services.models.header_facts import read_model_facts
from specchat.services.models.mmproj_lookup import require_fitting


class ModelRole(Enum):
    TARGET = auto()
    DRAFT = auto()
    """A model, or a head."""
    ENCODER = auto()
    """An mmproj file, with which a target sees or hears."""


def possible_roles(file: Path, target: Path) -> tuple[ModelRole, ...]:
    """Raises a UserError for what can't be read, and for an mmproj file of another model."""
    if read_header(FileSource(file)).architecture == ARCHITECTURE:
        require_fitting(file, target)
        return (ModelRole.ENCODER,)
    facts = read_model_facts(file)
    if facts.head:
        return (ModelRole.DRAFT,)
    return (ModelRole.TARGET,) if facts.problems else (ModelRole.TARGET, ModelRole.DRAFT)
