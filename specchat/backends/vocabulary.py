"""Text to tokens and back."""

import ctypes
import re
from typing import Any

from specchat.backends.binding import llama
from specchat.domain.errors import BugError

_LONG_RUN = re.compile(r"[^\s<>\[\]|]{2000}|\s{2000}|[<>\[\]|]{2000}(?=[<>\[\]|]{50})")
"""Ends where no marker such as <|im_end|> or [INST] can be cut in two."""


class Vocabulary:
    def __init__(self, model: Any) -> None:
        self._handle = llama.llama_model_get_vocab(model)
        self.size: int = llama.llama_vocab_n_tokens(self._handle)
        self._pieces: dict[int, bytes] = {}
        self._ends: dict[int, bool] = {}

    def bos_text(self) -> str:
        return self._text(llama.llama_vocab_bos(self._handle))

    def eos_text(self) -> str:
        return self._text(llama.llama_vocab_eos(self._handle))

    def tokenize(self, text: str, *, add_special: bool, parse_special: bool) -> list[int]:
        first, *others = self._without_long_runs(text)
        tokens = self._tokenize(first, add_special=add_special, parse_special=parse_special)
        for piece in others:
            tokens += self._tokenize(piece, add_special=False, parse_special=parse_special)
        return tokens

    def _without_long_runs(self, text: str) -> list[str]:
        """llama.cpp matches some vocabularies' regular expressions recursively: long runs overflow its stack."""
        if llama.llama_vocab_type(self._handle) != llama.LLAMA_VOCAB_TYPE_BPE:
            return [text]
        cuts = [match.end() for match in _LONG_RUN.finditer(text)]
        return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]

    def _tokenize(self, text: str, *, add_special: bool, parse_special: bool) -> list[int]:
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        tokens = (ctypes.c_int32 * room)()
        count = llama.llama_tokenize(self._handle, data, len(data), tokens, room, add_special, parse_special)
        if count < 0:
            raise BugError(f"{-count} tokens from {len(data)} bytes")
        return list(tokens[:count])

    def piece(self, token: int) -> bytes:
        """The bytes it adds to an answer; control tokens add none."""
        if token not in self._pieces:
            self._pieces[token] = self._render(token, special=False)
        return self._pieces[token]

    def is_end(self, token: int) -> bool:
        if token not in self._ends:
            self._ends[token] = bool(llama.llama_vocab_is_eog(self._handle, token))
        return self._ends[token]

    def knows(self, marker: str) -> bool:
        """Whether a control marker is one token here."""
        return len(self.tokenize(marker, add_special=False, parse_special=True)) == 1

    def _text(self, token: int) -> str:
        return "" if token < 0 else self._render(token, special=True).decode("utf-8", "replace")

    def _render(self, token: int, *, special: bool) -> bytes:
        size = 64
        while True:
            buffer = ctypes.create_string_buffer(size)
            count = llama.llama_token_to_piece(self._handle, token, buffer, size, 0, special)
            if count >= 0:
                return buffer.raw[:count]
            size = -count
