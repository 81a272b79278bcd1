"""Determines which tokens a grammar allows next, with llguidance."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from specchat.backends.grammar.answer_tokens import AnswerTokens
from specchat.backends.grammar.forced_text import N_BYTES, ForcedText
from specchat.backends.grammar.gbnf import grammar_too_large_error
from specchat.backends.grammar.json_schema import schema_error, schema_too_large_error
from specchat.domain.errors import BugError, SettingError

if TYPE_CHECKING:
    from llguidance import LLMatcher, LLParserLimits, LLTokenizer

    from specchat.domain.ports import LanguageModel, Logits

_GRAMMARS_KEPT = 4
_TOKENIZERS_KEPT = 2
_STACK = 256 << 20
"""The stack size in bytes, for schemas with thousands of nested references."""
_MOST_SYMBOLS = 100_000
_MOST_ITEMS = 200_000
"""The maximum number of items that the parser processes per token, which takes at most a second or two."""
_OPTIONS = '%llguidance {"no_forcing": true}\n'
"""Allows any tokens for a text, even if only this text can follow."""
_BYTES_PER_TOKEN = 6
"""The number of bytes to foresee per token."""
_LAST = 0.955
"""The maximum score of the last foreseen token, because the model may choose a longer one."""
_SCHEMA_REFUSED = re.compile(r'(?:compile JSON schema|parse "%json"): (?:Unsatisfiable schema: )?(.{1,200})')
_SCHEMA_TOO_LARGE = re.compile("too large|too complex|limit|fuel|Unable to determine")
_UNKNOWN_KEYWORDS = re.compile(r"Unimplemented keys: \[(.*)\]")


class GrammarCompiler:
    """Compiles grammars for one model and caches them, because compiling may take tenths of a second."""

    def __init__(self, model: LanguageModel, tokenize: Callable[[str], Sequence[int]]) -> None:
        """`tokenize`: tokenizes a continuation of other text."""
        self._model = model
        self._tokenize = tokenize
        self._tokenizer = lru_cache(_TOKENIZERS_KEPT)(self._make_tokenizer)
        self._matcher = lru_cache(_GRAMMARS_KEPT)(self._make_matcher)
        self._byte_matcher = lru_cache(_GRAMMARS_KEPT)(compile_bytes)

    def constraint(self, grammar: str, markers: Mapping[int, bytes]) -> GrammarConstraint:
        """Creates a constraint for one answer. `grammar`: in llguidance's Lark. `markers`: the texts of control tokens.

        All other control tokens are forbidden, because they have no text.
        """
        matcher = self._matcher(grammar, tuple(markers.items())).deep_copy()
        text = ForcedText(lambda: self._byte_matcher(grammar).deep_copy())
        return GrammarConstraint(matcher, self._model, text, AnswerTokens(self._model.piece, self._tokenize, markers))

    def _make_matcher(self, grammar: str, markers: tuple[tuple[int, bytes], ...]) -> LLMatcher:
        return compile_grammar(grammar, self._tokenizer(markers))

    def _make_tokenizer(self, markers: tuple[tuple[int, bytes], ...]) -> LLTokenizer:
        pieces = list(self._pieces)
        for token, piece in markers:
            pieces[token] = piece
        return make_tokenizer(pieces, self._model.end_tokens)

    @cached_property
    def _pieces(self) -> list[bytes]:
        ends = set(self._model.end_tokens)
        return [b"" if token in ends else self._model.piece(token) for token in range(self._model.n_vocab)]


class GrammarConstraint:
    """Restricts one answer to a grammar."""

    def __init__(self, matcher: LLMatcher, model: LanguageModel, forced: ForcedText, tokens: AnswerTokens) -> None:
        self._matcher = matcher
        self._model = model
        self._forced = forced
        self._tokens = tokens
        self._allowed: int | None = None
        """The token that was last found to be allowed here, because checking again takes as long as accepting it."""

    def allows(self, token: int) -> bool:
        is_allowed = self._can_end() if self._model.is_end_token(token) else self._matcher.validate_tokens([token]) == 1
        if is_allowed:
            self._allowed = token
        return is_allowed

    def mask(self, logits: Logits) -> Logits:
        allowed = np.frombuffer(self._matcher.compute_logit_bias(), dtype=np.uint8)[: self._model.n_vocab]
        if self._matcher.is_error() or not allowed.any():
            raise self._error()
        return np.where(allowed, logits, np.float32(-np.inf))

    def count_allowed(self, tokens: Sequence[int]) -> int:
        end = next((i for i, token in enumerate(tokens) if self._model.is_end_token(token)), len(tokens))
        n_allowed = self._matcher.validate_tokens(list(tokens[:end]))
        return n_allowed if n_allowed < end else min(end + 1, len(tokens))

    def accept(self, token: int) -> None:
        if token != self._allowed and not self.allows(token):
            raise BugError("a token was chosen that the grammar forbids")
        self._allowed = None
        if self._model.is_end_token(token):
            return
        if not self._matcher.consume_token(token):
            raise self._error()
        self._forced.add(self._tokens.text(token))

    def foresee(self, most: int) -> Sequence[tuple[int, float]]:
        text, certainties = self._forced.foresee(most * _BYTES_PER_TOKEN)
        found = [(token, float(certainties[end - 1])) for token, end in self._tokens.written(text)]
        if found:
            token, score = found[-1]
            found[-1] = token, min(score, _LAST)
        return found[:most]

    def _can_end(self) -> bool:
        return not self._matcher.is_error() and (self._matcher.is_stopped() or self._matcher.is_accepting())

    def _error(self) -> SettingError:
        error = self._matcher.get_error()
        if error and not error.startswith("NoExtensionBias"):
            return grammar_too_large_error()
        return SettingError(
            "The grammar or JSON schema allows none of the model's tokens here.",
            "Correct it, or use another model.",
        )


def compile_bytes(grammar: str) -> LLMatcher:
    single = [bytes((byte,)) for byte in range(N_BYTES)]
    return compile_grammar(grammar, make_tokenizer([*single, b""], [N_BYTES]))


class _Vocabulary:
    """The tokenizer data that llguidance needs."""

    is_tokenizer_wrapper = True
    bos_token_id = None
    special_token_ids: Sequence[int] = ()

    def __init__(self, pieces: Sequence[bytes], end_tokens: Sequence[int]) -> None:
        self.tokens = pieces
        self.eos_token_id = end_tokens[0] if end_tokens else None

    def __call__(self, text: str) -> Sequence[int]:
        raise BugError("a grammar asked for tokens of a text")


def make_tokenizer(pieces: Sequence[bytes], end_tokens: Sequence[int]) -> LLTokenizer:
    from llguidance import LLTokenizer

    vocabulary: Any = _Vocabulary(pieces, end_tokens)
    return LLTokenizer(vocabulary, eos_token=list(end_tokens) or None, slices=[])


def compile_grammar(grammar: str, tokenizer: LLTokenizer) -> LLMatcher:
    """Compiles in a thread with a large stack; otherwise llguidance's recursion could end the process."""
    previous = threading.stack_size(_STACK)
    try:
        with ThreadPoolExecutor(1) as executor:
            compiled = executor.submit(_compile, grammar, tokenizer)
    finally:
        threading.stack_size(previous)
    matcher = compiled.result()
    if matcher.is_error():
        raise _refusal(matcher.get_error())
    return matcher


def _compile(grammar: str, tokenizer: LLTokenizer) -> LLMatcher:
    from llguidance import LLMatcher

    return LLMatcher(tokenizer, _OPTIONS + grammar, log_level=0, limits=_limits())


def _limits() -> LLParserLimits:
    from llguidance import LLParserLimits

    return LLParserLimits(max_grammar_size=_MOST_SYMBOLS, step_max_items=_MOST_ITEMS, verbose_errors=False)


def _refusal(error: str) -> SettingError:
    refused = _SCHEMA_REFUSED.search(error)
    if refused is None:
        return grammar_too_large_error()
    reason = refused[1].rstrip(".:")
    if _SCHEMA_TOO_LARGE.search(reason):
        return schema_too_large_error()
    if unknown := _UNKNOWN_KEYWORDS.match(reason):
        reason = unknown[1].replace('"', "") + " can't be enforced"
    return schema_error(reason)
