"""Reads LaTeX token by token."""

import re
from collections.abc import Mapping

_TOKEN = re.compile(r"\\(?:(?:operatorname|hspace|vspace|tag)\*|[A-Za-z]+|.)|\s+|.", re.DOTALL)

FENCES: Mapping[str, str] = {
    "pmatrix": "()",
    "bmatrix": "[]",
    "Bmatrix": "{}",
    "vmatrix": "||",
    "Vmatrix": "‖‖",
    "cases": "{.",
    "dcases": "{.",
    "rcases": ".}",
}
"""The delimiters to the left and right of an environment; a dot stands for none."""


class LatexReader:
    def __init__(self, latex: str) -> None:
        self.latex = latex
        self._tokens = [(found[0], found.start()) for found in _TOKEN.finditer(latex) if not found[0].isspace()]
        self._at = 0

    @property
    def token(self) -> str:
        """The next one; empty at the end."""
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    @property
    def position(self) -> int:
        """Where it begins."""
        return self._tokens[self._at][1] if self._at < len(self._tokens) else len(self.latex)

    @property
    def last_end(self) -> int:
        """Where what was taken last ends."""
        token, start = self._tokens[self._at - 1]
        return start + len(token)

    def next_token(self) -> str:
        token = self.token
        self._at += bool(token)
        return token

    def skip_argument(self) -> tuple[int, int]:
        """Where the next argument stands, without its braces."""
        start = self.position
        if self.token != "{":
            return start, start + len(self.next_token())
        self.take_group()
        closed = self.latex[start + 1 : self.last_end].endswith("}")
        return start + 1, self.last_end - closed

    def take_group(self) -> None:
        depth = 0
        while token := self.next_token():
            depth += {"{": 1, "}": -1}.get(token, 0)
            if depth <= 0:
                break
