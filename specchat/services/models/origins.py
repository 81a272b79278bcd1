"""Where models on this computer come from. A program whose models are used has its member and its entry here."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from specchat.domain.said import Said


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


@dataclass(frozen=True, slots=True)
class OriginFacts:
    label: str
    """For commands; of a program its name, which the window shows as well."""
    whose: Said
    """Why specchat does not delete the model {name}."""
    instead: Said
    """How {what} is deleted: the model as its program calls it, or its path."""


ORIGINS: Mapping[Origin, OriginFacts] = {
    Origin.HUB: OriginFacts(
        "Hub cache",
        Said("specchat did not download {name}: another program may need it."),
        Said("If none does, delete it with: hf cache rm {what}"),
    ),
    Origin.LM_STUDIO: OriginFacts(
        "LM Studio",
        Said("{name} belongs to LM Studio."),
        Said("Delete it there, under My Models."),
    ),
    Origin.OLLAMA: OriginFacts(
        "Ollama",
        Said("{name} belongs to Ollama."),
        Said("Delete it with: ollama rm {what}"),
    ),
    Origin.FOLDER: OriginFacts(
        "your folder",
        Said("specchat did not download {name}."),
        Said("Delete the file yourself: {what}"),
    ),
    Origin.ADDED: OriginFacts(
        "added by you",
        Said("specchat did not download {name}."),
        Said("Delete the file yourself: {what}"),
    ),
    Origin.DEMO: OriginFacts(
        "ships with specchat",
        Said("{name} ships with specchat."),
        Said("It goes when specchat is uninstalled."),
    ),
}
"""In the order in which the window shows them."""
