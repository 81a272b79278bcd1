"""Graphics cards, and why one of them computes nothing."""

from dataclasses import dataclass
from enum import StrEnum

from specchat.domain.translatable_text import TranslatableText


class CardVendor(StrEnum):
    NVIDIA = "NVIDIA"
    AMD = "AMD"
    INTEL = "Intel"


@dataclass(frozen=True, slots=True)
class GraphicsCard:
    vendor: CardVendor
    name: str


@dataclass(frozen=True, slots=True)
class UnusedCard:
    name: str
    reason: TranslatableText
    hint: TranslatableText


@dataclass(frozen=True, slots=True)
class RefusedBackend:
    """A file in the folder for further backends that is not loaded."""

    path: str
    reason: TranslatableText
