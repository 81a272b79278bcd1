"""Origins of the models on this computer: one member and one entry per program."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from specchat.domain.translatable_text import TranslatableText


class Origin(StrEnum):
    ADDED = "added"
    """By the user, who may take it off the list."""
    FOLDER = "folder"
    """Of specchat, or one that the user named."""
    DEMO = "demo"
    HUB = "hub"
    """The cache that all programs of the Hub share; here downloads go."""
    LM_STUDIO = "lm studio"
    OLLAMA = "ollama"
    EARLY_EXIT = "early exit"
    """Made by specchat of a target's first layers."""


@dataclass(frozen=True, slots=True)
class OriginFacts:
    label: str
    """For commands; of a program its name, which the window shows as well."""
    whose: TranslatableText
    """Why specchat does not delete the model {name}."""
    instead: TranslatableText
    """How {what} is deleted: the model as its program calls it, or its path."""


ORIGINS: Mapping[Origin, OriginFacts] = {
    Origin.HUB: OriginFacts(
        "Hub cache",
        TranslatableText("specchat didn't download {name}. Another program may need it."),
        TranslatableText("If not, delete it with: hf cache rm {what}"),
    ),
    Origin.LM_STUDIO: OriginFacts(
        "LM Studio",
        TranslatableText("{name} belongs to LM Studio."),
        TranslatableText("Delete it in LM Studio, under My Models."),
    ),
    Origin.OLLAMA: OriginFacts(
        "Ollama",
        TranslatableText("{name} belongs to Ollama."),
        TranslatableText("Delete it with: ollama rm {what}"),
    ),
    Origin.FOLDER: OriginFacts(
        "your folder",
        TranslatableText("specchat didn't download {name}."),
        TranslatableText("Delete the file yourself: {what}"),
    ),
    Origin.ADDED: OriginFacts(
        "added by you",
        TranslatableText("specchat didn't download {name}."),
        TranslatableText("Delete the file yourself: {what}"),
    ),
    Origin.EARLY_EXIT: OriginFacts(
        "made by specchat",
        TranslatableText("{name} was made by specchat."),
        TranslatableText("Delete it with: specchat models rm {what}"),
    ),
    Origin.DEMO: OriginFacts(
        "included with specchat",
        TranslatableText("{name} is included with specchat."),
        TranslatableText("Uninstalling specchat removes it."),
    ),
}
"""The origins in the order in which the window shows them."""
