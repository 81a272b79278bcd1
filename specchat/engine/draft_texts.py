"""What drafters see of a text, in which there may be pictures."""

from collections.abc import Sequence

import numpy as np

from specchat.engine.tokens import BETWEEN, FIRST_PICTURE, TokenBuffer, Tokens, picture_rows

_STAND_IN = 0
"""An ordinary token."""


class DraftTexts:
    def __init__(self, history: TokenBuffer, text_before: Sequence[int] | None) -> None:
        """`text_before`: as in `GenerationRequest`."""
        prompt = history.view
        is_plain = not np.any(prompt <= FIRST_PICTURE)
        self.whole = history if is_plain else TokenBuffer(np.where(prompt <= FIRST_PICTURE, _STAND_IN, prompt))
        """As long as the text."""
        self.read = history if is_plain else TokenBuffer(prompt[prompt > FIRST_PICTURE])
        """Without the rows of pictures."""
        self.text = self.whole
        """To guess from what is written."""
        if text_before is not None:
            self.text = TokenBuffer(_apart(np.array(text_before, dtype=np.int32)))
        elif not is_plain:
            self.text = TokenBuffer(_apart(prompt))
        self._own = {id(buffer): buffer for buffer in (self.whole, self.read, self.text) if buffer is not history}

    def append(self, token: int) -> None:
        for buffer in self._own.values():
            buffer.append(token)


def _apart(tokens: Tokens) -> Tokens:
    """What is on the two sides of a picture does not follow each other."""
    kept = tokens.copy()
    rows = picture_rows(tokens)
    for begin, _ in rows:
        kept[begin] = BETWEEN
    return kept[kept > FIRST_PICTURE] if rows else kept
