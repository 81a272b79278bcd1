"""The Markdown parser, created on first use: CommonMark, tables, strikethrough, formulas, footnotes.

Of HTML it knows the tags br, sub and sup; all others are text.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from specchat.ui.transcript.formula_rules import HIDDEN_PIPE, add_formula_rules, hide_formula_pipes

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

MAX_NESTING = 60
References = dict[str, Any]
"""Definitions of links by label, as the parser keeps them, and which footnotes are defined."""
_ITEM = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])(?=\s|$)")
BREAK = "html_break"
FOOTNOTE_REFERENCE = "footnote_reference"
_TAG = re.compile(r"<(?:br ?/?>[ \t]*(?:\n[ \t]*)?|(su[bp])>)", re.IGNORECASE)
"""A break takes the blanks and the line end after it, which would break the line again."""
_LONGEST_SCRIPT = 400
_REFERENCE = re.compile(r"\[\^([\w-]{1,20})\](?!\()")
_DEFINITION = re.compile(r"\[\^([\w-]{1,20})\]:[ \t]*")
_INDENT = 4
"""The columns by which a definition's later blocks are indented."""


@cache
def parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    options = {"html": False, "maxNesting": MAX_NESTING}
    made = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    return _add_rules(add_formula_rules(made))


def block_tokens(source: str, references: References) -> "list[Token]":
    """Adds the link definitions in `source` to `references`."""
    tokens: list[Token] = []
    hidden = hide_formula_pipes(source)
    parser().block.parse(hidden, parser(), {"references": references}, tokens)
    for token in tokens if hidden is not source else ():
        token.content = token.content.replace(HIDDEN_PIPE, "|")
    return tokens


def inline_tokens(content: str, references: References) -> "list[Token]":
    tokens: list[Token] = []
    parser().inline.parse(content, parser(), {"references": references}, tokens)
    return tokens


def list_item_prefix(source: str) -> str:
    """Returns an item to put before one from the middle of a list, which would be read as a table's head there."""
    found = _ITEM.match(source)
    return f"{found[0]} x\n" if found else ""


def without_first_item(tokens: "list[Token]") -> "list[Token]":
    end = next((n for n, token in enumerate(tokens) if token.type == "list_item_close" and token.level == 1), 0)
    return [*tokens[:1], *tokens[end + 1 :]]


def _add_rules(parser: "MarkdownIt") -> "MarkdownIt":
    parser.inline.ruler.before("autolink", "html_tag", _tag)
    parser.inline.ruler.before("link", FOOTNOTE_REFERENCE, _reference)
    parser.block.ruler.before("reference", "footnote", _footnote, {"alt": ["paragraph", "reference"]})
    return parser


def _tag(state: "StateInline", silent: bool) -> bool:
    found = _TAG.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    name = (found[1] or "").lower()
    if name:
        return _script(state, found, name, silent=silent)
    if not silent:
        state.push(BREAK, "", 0).markup = found[0]
    state.pos = found.end()
    return True


def _script(state: "StateInline", opening: re.Match[str], name: str, *, silent: bool) -> bool:
    """Reads a script up to its closing tag; without one the tag stays text."""
    limit, end = state.posMax, min(state.posMax, opening.end() + _LONGEST_SCRIPT)
    closing = re.compile(f"</{name}>", re.IGNORECASE).search(state.src, opening.end(), end)
    if closing is None:
        return False
    if not silent:
        state.push(f"{name}_open", name, 1).markup = opening[0]
        state.pos, state.posMax = opening.end(), closing.start()
        state.md.inline.tokenize(state)
        state.posMax = limit
        state.push(f"{name}_close", name, -1).markup = closing[0]
    state.pos = closing.end()
    return True


def _reference(state: "StateInline", silent: bool) -> bool:
    """Reads a reference; one with a number needs no definition, which comes last while an answer is written."""
    found = _REFERENCE.match(state.src, state.pos, state.posMax)
    if found is None or not (found[1].isdecimal() or _key(found[1]) in state.env["references"]):
        return False
    if not silent:
        state.push(FOOTNOTE_REFERENCE, "", 0).content = found[1]
    state.pos = found.end()
    return True


def _key(label: str) -> str:
    """Returns a key that no link can have: the parser keeps their labels in capitals."""
    return f"note {label.upper()}"


def _footnote(state: "StateBlock", first: int, end: int, silent: bool) -> bool:
    """Reads a definition, which holds blocks as an item of a list does."""
    if state.is_code_block(first):
        return False
    start = state.bMarks[first] + state.tShift[first]
    found = _DEFINITION.match(state.src, start, state.eMarks[first])
    if found is None:
        return False
    if not silent:
        state.env["references"].setdefault(_key(found[1]), {"href": "", "title": "", "map": [first, first + 1]})
        _push_footnote(state, first, end, found)
    return True


def _push_footnote(state: "StateBlock", first: int, end: int, found: re.Match[str]) -> None:
    before = state.bMarks[first], state.tShift[first], state.sCount[first], state.parentType
    opening = state.push("footnote_open", "", 1)
    opening.content, opening.map = found[1], [first, first + 1]
    state.bMarks[first], state.tShift[first] = found.end(), 0
    state.blkIndent += _INDENT
    state.sCount[first] = state.blkIndent
    state.parentType = "footnote"
    state.line = first
    if state.isEmpty(first):
        state.line = first + 1
    else:
        state.md.block.tokenize(state, first, end)
    state.bMarks[first], state.tShift[first], state.sCount[first], state.parentType = before
    state.blkIndent -= _INDENT
    opening.map[1] = state.line
    state.push("footnote_close", "", -1)
