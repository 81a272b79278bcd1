"""Determines which tokens a grammar allows next."""

from collections.abc import Callable, Mapping
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from specchat.domain.errors import BugError, SettingError
from specchat.domain.ports import LanguageModel
from specchat.engine.grammar.matcher import Matcher, MatchState
from specchat.engine.grammar.rules import Grammar
from specchat.engine.sampling import Logits

_NOTHING = 256
_LOWEST = {2: 0x80, 3: 0x800, 4: 0x10000}
"""Characters, by how many bytes they have."""
_BEFORE_SURROGATES = 0xD7FF
_MOST_PLACES = 64
"""Whose allowed tokens are remembered."""
_CHECKED_EVERY = 256
"""Tokens."""

_Flags = NDArray[np.bool_]
"""One for each token."""
_Place = tuple[MatchState, bytes]
"""With the beginning of a character whose other bytes are still to come."""


class TokenTable:
    """What all the tokens of a model say. Looked at once, when it is first needed: that takes tenths of seconds."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model

    @cached_property
    def pieces(self) -> list[bytes]:
        return [self.model.piece(token) for token in range(self.model.n_vocab)]

    def beginning_with(self, first_bytes: _Flags) -> list[int]:
        found: list[int] = np.flatnonzero(first_bytes[self._first_bytes]).tolist()
        return found

    @cached_property
    def _first_bytes(self) -> NDArray[np.int16]:
        return np.array([piece[0] if piece else _NOTHING for piece in self.pieces], dtype=np.int16)


class TokenGrammar:
    """For all answers that are to follow it: what is found out for one need not be found out again."""

    def __init__(self, grammar: Grammar, table: TokenTable, markers: Mapping[int, bytes]) -> None:
        """`markers`: what control tokens say. What the others say cannot be seen, so they are forbidden."""
        self._matcher = Matcher(grammar)
        self._table = table
        self._markers = markers
        self._allowed: dict[_Place, _Flags] = {}

    def begin(self, check: Callable[[], None] = lambda: None) -> "GrammarConstraint":
        """`check`, called while it looks for long, may raise what ends that."""
        start = self._matcher.start()
        if start.is_dead:
            raise SettingError("The grammar allows no text at all.", "Look for a rule that only mentions itself.")
        return GrammarConstraint(self, (start, b""), check)

    def after(self, place: _Place, token: int) -> _Place | None:
        """None: it is forbidden there."""
        if self._table.model.is_end_token(token):
            return place if _may_end(place) else None
        return self._after(place, self._markers.get(token) or self._table.model.piece(token))

    def allowed(self, place: _Place, check: Callable[[], None]) -> _Flags:
        """What is refused at a place is often refused there again."""
        if place not in self._allowed:
            if len(self._allowed) == _MOST_PLACES:
                self._allowed.clear()
            self._allowed[place] = self._find_allowed(place, check)
        return self._allowed[place]

    def trim_cache(self, place: _Place) -> None:
        """The token is chosen. What is remembered is forgotten if it is much, but for the place."""
        self._matcher.reset_work()
        if self._matcher.is_cache_large:
            self._matcher.clear_cache()
            self._allowed.clear()
            place[0].steps.clear()
            place[0].alike.clear()

    def _find_allowed(self, place: _Place, check: Callable[[], None]) -> _Flags:
        table = self._table
        first_bytes = np.zeros(_NOTHING + 1, dtype=np.bool_)
        for byte in range(_NOTHING):
            first_bytes[byte] = self._after(place, bytes((byte,))) is not None
        allowed = np.zeros(table.model.n_vocab, dtype=np.bool_)
        for number, token in enumerate(table.beginning_with(first_bytes)):
            if number % _CHECKED_EVERY == 0:
                check()
            allowed[token] = self._after(place, table.pieces[token]) is not None
        for token, piece in self._markers.items():
            allowed[token] = self._after(place, piece) is not None
        allowed[list(table.model.end_tokens)] = _may_end(place)
        return allowed

    def _after(self, place: _Place, piece: bytes) -> _Place | None:
        if not piece:
            return None
        before, begun = place
        text, begun = _decoded(begun + piece)
        if text is None:
            return None
        state = self._matcher.after(before, text)
        if state is None or (begun and not self._matcher.can_continue(state, *_completions(begun))):
            return None
        return state, begun


class GrammarConstraint:
    """One answer's way through it."""

    def __init__(self, grammar: TokenGrammar, begin: _Place, check: Callable[[], None]) -> None:
        self._grammar = grammar
        self._place = begin
        self._check = check

    def allows(self, token: int) -> bool:
        return self._grammar.after(self._place, token) is not None

    def mask(self, logits: Logits) -> Logits:
        allowed = self._grammar.allowed(self._place, self._check)
        if not allowed.any():
            raise SettingError(
                "The model has no token that the grammar allows here.", "Allow other characters, or use another model."
            )
        return np.where(allowed, logits, np.float32(-np.inf))

    def accept(self, token: int) -> None:
        after = self._grammar.after(self._place, token)
        if after is None:
            raise BugError("a token was chosen that the grammar forbids")
        self._place = after
        self._grammar.trim_cache(after)


def _may_end(place: _Place) -> bool:
    state, begun = place
    return state.ends and not begun


def _decoded(data: bytes) -> tuple[str | None, bytes]:
    """The whole characters, and the beginning of one more. None: that is no text."""
    try:
        return data.decode(), b""
    except UnicodeDecodeError as error:
        if error.end < len(data) or error.reason != "unexpected end of data":
            return None, b""
        return data[: error.start].decode(), data[error.start :]


def _completions(begun: bytes) -> tuple[int, int]:
    """The lowest and the highest character that begins with these bytes."""
    n_bytes = 2 if begun[0] < 0xE0 else 3 if begun[0] < 0xF0 else 4
    code = begun[0] & (0x7F >> n_bytes)
    for byte in begun[1:]:
        code = code << 6 | byte & 0x3F
    n_open = 6 * (n_bytes - len(begun))
    highest = (code + 1 << n_open) - 1
    return max(code << n_open, _LOWEST[n_bytes]), _BEFORE_SURROGATES if begun[0] == 0xED else highest
