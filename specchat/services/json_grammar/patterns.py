"""Converts the regular expressions of JSON schemas (ECMA 262) to grammar rules for strings."""

import re

from specchat.engine.grammar.rules import HIGHEST, CharSet, char_set, complement
from specchat.services.json_grammar.grammar_builder import GrammarBuilder, char_class, literal
from specchat.services.json_grammar.schema_fields import too_large_error, unsupported_keyword_error

_DEEPEST = 30
_TIMES = re.compile(r"([*+?]|\{\d{1,4}(?:,\d{0,4})?\})[?+]?")
_GROUP = re.compile(r"\((?:\?(?::|P?<[A-Za-z_]\w*>))?")
_NUMBERED = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}")
_ANY = char_set((0, HIGHEST))
_LINE_ENDS = char_set((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_DIGITS = char_set((0x30, 0x39))
_WORD = char_set((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACES = (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)
_BLANK = char_set((0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), *_SPACES)
_PERHAPS_BLANK = char_set((0x09, 0x0D), (0x1C, 0x20), (0x85, 0x85), (0xA0, 0xA0), *_SPACES, (0xFEFF, 0xFEFF))
"""Some checkers take these for blanks, others not: they are never written for what must be none, nor for what must."""
_CLASSES = {"d": _DIGITS, "w": _WORD, "s": _BLANK}
_CLASSES |= {"D": complement(_DIGITS), "W": complement(_WORD), "S": complement(_PERHAPS_BLANK)}
_CONTROLS = {"t": 0x09, "n": 0x0A, "v": 0x0B, "f": 0x0C, "r": 0x0D, "0": 0x00}
_ESCAPED = {0x22: '\\"', 0x5C: "\\\\", 0x08: "\\b", 0x09: "\\t", 0x0A: "\\n", 0x0C: "\\f", 0x0D: "\\r"}
"""How they are written in a JSON string."""
_NEVER_PLAIN = char_set((0x00, 0x1F), (0x22, 0x22), (0x5C, 0x5C), (0x7F, 0x7F), (0xD800, 0xDFFF))


def pattern_rule(pattern: str, rules: GrammarBuilder) -> str:
    """JSON strings that match. Raises a SettingError for what no grammar can say, such as looking back."""
    return rf'"\"" ({_Reader(pattern, rules).ways(0)}) "\""'


class _Reader:
    def __init__(self, pattern: str, rules: GrammarBuilder) -> None:
        self._pattern = pattern
        self._rules = rules
        self._at = 0

    def ways(self, depth: int) -> str:
        if depth > _DEEPEST:
            raise too_large_error()
        ways = [self._way(depth)]
        while self._take("|"):
            ways.append(self._way(depth))
        if depth == 0 and self._at < len(self._pattern):
            raise unsupported_keyword_error("pattern")
        return " | ".join(ways)

    def _way(self, depth: int) -> str:
        """Only a whole pattern has anchors; without, anything may stand before and after."""
        begins = depth > 0 or self._take("^")
        items: list[str] = [] if begins else [f"{self._one_of(_ANY)}*"]
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)$":
            items.append(self._item(depth))
        if depth == 0 and not self._take("$"):
            items.append(f"{self._one_of(_ANY)}*")
        return " ".join(items)

    def _item(self, depth: int) -> str:
        item = self._atom(depth)
        times = _TIMES.match(self._pattern, self._at)
        if times is None:
            return item
        self._at = times.end()
        return item + times[1]

    def _atom(self, depth: int) -> str:
        pattern, at = self._pattern, self._at
        if group := _GROUP.match(pattern, at):
            self._at = group.end()
            ways = self.ways(depth + 1)
            if not self._take(")"):
                raise unsupported_keyword_error("pattern")
            return f"({ways})"
        self._at += 1
        match pattern[at]:
            case ".":
                return self._one_of(complement(_LINE_ENDS))
            case "[":
                return self._one_of(self._char_class())
            case "\\":
                return self._one_of(self._escaped())
            case "*" | "+" | "?" | "^":
                raise unsupported_keyword_error("pattern")
        return self._one_of(_single(ord(pattern[at])))

    def _char_class(self) -> CharSet:
        negated = self._take("^")
        ranges: list[tuple[int, int]] = []
        while not self._take("]"):
            first = self._class_member()
            if self._pattern[self._at : self._at + 1] == "-" and self._pattern[self._at + 1 : self._at + 2] != "]":
                self._at += 1
                last = self._class_member()
                ranges.append((_only_code(first), _only_code(last)))
            else:
                ranges += first.ranges
        if any(low > high for low, high in ranges):
            raise unsupported_keyword_error("pattern")
        chars = char_set(*ranges)
        return complement(chars) if negated else chars

    def _class_member(self) -> CharSet:
        if self._at >= len(self._pattern):
            raise unsupported_keyword_error("pattern")
        self._at += 1
        char = self._pattern[self._at - 1]
        return self._escaped() if char == "\\" else _single(ord(char))

    def _escaped(self) -> CharSet:
        """After the backslash."""
        if numbered := _NUMBERED.match(self._pattern, self._at):
            self._at = numbered.end()
            return _single(int(numbered[1] or numbered[2] or numbered[3], 16))
        letter = self._pattern[self._at : self._at + 1]
        self._at += 1
        if letter in _CLASSES:
            return _CLASSES[letter]
        if letter in _CONTROLS:
            return _single(_CONTROLS[letter])
        if not letter or letter.isalnum():
            raise unsupported_keyword_error("pattern")
        return _single(ord(letter))

    def _take(self, sign: str) -> bool:
        found = self._pattern.startswith(sign, self._at)
        if found:
            self._at += len(sign)
        return found

    def _one_of(self, chars: CharSet) -> str:
        plain = _without(chars, _NEVER_PLAIN)
        ways = [char_class(plain.ranges)] if plain.ranges else []
        ways += [literal(text) for code, text in _ESCAPED.items() if code in chars]
        if not ways:
            raise unsupported_keyword_error("pattern")
        return self._rules.add(" | ".join(ways))


def _single(code: int) -> CharSet:
    return char_set((code, min(code, HIGHEST)))


def _only_code(chars: CharSet) -> int:
    if len(chars.ranges) != 1 or chars.ranges[0][0] != chars.ranges[0][1]:
        raise unsupported_keyword_error("pattern")
    return chars.ranges[0][0]


def _without(chars: CharSet, others: CharSet) -> CharSet:
    return complement(char_set(*complement(chars).ranges, *others.ranges))
