"""The child process that computes vectors of passages; its embedding model stays loaded."""

import base64
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from specchat.backends.child_loop import serve
from specchat.backends.embedding_model import EmbeddingModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.embeddings import Pooling
from specchat.domain.errors import UserError
from specchat.domain.serialization import to_plain
from specchat.domain.types import ModelSettings

_N_CTX = 1024
"""Tokens. Passages have about 300."""


def child_main() -> None:
    os.environ.setdefault("GGML_NO_BACKTRACE", "1")  # llama.cpp would call a debugger, which takes time
    serve(_Embedder().answer, limits_itself=False)


class _Embedder:
    def __init__(self) -> None:
        self._model: EmbeddingModel | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        try:
            if self._model is None:
                settings = ModelSettings(n_ctx=_N_CTX)
                self._model = EmbeddingModel(Path(request["path"]), settings, Pooling(request["pooling"]))
            return {"vectors": _encoded(self._model, request["texts"]), "width": self._model.width}
        except UserError as error:
            return {"error": to_plain(error.message), "hint": to_plain(error.hint)}


def _encoded(model: EmbeddingModel, texts: Sequence[str]) -> str:
    """Encodes normalized vectors as 16-bit floats."""
    vectors = np.stack(model.pool([_tokens(model, text) for text in texts], CancelToken()))
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return base64.b64encode(vectors.astype("<f2").tobytes()).decode()


def _tokens(model: EmbeddingModel, text: str) -> Any:
    """Cuts texts that are too long."""
    tokens = model.vocabulary.tokenize(text, add_special=True, parse_special=False)
    if len(tokens) > model.n_ctx:
        end = tokens[-1:] if tokens[-1] in model.vocabulary.markers else []
        tokens = tokens[: model.n_ctx - len(end)] + end
    return np.array(tokens or [0], dtype=np.int32)
