"""Converts text to tokens and back."""

import ctypes
import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from specchat.backends.binding import llama
from specchat.backends.control_texts import ControlTexts
from specchat.domain.errors import BugError


@dataclass(frozen=True, slots=True)
class GapTokens:
    """The fill-in-the-middle tokens of a model, which mark the parts around a gap. None: it has no such token."""

    prefix: int
    suffix: int
    middle: int
    repository: int | None
    file: int | None


_SPECIAL = llama.LLAMA_TOKEN_ATTR_CONTROL | llama.LLAMA_TOKEN_ATTR_UNKNOWN
_MARKERS = llama.LLAMA_TOKEN_ATTR_CONTROL | llama.LLAMA_TOKEN_ATTR_USER_DEFINED
_LONG_RUN = re.compile(r"[^\s<>\[\]|]{2000}|\s{2000}|[<>\[\]|]{2000}(?=[<>\[\]|]{50})")
"""Matches only up to a place where no marker such as <|im_end|> or [INST] can be cut in two."""
_PART = 8192
"""Characters to tokenize at once, because llama.cpp searches the whole given text for each marker."""

_LIKE_A_MARKER = re.compile("<[|｜].*|.*[|｜]>", re.DOTALL)
_SPACE = " \t\n\v\f\r"
_BEGINNINGS = ("\n", ".", "a")


