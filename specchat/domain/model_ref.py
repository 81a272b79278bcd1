"""References to models: a local file, a file of the Hub, or a model that another engine serves."""

from dataclasses import dataclass
from pathlib import Path

from specchat.domain.hub import HubReference, parse_hub_reference

_SCHEMES = ("http://", "https://")


@dataclass(frozen=True, slots=True)
class ModelFile:
    path: Path

    @property
    def name(self) -> str:
        return self.path.name

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model of another engine, as that engine calls it."""

    url: str
    """Of the engine."""
    id: str = ""
    """Perhaps a path. Empty: the only one that it has, or the one that is loaded."""

    @property
    def name(self) -> str:
        tail = self.id.replace("\\", "/").rstrip("/").rpartition("/")[2]
        return tail or self.id or self.url.partition("://")[2]

    def __str__(self) -> str:
        return f"{self.url}#{self.id}" if self.id else self.url


ModelRef = ModelFile | HubReference | ServedModel
"""Its text is what commands take and settings store: a path, owner/repo:file.gguf, or URL#id."""


def parse_model_ref(text: str) -> ModelRef:
    if text.lower().startswith(_SCHEMES):
        url, _, name = text.partition("#")
        return ServedModel(url, name)
    return parse_hub_reference(text) or ModelFile(Path(text))
