"""Ranks passages by meaning: compares their vectors with that of a question."""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.domain.cancel_token import CancelToken
from specchat.domain.embeddings import Pooling
from specchat.domain.errors import ModelLoadError, UserError
from specchat.services.models.model_facts import file_state
from specchat.services.models.model_purpose import find_pooling

if TYPE_CHECKING:
    from specchat.backends.passage_embedder import PassageEmbedder, Vectors
    from specchat.store.passage_vectors import PassageVectors

log = logging.getLogger(__name__)

_TOGETHER = 16
"""The number of passages that are computed and stored together."""
_COMPARED = 8192
"""The number of vectors that are converted to 32-bit floats at once."""
_PROMPTS = (
    ("nomic", "search_query: ", "search_document: "),
    ("e5-", "query: ", "passage: "),
    ("embeddinggemma", "task: search result | query: ", "title: none | text: "),
    ("qwen3-embedding", "Instruct: Given a question, find passages that answer it\nQuery: ", ""),
)
"""The prefixes of questions and passages, by a part of the model's name."""


class MeaningSearch:
    """A search for one question. If it fails, `rankings` stay empty, and only words are searched."""

    def __init__(self, model: Path, vectors: Path) -> None:
        self.rankings: Sequence[Sequence[int]] = ()
        """The numbers of the passages for each query, the best first."""
        self.problem: UserError | None = None
        """Why there are no rankings."""
        self._model, self._path = model, vectors
        name = model.name.lower()
        prompts = ((query, passage) for part, query, passage in _PROMPTS if part in name)
        self._query_prompt, self._passage_prompt = next(prompts, ("", ""))

    def rank(
        self, passages: Sequence[str], queries: Sequence[str], most: int, cancel: CancelToken
    ) -> Iterator[tuple[int, int]]:
        """Yields the number of passages with vectors, and of all passages. Keeps vectors when it is cancelled."""
        from specchat.backends.passage_embedder import PassageEmbedder
        from specchat.store.passage_vectors import PassageVectors

        try:
            pooling = self._require_pooling()
            with (
                closing(PassageEmbedder(self._model, pooling)) as embedder,
                closing(PassageVectors(self._path)) as known,
            ):
                parts = list["Vectors"]()
                for at in range(0, len(passages), _TOGETHER):
                    cancel.check()
                    parts.append(self._vectors(passages[at : at + _TOGETHER], embedder, known, cancel))
                    yield min(at + _TOGETHER, len(passages)), len(passages)
                asked = embedder.embed([self._query_prompt + query for query in queries], cancel)
                self.rankings = _rank(parts, asked, most)
        except UserError as error:
            cancel.check()
            log.warning("Searching by meaning failed: %s", error)
            self.problem = error

    def _require_pooling(self) -> Pooling:
        pooling = find_pooling(self._model)
        if pooling is None:
            raise ModelLoadError(
                "{name} is not an embedding model, or is not there any more.",
                "Choose another one in the settings.",
                name=self._model.name,
            )
        return pooling

    def _vectors(
        self, texts: Sequence[str], embedder: "PassageEmbedder", known: "PassageVectors", cancel: CancelToken
    ) -> "Vectors":
        import numpy as np

        key = self._key(texts)
        found = known.find(key)
        if found is not None and len(found) % (2 * len(texts)) == 0:
            return np.frombuffer(found, "<f2").reshape(len(texts), -1)
        vectors = embedder.embed([self._passage_prompt + text for text in texts], cancel)
        known.add(key, vectors.tobytes())
        return vectors

    def _key(self, texts: Sequence[str]) -> str:
        whole = "\0".join([file_state(self._model) or "", *texts])
        return hashlib.sha256(whole.encode("utf-8", "replace")).hexdigest()


def _rank(parts: Sequence["Vectors"], asked: "Vectors", most: int) -> list[list[int]]:
    """Ranks by cosine similarity, as all vectors are normalized."""
    import numpy as np

    vectors, wanted = np.concatenate(parts), asked.astype(np.float32).T
    pieces = (vectors[at : at + _COMPARED].astype(np.float32) @ wanted for at in range(0, len(vectors), _COMPARED))
    scores = np.concatenate(list(pieces))
    return [[int(number) for number in np.argsort(-column, kind="stable")[:most]] for column in scores.T]
