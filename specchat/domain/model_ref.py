"""References to models: a local file, or a file of the Hub."""

from dataclasses import dataclass
from pathlib import Path

from specchat.domain.hub import HubReference, parse_hub_reference


@dataclass(frozen=True, slots=True)
class ModelFile:
    path: Path

    @property
    def name(self) -> str:
        return self.path.name

    def __str__(self) -> str:
        return str(self.path)


ModelRef = ModelFile | HubReference
"""As text it is what commands take, and what is kept: a path, or owner/repo:file.gguf."""


def parse_model_ref(text: str) -> ModelRef:
    return parse_hub_reference(text) or ModelFile(Path(text))
