"""Finds left-recursive rules, which a matcher could follow for ever."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from specchat.engine.grammar.rules import Grammar, RuleRef

_Edges = Mapping[int, Sequence[tuple[int, bool]]]
"""From each rule to those that it may begin with, and whether more comes after them."""


def left_recursive_rules(grammar: Grammar) -> set[int]:
    """A rule that is nothing but itself does no harm, nor does one that repeats what may be empty."""
    edges = _beginnings(grammar, _empty_rules(grammar))
    cycle = _cycles(edges)
    return {rule for rule, found in edges.items() if any(more and cycle[to] == cycle[rule] for to, more in found)}


def _empty_rules(grammar: Grammar) -> Collection[int]:
    """Those that may be empty."""
    users: dict[int, list[tuple[int, int]]] = defaultdict(list)
    missing: dict[tuple[int, int], int] = {}
    """How many items of a way are not known to be empty yet."""
    for rule, ways in enumerate(grammar.rules):
        for number, way in enumerate(ways):
            missing[rule, number] = len(way)
            for item in way:
                if isinstance(item, RuleRef):
                    users[item.rule].append((rule, number))
    empty = set[int]()
    todo = [rule for (rule, _), count in missing.items() if not count]
    while todo:
        rule = todo.pop()
        if rule in empty:
            continue
        empty.add(rule)
        for user in users[rule]:
            missing[user] -= 1
            if not missing[user]:
                todo.append(user[0])
    return empty


def _beginnings(grammar: Grammar, empty: Collection[int]) -> _Edges:
    edges: dict[int, list[tuple[int, bool]]] = {}
    for rule, ways in enumerate(grammar.rules):
        edges[rule] = []
        for way in ways:
            for place, item in enumerate(way, 1):
                if not isinstance(item, RuleRef):
                    break
                edges[rule].append((item.rule, place < len(way)))
                if item.rule not in empty:
                    break
    return edges


def _cycles(edges: _Edges) -> Mapping[int, int]:
    """A number for each rule, the same for those that lead to one another (Tarjan's way, without recursion)."""
    seen_as: dict[int, int] = {}
    earliest: dict[int, int] = {}
    cycle: dict[int, int] = {}
    unfinished: list[int] = []
    path: list[tuple[int, Iterator[tuple[int, bool]]]] = []

    def enter(rule: int) -> None:
        seen_as[rule] = earliest[rule] = len(seen_as)
        unfinished.append(rule)
        path.append((rule, iter(edges[rule])))

    def leave(rule: int) -> None:
        path.pop()
        if path:
            above = path[-1][0]
            earliest[above] = min(earliest[above], earliest[rule])
        while earliest[rule] == seen_as[rule] and rule not in cycle:
            cycle[unfinished.pop()] = rule

    for start in edges:
        if start not in seen_as:
            enter(start)
        while path:
            rule, following = path[-1]
            to, _ = next(following, (None, False))
            if to is None:
                leave(rule)
            elif to not in seen_as:
                enter(to)
            elif to not in cycle:
                earliest[rule] = min(earliest[rule], seen_as[to])
    return cycle
