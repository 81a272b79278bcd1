"""Data about other engines: saved connections, their models, and their limitations."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from specchat.domain.translatable_text import TranslatableText


class Capability(StrEnum):
    """A feature that an engine may lack."""

    CONTINUE = "continue"
    """An answer that was stopped."""
    GUESSES = "guesses"
    """To report how many were accepted."""
    COUNT = "count"
    """The tokens of a text, rather than to estimate them."""
    CONTEXT = "context"
    """To report its size."""
    TOP_K = "top_k"
    MIN_P = "min_p"
    REPEAT_PENALTY = "repeat_penalty"
    PENALTY_WINDOW = "penalty_last_n"
    IGNORE_EOS = "ignore_eos"
    REASONING = "reasoning"
    """To turn it on or off."""
    REASONING_EFFORT = "reasoning_effort"
    GRAMMAR = "grammar"
    """To keep to one (GBNF)."""


Lacks = Mapping[Capability, TranslatableText]
"""And why, in a sentence."""


@dataclass(frozen=True, slots=True)
class Connection:
    """An engine that the user added."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class ListedModel:
    """A model that an engine has."""

    id: str
    is_loaded: bool = True
    n_ctx: int = 0
    """0: not reported."""


@dataclass(frozen=True, slots=True)
class GuessTotals:
    """Totals for all clients since the engine was started."""

    drafted: int = 0
    accepted: int = 0
    mean_length: float | None = None
    """Tokens per pass; None: not told. Without guesses it is all that is told."""


@dataclass(frozen=True, slots=True)
class EngineReport:
    """The result of testing an engine."""

    url: str
    engine: str
    """What it is called: "llama-server"."""
    models: tuple[ListedModel, ...]
    lacks: Lacks = field(default_factory=dict)
    warnings: tuple[TranslatableText, ...] = ()
    version: str = ""
    """Empty: it does not tell."""
    totals: GuessTotals | None = None
    """None: it does not tell, or there are none."""
