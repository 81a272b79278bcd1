"""Markdown parser rules for formulas, which contain no emphasis, lists or escapes.

A formula whose end is not there yet is one already, so that it can be read while it grows, unless it reads like prose.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

TOKEN = "formula"
HIDDEN_PIPE = "\ufdd0"
"""Replaces a `|` in a formula, so that it doesn't end a table cell."""

_ENVIRONMENT = re.compile(
    r"\\begin\{((?:equation|displaymath|align|alignat|aligned|flalign|gather|gathered|multline|eqnarray|split|cases|array"
    r"|[pbvBV]?matrix)\*?)\}"
)
# No group is possessive: Python before 3.11.5 goes on from the wrong place then.
_INSIDE = {
    "\\(": re.compile(r"[^\\]*+(?:\\[^()][^\\]*+)*"),
    "\\[": re.compile(r"[^\\]*+(?:\\[^\[\]][^\\]*+)*"),
    "$$": re.compile(r"[^$\\]*+(?:(?:\\.|\$(?!\$))[^$\\]*+)*", re.DOTALL),
}
_CLOSING = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}
_DOLLAR = re.compile(
    r"\$(?![\s$])([^$\\]*+(?:\\.[^$\\]*+)*)(?<!\s)\$(?!(?!(?:th|st|nd|rd|s)\b)[A-Za-z0-9_])", re.DOTALL
)
"""As in Pandoc: `$20 and $30` are prices."""
_LATEX = re.compile(r"\\[A-Za-z]|[\^_]")
_MATHEMATICAL = re.compile(r"[\\^_={}<>+]")
_NO_WORDS = re.compile(r"\\[A-Za-z]+|\{[^{}]*\}")
_PROSE = re.compile(r"[^\W\d_]{2,}[,;]?\s+[^\W\d_]{3,}|[^\W\d_]{3,}[,;]?\s+[^\W\d_]{2,}")
_PRICE = re.compile(r"\d[\d.,]*\s+[^\W\d_]{2,}")
_CITATION = re.compile(r"[\d\s,–-]*")
_NOT_WHILE_OPEN = re.compile(r"\\[(\[]|\$|`|\]\(|\n[ \t]*\n")
_LOOK_AHEAD = 400
_OPENS_AT_END = re.compile(r"(?:\\\[|\$\$)[ \t]*$")
_IN_TABLE = re.compile(
    r"(?<![A-Za-z0-9_\\$`])\$(?![\s$])[^$\\`\n]*+(?:\\.[^$\\`\n]*+)*(?<!\s)\$(?![A-Za-z0-9_$])"
    r"|\\\([^\\`\n]*+(?:\\[^()\n][^\\`\n]*+)*\\\)"
)
_PIPE = re.compile(r"(?<!\\)\|")


@dataclass(frozen=True, slots=True)
class _Found:
    opening: str
    begin: int
    end: int
    after: int
    closed: bool = True


