"""Computes vectors of passages in a child process, which starts when it is needed."""

import base64
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from specchat.backends.child import Child, ChildError, child_command
from specchat.backends.crash_errors import crash_error
from specchat.domain.cancel_token import CancelToken
from specchat.domain.embeddings import Pooling
from specchat.domain.errors import ModelLoadError
from specchat.domain.serialization import from_plain
from specchat.domain.translatable_text import TranslatableText

Vectors = NDArray[np.float16]

_SECONDS = 120.0
_MORE = 1 << 30
"""Bytes, in addition to twice the size of the model."""


class PassageEmbedder:
    def __init__(self, model: Path, pooling: Pooling) -> None:
        self._model, self._pooling = model, pooling
        self._child: Child | None = None

    def embed(self, texts: Sequence[str], cancel: CancelToken) -> Vectors:
        """Returns a normalized row for each text."""
        if self._child is None:
            self._child = Child(child_command("embedding"), memory=2 * self._model.stat().st_size + _MORE)
        request = {"path": str(self._model), "pooling": int(self._pooling), "texts": list(texts)}
        try:
            with cancel.listening(self._child.close):
                reply = self._child.request(request, seconds=_SECONDS, patience=5.0)
        except ChildError as error:
            cancel.check()
            raise crash_error(self._model.name, error) from error
        if "error" in reply:
            raise ModelLoadError(
                from_plain(TranslatableText, reply["error"]), from_plain(TranslatableText, reply["hint"])
            )
        vectors = np.frombuffer(base64.b64decode(reply["vectors"]), "<f2")
        return vectors.reshape(len(texts), int(reply["width"]))

    def close(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None
