"""A llama.cpp context that computes one vector per text."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from specchat.backends.batch_runner import BatchRunner
from specchat.backends.binding import llama
from specchat.backends.context import make_pooling_context
from specchat.backends.pass_batch import PassBatch
from specchat.backends.vocabulary import Vocabulary
from specchat.backends.weights import Progress, Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import BATCH
from specchat.domain.embeddings import Pooling
from specchat.domain.errors import ComputeError
from specchat.domain.types import ModelSettings

Floats = NDArray[np.float32]
Tokens = NDArray[np.int32]


class EmbeddingModel(BatchRunner):
    def __init__(
        self,
        path: Path,
        settings: ModelSettings,
        pooling: Pooling,
        cancel: CancelToken | None = None,
        progress: Progress = lambda _: None,
    ) -> None:
        super().__init__()
        self._batch: PassBatch | None = None
        self.weights = Weights(path, settings, cancel or CancelToken(), progress)
        try:
            self.weights.require_text()
            self.own(make_pooling_context(self.weights, settings, pooling), encodes=self.weights.only_encodes)
        except BaseException:
            self.close()
            raise
        n_ctx = int(llama.llama_n_ctx_seq(self.handle))
        self.n_ctx = min(n_ctx, self.weights.n_ctx_train) if self.weights.looks_ahead else n_ctx
        """The maximum length of a text in tokens; encoders can't exceed the context they were trained with."""
        self.width = self._width(pooling)
        self._memory = llama.llama_get_memory(self.handle)
        self._most_texts = int(llama.llama_n_seq_max(self.handle))
        self._size = int(llama.llama_n_batch(self.handle))
        self._batch = PassBatch(self._size)

    @property
    def vocabulary(self) -> Vocabulary:
        return self.weights.vocabulary

    def pool(self, texts: Sequence[Tokens], cancel: CancelToken) -> list[Floats]:
        """Returns a vector for each text; a reranker's vector contains the score. Texts need 1 to `n_ctx` tokens."""
        return [vector for group in self._groups(texts) for vector in self._pool_together(group, cancel)]

    def _groups(self, texts: Sequence[Tokens]) -> Iterator[list[Tokens]]:
        """Yields short texts in groups, and a text that is longer than a batch alone."""
        group, n_tokens = list[Tokens](), 0
        most = min(BATCH, self._size)
        for text in texts:
            if group and (n_tokens + len(text) > most or len(group) == self._most_texts):
                yield group
                group, n_tokens = [], 0
            group.append(text)
            n_tokens += len(text)
        if group:
            yield group

    def _pool_together(self, group: Sequence[Tokens], cancel: CancelToken) -> list[Floats]:
        assert self._batch is not None
        if self._memory:
            llama.llama_memory_clear(self._memory, False)
        for at in range(0, max(map(len, group)), self._size):
            cancel.check()  # a GPU doesn't check the flag
            self._batch.begin()
            for sequence, text in enumerate(group):
                piece = text[at : at + self._size]
                self._batch.add(piece, at, len(piece), sequence)
            self.run(self._batch.filled, cancel)
        return [self._vector(sequence) for sequence in range(len(group))]

    def _vector(self, sequence: int) -> Floats:
        address = llama.llama_get_embeddings_seq(self.handle, sequence)
        vector = np.ctypeslib.as_array(address, shape=(self.width,)).copy() if address else np.empty(0, np.float32)
        if not len(vector) or not np.isfinite(vector).all():
            raise ComputeError(
                "The model produced invalid values (NaN).", "Its file may be damaged: download it again."
            )
        return vector

    def _width(self, pooling: Pooling) -> int:
        if pooling is Pooling.RANK:
            return max(1, int(llama.llama_model_n_cls_out(self.weights.handle)))
        return self.weights.n_embd

    def close(self) -> None:
        if self._batch is not None:
            self._batch.close()
            self._batch = None
        self.free()
        self.weights.close()
