"""Requests to embedding models and rerankers, and their results."""

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Purpose(StrEnum):
    """The purpose of a model."""

    TEXT = "text"
    EMBEDDINGS = "embeddings"
    RANKING = "ranking"


class Pooling(IntEnum):
    """How the vectors of a text's tokens become one vector, with llama.cpp's numbers."""

    MEAN = 1
    CLS = 2
    """The vector of the first token."""
    LAST = 3
    RANK = 4
    """A score of how well two texts match."""

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
"""Architectures that read a text in both directions, and can't generate text."""


NO_NORM = -1
EUCLIDEAN = 2


@dataclass(frozen=True, slots=True)
class EmbeddingQuery:
    """Answered with `Embeddings`."""

    inputs: tuple[str | tuple[int, ...], ...]
    """Texts, or their tokens."""
    dimensions: int | None = None
    """How many of the first dimensions to keep; None keeps all."""
    norm: int = EUCLIDEAN
    """The norm that is set to 1, as in llama.cpp: 0 is the maximum, -1 none."""
    cuts: bool = False
    """Whether texts that are too long are cut instead of refused."""


@dataclass(frozen=True, slots=True)
class Embeddings:
    vectors: tuple[bytes, ...]
    """Numbers of four bytes, the lowest byte first."""
    n_tokens: int
    """The tokens of all inputs."""


@dataclass(frozen=True, slots=True)
class RankingQuery:
    """Answered with a `Ranking`."""

    query: str
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    scores: tuple[float, ...]
    """A score for each document, in their order."""
    n_tokens: int