class Vocabulary:
    def __init__(self, model: Any) -> None:
        self._handle = llama.llama_model_get_vocab(model)
        self.size: int = llama.llama_vocab_n_tokens(self._handle)
        self._pieces: dict[int, bytes] = {}
        self._ends: dict[int, bool] = {}

    @cached_property
    def control_texts(self) -> ControlTexts:
        return ControlTexts(self._attributes)

    @cached_property
    def markers(self) -> dict[int, str]:
        """Control tokens, tokens that look like control tokens, and the token for unknown characters, with their texts.

        Markers that llama.cpp shows in answers, such as <|channel|> of gpt-oss, are "user defined" in llama.cpp.
        """
        controls = {}
        for token, attributes in enumerate(self._all_attributes if self.has_text else ()):
            if attributes & (_SPECIAL | _MARKERS):
                text = self._written(token)
                if attributes & _SPECIAL or _LIKE_A_MARKER.fullmatch(text) or self.is_end_token(token):
                    controls[token] = text
        return controls

    @cached_property
    def _attributes(self) -> dict[str, int]:
        return {text: llama.llama_vocab_get_attr(self._handle, token) for token, text in self.markers.items()}

    @cached_property
    def _all_attributes(self) -> "array[int]":
        return array("i", (llama.llama_vocab_get_attr(self._handle, token) for token in range(self.size)))

    def _written(self, token: int) -> str:
        text: bytes = llama.llama_vocab_get_text(self._handle, token)
        return text.decode("utf-8", "replace")

    @property
    def has_text(self) -> bool:
        """Returns whether tokens have text, not only numbers."""
        return self.size > 0 and not self._is_of(llama.LLAMA_VOCAB_TYPE_NONE)

    def _is_of(self, kind: int) -> bool:
        return bool(llama.llama_vocab_type(self._handle) == kind)

    def bos_text(self) -> str:
        return self.text(llama.llama_vocab_bos(self._handle))

    def eos_text(self) -> str:
        return self.text(llama.llama_vocab_eos(self._handle))

    def tokenize(self, text: str, *, add_special: bool, parse_special: bool) -> list[int]:
        first, *others = self._without_long_runs(text)
        tokens = self._tokenize(first, add_special=add_special, parse_special=parse_special)
        after = self.added_after() if add_special and others else []
        tokens = tokens[: len(tokens) - len(after)]
        for piece in others:
            tokens += self._tokenize(piece, add_special=False, parse_special=parse_special)
        return tokens + after

    def tokenize_literally(self, text: str) -> list[int]:
        """Tokenizes without control tokens: a text that would become one is split in two."""
        tokens = self.tokenize(text, add_special=False, parse_special=False)
        if not any(map(self._is_control, tokens)):
            return tokens
        cuts = [start + 1 for start, _ in self.control_texts.spans(text)] or list(range(1, len(text)))
        first, *others = _cut(text, cuts)
        tokens = self.tokenize(first, add_special=False, parse_special=False)
        for other in others:
            tokens += self.tokenize_on(other)
        return tokens

    def _is_control(self, token: int) -> bool:
        """Whether the token is a control token. The token for unknown characters is not."""
        text = self.markers.get(token)
        return text is not None and bool(self._attributes[text] & ~llama.LLAMA_TOKEN_ATTR_UNKNOWN)

    def tokenize_on(self, text: str) -> list[int]:
        """Tokenizes a continuation of other text. Some vocabularies add a space at the beginning of a text."""
        for beginning in _BEGINNINGS:
            before = self.tokenize(beginning, add_special=False, parse_special=False)
            tokens = self.tokenize(beginning + text, add_special=False, parse_special=False)
            if tokens[: len(before)] == before:
                return tokens[len(before) :]
        return self.tokenize(text, add_special=False, parse_special=False)

    @cached_property
    def gap_tokens(self) -> GapTokens | None:
        """The fill-in-the-middle tokens. None if the model doesn't support infill."""
        prefix, suffix, middle, repository, file = (
            token if token >= 0 else None
            for token in (
                llama.llama_vocab_fim_pre(self._handle),
                llama.llama_vocab_fim_suf(self._handle),
                llama.llama_vocab_fim_mid(self._handle),
                llama.llama_vocab_fim_rep(self._handle),
                llama.llama_vocab_fim_sep(self._handle),
            )
        )
        if prefix is None or suffix is None or middle is None:
            return None
        return GapTokens(prefix, suffix, middle, repository, file)

    def added_before(self) -> list[int]:
        """Returns the tokens that llama.cpp adds before a text with `add_special`."""
        return [llama.llama_vocab_bos(self._handle)] if llama.llama_vocab_get_add_bos(self._handle) else []

    def added_after(self) -> list[int]:
        return [llama.llama_vocab_eos(self._handle)] if llama.llama_vocab_get_add_eos(self._handle) else []

    def added_in_pair(self) -> tuple[list[int], list[int]]:
        """Returns the tokens between query and document, and after them, like llama-server."""
        end, separator = llama.llama_vocab_eos(self._handle), llama.llama_vocab_sep(self._handle)
        ends = [end if end >= 0 else separator] if llama.llama_vocab_get_add_eos(self._handle) else []
        return [*ends, *([separator] if llama.llama_vocab_get_add_sep(self._handle) else [])], ends

    def stripped(self, text: str, before: str, after: str) -> str:
        """Strips a text like llama.cpp does next to these control tokens."""
        if self._attributes.get(before, 0) & llama.LLAMA_TOKEN_ATTR_RSTRIP:
            text = text.lstrip(_SPACE)
        if self._attributes.get(after, 0) & llama.LLAMA_TOKEN_ATTR_LSTRIP:
            text = text.rstrip(_SPACE)
        return text

    def _without_long_runs(self, text: str) -> list[str]:
        """Splits long runs of characters, which overflow the stack in llama.cpp's recursive regular expressions."""
        if not self._is_of(llama.LLAMA_VOCAB_TYPE_BPE):
            return [text]
        return _cut(text, [match.end() for match in _LONG_RUN.finditer(text)])

    def _tokenize(self, text: str, *, add_special: bool, parse_special: bool) -> list[int]:
        """Tokenizes in parts, each up to its last marker: the tokens before a marker don't depend on later text."""
        adds_at_end = llama.llama_vocab_get_add_eos(self._handle) or self._is_of(llama.LLAMA_VOCAB_TYPE_WPM)
        if len(text) <= _PART or (add_special and adds_at_end):
            return self._tokenize_at_once(text, add_special=add_special, parse_special=parse_special)
        tokens = self._tokenize_at_once("", add_special=add_special, parse_special=parse_special)
        size = _PART
        while len(text) > size:
            part = text[:size]
            found = self._tokenize_at_once(part, add_special=False, parse_special=parse_special)
            n_before, n_chars = self._up_to_last_marker(part, found)
            if n_chars:
                tokens += found[:n_before]
                text, size = text[n_chars:], _PART
            else:
                size *= 4
        return tokens + self._tokenize_at_once(text, add_special=False, parse_special=parse_special)

    def _up_to_last_marker(self, text: str, tokens: list[int]) -> tuple[int, int]:
        """Returns the tokens and characters before the last marker. 0 if it may not be a marker but ordinary text."""
        markers = {token for token in set(tokens) if llama.llama_vocab_get_attr(self._handle, token) & _MARKERS}
        index = next((index for index in range(len(tokens) - 1, 0, -1) if tokens[index] in markers), 0)
        if not index:
            return 0, 0
        written = self._written(tokens[index])
        is_sure = text.count(written) == tokens.count(tokens[index])
        return (index, text.rfind(written)) if is_sure else (0, 0)

    def _tokenize_at_once(self, text: str, *, add_special: bool, parse_special: bool) -> list[int]:
        data = text.encode("utf-8", "replace")
        room = len(data) + 8
        tokens = (ctypes.c_int32 * room)()
        count = llama.llama_tokenize(self._handle, data, len(data), tokens, room, add_special, parse_special)
        if count < 0:
            raise BugError(f"{-count} tokens from {len(data)} bytes")
        return list(tokens[:count])

    def piece(self, token: int) -> bytes:
        """Returns the bytes that a token adds to an answer; control tokens add none."""
        if token not in self._pieces:
            self._pieces[token] = self._render(token, special=False)
        return self._pieces[token]

    @cached_property
    def end_tokens(self) -> list[int]:
        return [token for token in range(self.size) if llama.llama_vocab_is_eog(self._handle, token)]

    def is_end_token(self, token: int) -> bool:
        if token not in self._ends:
            self._ends[token] = bool(llama.llama_vocab_is_eog(self._handle, token))
        return self._ends[token]

    def is_byte(self, token: int) -> bool:
        """Whether the token stands for a byte of a character that has no token of its own."""
        return bool(self._all_attributes[token] & llama.LLAMA_TOKEN_ATTR_BYTE)

    def text_pieces(self) -> list[bytes]:
        """Returns the bytes that each token adds to a text; none for control tokens and markers of turns or calls."""
        without_text = self.markers.keys() | set(self.end_tokens)
        return [b"" if token in without_text else self._render(token, special=False) for token in range(self.size)]

    def has_marker(self, marker: str) -> bool:
        """Returns whether a control marker is a single token."""
        return len(self.tokenize(marker, add_special=False, parse_special=True)) == 1

    def text(self, token: int) -> str:
        """Returns a token's text, also for control tokens."""
        return "" if token < 0 else self._render(token, special=True).decode("utf-8", "replace")

    def _render(self, token: int, *, special: bool) -> bytes:
        size = 64
        while True:
            buffer = ctypes.create_string_buffer(size)
            count = llama.llama_token_to_piece(self._handle, token, buffer, size, 0, special)
            if count >= 0:
                return buffer.raw[:count]
            size = -count


def _cut(text: str, cuts: Sequence[int]) -> list[str]:
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
