"""Collects the rules of a grammar on top of the basic rules for JSON."""

from specchat.engine.grammar.gbnf import LONGEST
from specchat.services.json_grammar.schema_fields import too_large_error

_BASIC = r"""
ws ::= " "? | "\n" [ \t]{0,20}
value ::= object | array | string | number | boolean | null
object ::= "{" ws (member ("," ws member)* ws)? "}"
member ::= string ":" ws value
array ::= "[" ws (value ("," ws value)* ws)? "]"
string ::= "\"" char* "\""
char ::= plain | "\\" ["\\/bfnrt] | "\\u" unit
plain ::= [^"\\\x00-\x1F\x7F]
unit ::= ([0-9a-cA-CeEfF] hex | [dD] [0-7]) hex hex | [dD] [89abAB] hex hex "\\u" [dD] [c-fC-F] hex hex
hex ::= [0-9a-fA-F]
integer ::= "-"? ("0" | [1-9] [0-9]{0,15})
number ::= integer ("." [0-9]{1,16})? ([eE] [+-]? [0-9]{1,2})?
boolean ::= "true" | "false"
null ::= "null"
"""
_BLOCK = 256
_MOST = _BLOCK * _BLOCK
"""Characters or items: no answer has more."""
_MOST_ASKED = 8 * LONGEST
"""Characters of all rules that are asked for, though there may be one already."""


class GrammarBuilder:
    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        """By what they stand for."""
        self._lines: list[str] = []
        self._n_made = self._size = self._n_asked = 0

    def add(self, body: str) -> str:
        """Its name; what was said before has one already."""
        self._n_asked += len(body)
        if self._n_asked > _MOST_ASKED:
            raise too_large_error()
        if body not in self._names:
            self._names[body] = self.define(self.new_name(), body)
        return self._names[body]

    def new_name(self) -> str:
        """For a rule that mentions itself."""
        self._n_made += 1
        return f"r{self._n_made}"

    def define(self, name: str, body: str) -> str:
        self._lines.append(f"{name} ::= {body}")
        self._size += len(self._lines[-1])
        if self._size > LONGEST - len(_BASIC) - self._n_made:
            raise too_large_error()
        return name

    def build(self, root: str) -> str:
        return "\n".join([f"root ::= {root}", *self._lines, _BASIC.strip()])

    def add_repetition(self, what: str, least: int, most: int | None) -> str:
        """Long ones in blocks: counting each by itself would take as many rules."""
        if least > _MOST:
            raise too_large_error()
        if most is None or most > _MOST:
            return f"{self._exactly(what, least)} {what}*"
        n_blocks, rest = divmod(most - least, _BLOCK)
        last = f"{what}{{0,{rest}}}"
        if n_blocks:
            block = self.add(f"{what}{{{_BLOCK}}}")
            last = f"{block}{{0,{n_blocks - 1}}} ({what}{{0,{_BLOCK - 1}}} | {block} {last})"
        return f"{self._exactly(what, least)} {last}"

    def _exactly(self, what: str, times: int) -> str:
        n_blocks, rest = divmod(times, _BLOCK)
        block = f"{self.add(f'{what}{{{_BLOCK}}}')}{{{n_blocks}}} " if n_blocks else ""
        return f"{block}{what}{{{rest}}}"


def literal(text: str) -> str:
    escaped = "".join(
        f"\\{char}" if char in '"\\' else char if char.isprintable() else _numbered(char) for char in text
    )
    return f'"{escaped}"'


def char_class(ranges: tuple[tuple[int, int], ...]) -> str:
    return f"[{''.join(f'{_numbered(chr(low))}-{_numbered(chr(high))}' for low, high in ranges)}]"


def _numbered(char: str) -> str:
    return f"\\U{ord(char):08x}"
