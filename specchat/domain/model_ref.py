"""Which model is meant, wherever its bytes are: a file here, or a file of the Hub, whose snapshots come and go."""

from dataclasses import dataclass
from pathlib import Path

from specchat.domain.hub import HubReference, parse_reference


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


def parse_ref(text: str) -> ModelRef:
    return parse_reference(text) or ModelFile(Path(text))
