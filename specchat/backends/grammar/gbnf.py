"""Translates grammars in llama.cpp's notation (GBNF) to llguidance's (Lark).

root ::= "yes" | "no" | [1-9] [0-9]{0,3} ("." [^a-z]+)?   # and so on

llguidance has a converter, too, but it joins characters to lexemes, of which only the longest counts: "ab" could not be
followed by "cd" if "abc" were also possible. Here, each character is a separate lexeme.
"""

import re
from collections.abc import Iterable, Iterator

from specchat.domain.errors import SettingError

LONGEST = 64 << 10
"""The maximum length of a grammar in characters."""
_MOST_ELEMENTS = 4000
"""More elements that may all be empty would take seconds per token."""
_MOST_TIMES = 1000
_DEEPEST = 64
_HIGHEST = 0x10FFFF
_SURROGATES = range(0xD800, 0xE000)

# No group is possessive, because Python before 3.11.5 then continues at the wrong place.
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
_ANY = "/(?s:.)/"
_NONE = r"/[^\s\S]/"


def gbnf_to_lark(text: str) -> str:
    """Raises a SettingError with the position of an error, but without the text there."""
    if len(text) > LONGEST:
        raise grammar_too_large_error()
    return _Translator(text).lark()


def grammar_too_large_error() -> SettingError:
    return SettingError("The grammar or JSON schema is too large or too ambiguous.", "Simplify it.")


class _Translator:
    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))[::-1]
        """The remaining tokens in reverse order."""
        self._names = {"root": "start"}
        """The names of llguidance's rules, by the names in the grammar."""
        self._rules: dict[str, str] = {}
        self._lexemes: dict[str, str] = {}
        """The names of lexemes that match one character, by their expressions."""
        self._n_elements = 0

    def lark(self) -> str:
        while self._tokens:
            token = self._tokens.pop()
            if token.lastgroup != "define":
                raise _unreadable_error(token.start())
            self._rules[self._rule(token["define"])] = self._alternatives(0)
        if missing := next((name for name, rule in self._names.items() if rule not in self._rules), None):
            raise SettingError(
                "The grammar has no rule {name}.", "Define the rule, or remove the reference to it.", name=missing[:100]
            )
        rules = [f"{name}: {body}" for name, body in self._rules.items()]
        return "\n".join([*rules, *(f"{name}: {lexeme}" for lexeme, name in self._lexemes.items())])

    def _alternatives(self, depth: int) -> str:
        found = [self._sequence(depth)]
        while self._accept("|"):
            found.append(self._sequence(depth))
        return " | ".join(found)

    def _sequence(self, depth: int) -> str:
        elements: list[str] = []
        while self._tokens and (token := self._tokens[-1]).lastgroup != "define" and token["sign"] not in ("|", ")"):
            self._tokens.pop()
            if token.lastgroup == "most" or (token["sign"] and token["sign"] in "*+?"):
                if not elements:
                    raise _unreadable_error(token.start())
                elements[-1] = _repeated(elements[-1], _times(token))
            else:
                elements.append(self._element(token, depth))
        return " ".join(elements) or '""'

    def _element(self, token: re.Match[str], depth: int) -> str:
        self._n_elements += 1
        if self._n_elements > _MOST_ELEMENTS or depth == _DEEPEST:
            raise grammar_too_large_error()
        match token.lastgroup:
            case "name":
                return self._rule(token["name"])
            case "literal":
                chars = [self._lexeme(_class([(code, code)])) for code in _codes(token)]
                return f"({' '.join(chars)})" if chars else '""'
            case "chars":
                return self._lexeme(_class(_ranges(token), negated=bool(token["not"])))
        if token["sign"] == ".":
            return self._lexeme(_ANY)
        group = self._alternatives(depth + 1)
        if not self._accept(")"):
            raise _unreadable_error(token.start())
        return self._rule_of(group)

    def _rule_of(self, body: str) -> str:
        """Turns a group into a rule, because llguidance rejects deep groups, but not long chains of rules."""
        name = f"g{len(self._rules)}"
        self._rules[name] = body
        return name

    def _rule(self, name: str) -> str:
        return self._names.setdefault(name, f"r{len(self._names)}")

    def _lexeme(self, expression: str) -> str:
        return self._lexemes.setdefault(expression, f"C{len(self._lexemes)}")

    def _accept(self, sign: str) -> bool:
        found = bool(self._tokens) and self._tokens[-1]["sign"] == sign
        if found:
            self._tokens.pop()
        return found


def _tokens(text: str) -> Iterator[re.Match[str]]:
    at = _after_blanks(text, 0)
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise _unreadable_error(at)
        yield token
        at = _after_blanks(text, token.end())


def _after_blanks(text: str, at: int) -> int:
    blanks = _SKIPPED.match(text, at)
    return blanks.end() if blanks else at


def _repeated(element: str, times: str) -> str:
    if times == "{0,0}":
        return '""'
    return f"{element}{times}" if element[-1].isalnum() or element[-1] == ")" else f"({element}){times}"


def _times(token: re.Match[str]) -> str:
    if token["sign"]:
        return token["sign"]
    least = int(token["least"])
    most = int(token["most"]) if token["most"] else None if token["comma"] else least
    if max(least, most or 0) > _MOST_TIMES:
        raise grammar_too_large_error()
    if (most is not None and most < least) or (token["most"] and not token["comma"]):
        raise _unreadable_error(token.start())
    return f"{{{least},{'' if most is None else most}}}"


def _codes(token: re.Match[str]) -> Iterator[int]:
    for char in _LITERAL.findall(token["literal"]):
        yield _code(char, token)


def _ranges(token: re.Match[str]) -> Iterator[tuple[int, int]]:
    for first, last in _RANGE.findall(token["chars"]):
        low = _code(first, token)
        high = _code(last, token) if last else low
        if low > high:
            raise _unreadable_error(token.start())
        yield low, high


def _class(ranges: Iterable[tuple[int, int]], *, negated: bool = False) -> str:
    """Returns a regular expression for one character, excluding surrogates."""
    parts = ""
    for low, high in ranges:
        low = _SURROGATES.stop if low in _SURROGATES else low
        high = _SURROGATES.start - 1 if high in _SURROGATES else high
        if low <= high:
            parts += rf"\x{{{low:X}}}-\x{{{high:X}}}"
    if not parts:
        return _ANY if negated else _NONE
    return f"/[{'^' if negated else ''}{parts}]/"


def _code(char: str, token: re.Match[str]) -> int:
    match char[1:2], char[2:]:
        case "", _:
            return ord(char)
        case (("x" | "u" | "U"), digits) if re.fullmatch("[0-9a-fA-F]+", digits) and int(digits, 16) <= _HIGHEST:
            return int(digits, 16)
        case ("t" | "n" | "r") as letter, "":
            return ord(_ESCAPES[letter])
        case ("\\" | '"' | "[" | "]" | "-" | "^") as sign, "":
            return ord(sign)
    raise _unreadable_error(token.start())


def _unreadable_error(at: int) -> SettingError:
    return SettingError(
        "The grammar has a syntax error at character {at}.", "Correct the grammar at that position.", at=at + 1
    )