def add_formula_rules(parser: "MarkdownIt") -> "MarkdownIt":
    parser.block.ruler.before("blockquote", TOKEN, _block, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    parser.inline.ruler.before("escape", TOKEN, _inline)
    return parser


def hide_formula_pipes(source: str) -> str:
    if "|" not in source or ("$" not in source and "\\(" not in source):
        return source
    return _IN_TABLE.sub(lambda found: _PIPE.sub(HIDDEN_PIPE, found[0]), source)


def _inline(state: "StateInline", silent: bool) -> bool:
    if state.src[state.pos] not in "\\$":
        return False
    found = _find(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        token = state.push(TOKEN, "", 0)
        token.markup, token.content = found.opening, state.src[found.begin : found.end]
        token.meta = {"after": found.after - found.end, "closed": found.closed}
    state.pos = found.after
    return True


def _find(text: str, at: int, limit: int) -> _Found | None:
    if environment := _ENVIRONMENT.match(text, at, limit):
        return _environment(text, environment, limit)
    opening = text[at : at + 2]
    if opening in _INSIDE:
        begin = at + 2
        inside = _INSIDE[opening].match(text, begin, limit)
        end = inside.end() if inside else limit
        if not text.startswith(_CLOSING[opening], end, limit):
            return _open(text, opening, begin, limit)
        return _closed(text, opening, begin, end)
    if opening[0] != "$" or (at and text[at - 1].isalnum() and text[at - 1].isascii()):
        return None
    if found := _DOLLAR.match(text, at, limit):
        return _closed(text, "$", at + 1, found.end(1))
    unspaced = at + 1 < limit and not text[at + 1].isspace() and not text[at + 1].isdigit()
    latex = unspaced and _LATEX.search(text, at, min(limit, at + _LOOK_AHEAD))
    return _open(text, "$", at + 1, limit) if latex else None


def _environment(text: str, environment: re.Match[str], limit: int) -> _Found:
    closing = f"\\end{{{environment[1]}}}"
    end = text.find(closing, environment.end(), limit)
    if environment[1].startswith(("equation", "displaymath")):
        end, after = (limit, limit) if end < 0 else (end, end + len(closing))
        return _Found(environment[0], environment.end(), end, after, closed=after > end)
    closed = end >= 0
    end = end + len(closing) if closed else limit
    return _Found("", environment.start(), end, end, closed)


def _closed(text: str, opening: str, begin: int, end: int) -> _Found | None:
    latex = text[begin:end]
    if not latex.strip() or (opening == "\\[" and _CITATION.fullmatch(latex)):
        return None
    if (_is_prose(latex) or _PRICE.match(latex)) and not _MATHEMATICAL.search(latex):
        return None
    return _Found(opening, begin, end, end + len(opening))


def _open(text: str, opening: str, begin: int, limit: int) -> _Found | None:
    start = text[begin : min(limit, begin + _LOOK_AHEAD)]
    if not start.strip() or _is_prose(start) or _NOT_WHILE_OPEN.search(text, begin, limit):
        return None
    return _Found(opening, begin, limit, limit, closed=False)


def _is_prose(latex: str) -> bool:
    return _PROSE.search(_NO_WORDS.sub("\0", latex[:_LOOK_AHEAD])) is not None


def _block(state: "StateBlock", first: int, end: int, silent: bool) -> bool:
    """A paragraph that goes on to the end of the formula that begins on its first line."""
    if state.is_code_block(first):
        return False
    line = _line(state, first)
    opening = _begins(line)
    if not opening and not silent and _OPENS_AT_END.search(line) and line.count("$$") % 2 == ("$$" in line):
        opening = line.rstrip()[-2:]
    if not opening or (silent and opening == "$$" and _closes_one(state, first)):
        return False
    if not silent:
        _push_paragraph(state, first, _end(state, first, end, opening))
    return True


def _line(state: "StateBlock", number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _begins(line: str) -> str:
    """The mark at its beginning, where what it opens goes on after the line."""
    if environment := _ENVIRONMENT.match(line):
        return "" if f"\\end{{{environment[1]}}}" in line else environment[0]
    opening = line[:2]
    if opening not in ("\\[", "$$") or _CLOSING[opening] in line[2:] or _is_prose(line[2:]):
        return ""
    return opening


def _closes_one(state: "StateBlock", number: int) -> bool:
    return state.src.count("$$", state.bMarks[state.line], state.bMarks[number]) % 2 == 1


def _end(state: "StateBlock", first: int, end: int, opening: str) -> int:
    """A blank line ends it too, but within an environment."""
    closing = _CLOSING.get(opening) or opening.replace("begin", "end")
    number, deep = first + 1, _deeper(_line(state, first))
    while number < end:
        blank = state.isEmpty(number)
        if (blank and deep <= 0) or (not blank and state.sCount[number] < state.blkIndent):
            break
        line = _line(state, number)
        number += 1
        if closing in line:
            break
        deep += _deeper(line)
    return number


def _deeper(line: str) -> int:
    return line.count("\\begin{") - line.count("\\end{")


def _push_paragraph(state: "StateBlock", first: int, end: int) -> None:
    content = state.getLines(first, end, state.blkIndent, False).strip()
    state.line = end
    state.push("paragraph_open", "p", 1).map = [first, end]
    token = state.push("inline", "", 0)
    token.content, token.map, token.children = content, [first, end], []
    state.push("paragraph_close", "p", -1)
