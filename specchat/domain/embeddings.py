"""What is asked of models that make vectors of texts, or rank documents, and what they answer."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Purpose(StrEnum):
    """What a model is made for."""

    TEXT = "text"
    EMBEDDINGS = "embeddings"
    RANKING = "ranking"


class Pooling(IntEnum):
    """How one vector is made of those of a text's tokens, by llama.cpp's numbers."""

    MEAN = 1
    CLS = 2
    """The first one's."""
    LAST = 3
    RANK = 4
    """A score of how well two texts go together."""

    @property
    def purpose(self) -> Purpose:
        return Purpose.RANKING if self is Pooling.RANK else Purpose.EMBEDDINGS


ENCODERS = frozenset(
    {
        "bert",
        "eurobert",
        "gemma-embedding",
        "jina-bert-v2",
        "jina-bert-v3",
        "modern-bert",
        "neo-bert",
        "nomic-bert",
        "nomic-bert-moe",
        "t5encoder",
    }
)
"""Architectures that read a text at once, forwards and backwards: they cannot write any."""


NO_NORM = -1
EUCLIDEAN = 2


@dataclass(frozen=True, slots=True)
class EmbeddingQuery:
    """Answered with `Embeddings`."""

    inputs: tuple[str | tuple[int, ...], ...]
    """Texts, or their tokens."""
    dimensions: int | None = None
    """So many of the first ones; None: all."""
    norm: int = EUCLIDEAN
    """Which one becomes 1, as in llama.cpp: 0 is the largest number, -1 none."""
    cuts: bool = False
    """What is too long is cut rather than refused."""


@dataclass(frozen=True, slots=True)
class Embeddings:
    vectors: tuple[bytes, ...]
    """Numbers of four bytes, the lowest byte first."""
    n_tokens: int
    """Of all inputs."""


@dataclass(frozen=True, slots=True)
class RankingQuery:
    """Answered with a `Ranking`."""

    query: str
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    scores: tuple[float, ...]
    """Of each document, in their order."""
    n_tokens: int
