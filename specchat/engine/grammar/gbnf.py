"""Parses grammars in llama.cpp's notation (GBNF).

root ::= "yes" | "no" | [1-9] [0-9]{0,3} ("." [^a-z]+)?   # and so on
"""

import re
from collections.abc import Iterator

from specchat.domain.errors import SettingError
from specchat.engine.grammar.left_recursion import left_recursive_rules
from specchat.engine.grammar.rules import HIGHEST, Alternative, CharSet, Grammar, RuleRef, char_set, complement

LONGEST = 1 << 20
"""Characters of text."""
MOST_TIMES = 1000
_DEEPEST = 64
_MOST_ITEMS = 200_000

# No group is possessive: Python before 3.11.5 goes on from the wrong place then.
_SKIPPED = re.compile(r"\s*+(?:#[^\n]*+\s*+)*")
_CHAR = r"\\(?:x..|u.{4}|U.{8}|.)|[^\\]"
_TOKEN = re.compile(
    r"""(?P<define>[A-Za-z0-9_-]++)\s*+::=
      | (?P<name>[A-Za-z0-9_-]++)
      | "(?P<literal>[^"\\]*+(?:\\.[^"\\]*+)*)"
      | \[(?P<not>\^?)(?P<chars>(?!\])[^\]\\]*+(?:\\.[^\]\\]*+)*)\]
      | \{\s*+(?P<least>\d{1,9})\s*+(?P<comma>,?)\s*+(?P<most>\d{0,9})\s*+\}
      | (?P<sign>[()|.*+?])""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
_LITERAL = re.compile(_CHAR, re.DOTALL)
_RANGE = re.compile(rf"({_CHAR})(?:-({_CHAR}))?", re.DOTALL)
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r"}
_TIMES = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_ANY = char_set((0, HIGHEST))


def read_grammar(text: str, root: str = "root") -> Grammar:
    """Raises a SettingError that tells where it is wrong, but not what stands there."""
    if len(text) > LONGEST:
        raise too_large()
    return _Reader(text).grammar(root)


def too_large() -> SettingError:
    return SettingError("The grammar or JSON schema is too large or too ambiguous.", "Simplify it.")


class _Reader:
    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))[::-1]
        """The next one comes last."""
        self._rules: list[list[Alternative] | None] = []
        self._names: dict[str, int] = {}
        self._n_items = 0

    def grammar(self, root: str) -> Grammar:
        while self._tokens:
            token = self._tokens.pop()
            if token.lastgroup != "define":
                raise _unreadable(token.start())
            self._rules[self._named(token["define"])] = self._ways(0)
        self._names.setdefault(root, len(self._rules))
        for name, rule in self._names.items():
            if rule == len(self._rules) or self._rules[rule] is None:
                raise SettingError("The grammar has no rule {name}.", "Define it.", name=name[:100])
        grammar = Grammar(tuple(tuple(ways or ()) for ways in self._rules), self._names[root])
        endless = left_recursive_rules(grammar)
        if named := next((name for name, rule in self._names.items() if rule in endless), None):
            raise _left_recursive(named)
        return grammar

    def _ways(self, depth: int) -> list[Alternative]:
        ways = [self._way(depth)]
        while self._next_is("|"):
            ways.append(self._way(depth))
        return ways

    def _way(self, depth: int) -> Alternative:
        elements: list[Alternative] = []
        while self._tokens and (token := self._tokens[-1]).lastgroup != "define" and token["sign"] not in ("|", ")"):
            self._tokens.pop()
            if token.lastgroup == "most" or token["sign"] in _TIMES:
                if not elements:
                    raise _unreadable(token.start())
                elements[-1] = self._repeated(elements[-1], *_times(token))
            else:
                elements.append(self._element(token, depth))
        return tuple(item for element in elements for item in element)

    def _element(self, token: re.Match[str], depth: int) -> Alternative:
        match token.lastgroup:
            case "name":
                return (RuleRef(self._named(token["name"])),)
            case "literal":
                return self._counted(tuple(char_set((code, code)) for code in _codes(token)))
            case "chars":
                return (_char_class(token),)
        if token["sign"] == ".":
            return (_ANY,)
        if depth == _DEEPEST:
            raise too_large()
        ways = self._ways(depth + 1)
        if not self._next_is(")"):
            raise _unreadable(token.start())
        return (self._rule(ways),)

    def _repeated(self, element: Alternative, least: int, most: int | None) -> Alternative:
        if len(element) > 1:
            element = (self._rule([element]),)
        more = self._any_number(element) if most is None else self._up_to(element, most - least)
        return (*self._counted(element * least), *more)

    def _any_number(self, element: Alternative) -> Alternative:
        again = self._rule([])
        self._rules[again.rule] = [(*element, again), ()]
        return (again,)

    def _up_to(self, element: Alternative, times: int) -> Alternative:
        more: Alternative = ()
        for _ in range(times):
            more = (self._rule([(*element, *more), ()]),)
        return more

    def _rule(self, ways: list[Alternative]) -> RuleRef:
        self._counted(())
        self._rules.append(ways)
        return RuleRef(len(self._rules) - 1)

    def _named(self, name: str) -> int:
        if name not in self._names:
            self._names[name] = len(self._rules)
            self._rules.append(None)
        return self._names[name]

    def _counted(self, way: Alternative) -> Alternative:
        self._n_items += 1 + len(way)
        if self._n_items > _MOST_ITEMS:
            raise too_large()
        return way

    def _next_is(self, sign: str) -> bool:
        found = bool(self._tokens) and self._tokens[-1]["sign"] == sign
        if found:
            self._tokens.pop()
        return found


def _tokens(text: str) -> Iterator[re.Match[str]]:
    at = _after_blanks(text, 0)
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _unreadable(at)
        yield token
        at = _after_blanks(text, token.end())


def _after_blanks(text: str, at: int) -> int:
    blanks = _SKIPPED.match(text, at)
    return blanks.end() if blanks else at


def _times(token: re.Match[str]) -> tuple[int, int | None]:
    if token["sign"]:
        return _TIMES[token["sign"]]
    least = int(token["least"])
    most = int(token["most"]) if token["most"] else None if token["comma"] else least
    if max(least, most or 0) > MOST_TIMES:
        raise too_large()
    if (most is not None and most < least) or (token["most"] and not token["comma"]):
        raise _unreadable(token.start())
    return least, most


def _codes(token: re.Match[str]) -> Iterator[int]:
    for char in _LITERAL.findall(token["literal"]):
        yield _code(char, token)


def _char_class(token: re.Match[str]) -> CharSet:
    ranges: list[tuple[int, int]] = []
    for first, last in _RANGE.findall(token["chars"]):
        low = _code(first, token)
        high = _code(last, token) if last else low
        if low > high:
            raise _unreadable(token.start())
        ranges.append((low, high))
    chars = char_set(*ranges)
    return complement(chars) if token["not"] else chars


def _code(char: str, token: re.Match[str]) -> int:
    match char[1:2], char[2:]:
        case "", _:
            return ord(char)
        case (("x" | "u" | "U"), digits) if re.fullmatch("[0-9a-fA-F]+", digits) and int(digits, 16) <= HIGHEST:
            return int(digits, 16)
        case ("t" | "n" | "r") as letter, "":
            return ord(_ESCAPES[letter])
        case ("\\" | '"' | "[" | "]" | "-" | "^") as sign, "":
            return ord(sign)
    raise _unreadable(token.start())


def _left_recursive(name: str) -> SettingError:
    return SettingError(
        "The grammar's rule {name} begins with itself (left recursion), so it has no end.",
        'Write the repetition after what comes first, as in: list ::= item ("," item)*',
        name=name[:100],
    )


def _unreadable(at: int) -> SettingError:
    return SettingError("The grammar makes no sense at character {at}.", "Correct it there.", at=at + 1)
