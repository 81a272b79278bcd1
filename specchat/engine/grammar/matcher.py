"""Matches text against a grammar, following all possible derivations.

What was found out is remembered: a text meets few places, and the same ones again and again.
"""

from bisect import bisect_right
from collections.abc import Iterable
from typing import NoReturn

from specchat.engine.grammar.gbnf import too_large
from specchat.engine.grammar.rules import Alternative, CharSet, Grammar

_MOST_PLACES = 2000
"""In one state."""
_MOST_REMEMBERED = 300_000
"""Some ten bytes each."""
_MOST_WORK = 2_000_000
"""Places looked at for one token: about a second."""
_OF_A_PLACE = 4
"""What making one costs, against looking at one."""


class _Place:
    """At an item of a way; `below`: where to go on after the way's end. None is the end of everything.

    Each is made once, so that it is the same only if it is identical.
    """

    __slots__ = ("at", "below", "item", "way")

    def __init__(self, way: Alternative, at: int, below: "_Place | None") -> None:
        self.way, self.at, self.below = way, at, below
        self.item = way[at]


_Places = frozenset[_Place | None]


class MatchState:
    __slots__ = ("alike", "cuts", "ends", "is_dead", "places", "steps")

    def __init__(self, places: _Places) -> None:
        self.places = [(place, place.item) for place in places if place is not None and isinstance(place.item, CharSet)]
        self.ends = None in places
        """The text may end here."""
        self.is_dead = not places
        self.steps: dict[str, MatchState] = {}
        self.cuts: list[int] = []
        """Between two of them, all characters lead to the same state."""
        self.alike: dict[int, MatchState] = {}
        """The states that they lead to, by how many cuts are below them."""

    @property
    def all_chars(self) -> list[CharSet]:
        """Each once."""
        return list({id(chars): chars for _, chars in self.places}.values())


class Matcher:
    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self._made: dict[tuple[int, int, int], _Place] = {}
        self._firsts: dict[_Place | None, _Places] = {}
        self._states: dict[_Places, MatchState] = {}
        self._n_remembered = self._n_work = 0

    def start(self) -> MatchState:
        self.reset_work()
        ways = self._grammar.rules[self._grammar.root]
        return self._state(self._reached(self._place(way, 0, None) for way in ways))

    def reset_work(self) -> None:
        """The work for one token is done."""
        self._n_work = 0

    def clear_cache(self) -> None:
        """The states that are still in use stay good."""
        for memory in (self._made, self._firsts, self._states):
            memory.clear()
        self._n_remembered = 0

    @property
    def is_cache_large(self) -> bool:
        return self._n_remembered > _MOST_REMEMBERED

    def after(self, state: MatchState, text: str) -> MatchState | None:
        """None: no text of the grammar goes on like this."""
        for char in text:
            known = state.steps.get(char)
            state = known if known is not None else self._step(state, char)
            if state.is_dead:
                return None
        return state

    def can_continue(self, state: MatchState, lowest: int, highest: int) -> bool:
        """With a character of these."""
        self._work(len(state.places))
        return any(chars.meets(lowest, highest) for _, chars in state.places)

    def _step(self, state: MatchState, char: str) -> MatchState:
        self._work(1)
        self._n_remembered += 1
        alike = bisect_right(self._cuts(state), ord(char))
        if alike not in state.alike:
            state.alike[alike] = self._find_step(state, ord(char))
        following = state.steps[char] = state.alike[alike]
        return following

    def _cuts(self, state: MatchState) -> list[int]:
        if not state.cuts:
            cuts = {0}
            for chars in state.all_chars:
                self._work(len(chars.ranges))
                for low, high in chars.ranges:
                    cuts |= {low, high + 1}
            self._n_remembered += len(cuts)
            state.cuts = sorted(cuts)
        return state.cuts

    def _find_step(self, state: MatchState, code: int) -> MatchState:
        self._work(len(state.places))
        found = set[_Place | None]()
        for place in {self._next(place) for place, chars in state.places if code in chars}:
            found |= self._first_at(place)
        return self._state(frozenset(found))

    def _state(self, places: _Places) -> MatchState:
        known = self._states.get(places)
        if known is None:
            if len(places) > _MOST_PLACES:
                self._give_up()
            self._n_remembered += 1 + len(places)
            known = self._states[places] = MatchState(places)
        return known

    def _first_at(self, place: _Place | None) -> _Places:
        """The places at characters that may come next from there."""
        known = self._firsts.get(place)
        if known is None:
            known = self._firsts[place] = self._reached([place])
            self._n_remembered += len(known)
        self._work(len(known))
        return known

    def _reached(self, starts: Iterable[_Place | None]) -> _Places:
        todo = list(starts)
        seen = set(todo)
        while todo:
            place = todo.pop()
            if place is None or isinstance(place.item, CharSet):
                continue
            onwards = self._next(place)
            ways = self._grammar.rules[place.item.rule]
            self._work(len(ways))
            for way in ways:
                first = self._place(way, 0, onwards)
                if first not in seen:
                    seen.add(first)
                    todo.append(first)
            if len(seen) > 4 * _MOST_PLACES:
                self._give_up()
        return frozenset(place for place in seen if place is None or isinstance(place.item, CharSet))

    def _work(self, amount: int) -> None:
        self._n_work += amount
        if self._n_work > _MOST_WORK:
            self._give_up()

    def _give_up(self) -> NoReturn:
        self.clear_cache()
        raise too_large()

    def _next(self, place: _Place) -> _Place | None:
        return self._place(place.way, place.at + 1, place.below)

    def _place(self, way: Alternative, at: int, below: _Place | None) -> _Place | None:
        if at == len(way):
            return below
        key = id(way), at, id(below)
        place = self._made.get(key)
        if place is None:
            self._work(_OF_A_PLACE)
            self._n_remembered += _OF_A_PLACE
            place = self._made[key] = _Place(way, at, below)
        return place
