"""The Markdown parser, created on first use: CommonMark, tables, strikethrough, formulas, footnotes."""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

from specchat.ui.transcript.formula_rules import HIDDEN_PIPE, add_formula_rules, hide_formula_pipes
from specchat.ui.transcript.markdown_rules import add_markdown_rules

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_NESTING = 60

References = dict[str, Any]
"""Definitions of links by label, as the parser keeps them, and which footnotes are defined."""


@cache
def parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    options = {"html": False, "maxNesting": MAX_NESTING}
    made = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    return add_markdown_rules(add_formula_rules(made))


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


_ITEM = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])(?=\s|$)")


def list_item_prefix(source: str) -> str:
    """An item to put before one from the middle of a list: what begins a list could also be the head of a table."""
    found = _ITEM.match(source)
    return f"{found[0]} x\n" if found else ""


def without_first_item(tokens: "list[Token]") -> "list[Token]":
    end = next((n for n, token in enumerate(tokens) if token.type == "list_item_close" and token.level == 1), 0)
    return [*tokens[:1], *tokens[end + 1 :]]
