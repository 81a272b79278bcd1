"""A model's tool call format: the texts around names and arguments in its chat template."""

from collections.abc import Iterator
from dataclasses import dataclass

ANY_ID = "\0"
"""A placeholder in a format for an id or a number without meaning."""
THE_KEY = "\1"
"""A placeholder for a repeated argument name."""


@dataclass(frozen=True, slots=True)
class ParameterFormat:
    """The format of calls that write arguments one by one: strings as they are, other values as JSON."""

    first: str
    """From the tool's name to the name of the first one."""
    between: str
    """From the end of one to the name of the next one."""
    last: str
    """From the end of the last one to the end of the call."""
    none: str
    """From the tool's name to the end of a call without arguments."""
    before_text: str
    after_text: str
    before_json: str
    after_json: str

    @property
    def texts(self) -> tuple[str, ...]:
        return (
            *(self.first, self.between, self.last, self.none),
            *(self.before_text, self.after_text, self.before_json, self.after_json),
        )


@dataclass(frozen=True, slots=True)
class CallFormat:
    """An object of JSON with name and arguments; or a name, and then the arguments in JSON or one by one."""

    begin: str
    end: str = ""
    name: str = "name"
    """The name's key; empty: it is itself the key of the arguments."""
    arguments: str = "arguments"
    """Their key."""
    id: str = ""
    """The id's key, if calls have one."""
    between: str = ""
    """From the name to the arguments, where they are not in one object."""
    again: str | None = None
    """From the end of a call to where the next one begins; None: an answer has one call."""
    in_list: bool = False
    may_begin_bare: bool = False
    """At the beginning of an answer, a call has no mark."""
    parameters: ParameterFormat | None = None
    others: tuple[str, ...] = ()
    """Other ways to begin, which are understood, too."""

    @property
    def is_object(self) -> bool:
        return not self.between and self.parameters is None

    @property
    def texts(self) -> tuple[str, ...]:
        """All that may hold control tokens."""
        more = () if self.parameters is None else self.parameters.texts
        texts = (self.begin, self.end, self.between, self.again or "", *self.others, *more)
        return tuple(filter(None, texts))

    @property
    def beginnings(self) -> tuple[str, ...]:
        """The beginnings without surrounding blanks."""
        return tuple(filter(None, (text.strip() for text in (self.begin, *self.others))))


def match_loosely(text: str, literal: str, at: int = 0) -> int | None:
    """Where the literal ends in the text, whatever blanks either of them has; -1: it is not there; None: the text
    ends before it does.
    """
    for part in _parts(literal):
        while at < len(text) and text[at].isspace():
            at += 1
        if part == ANY_ID:
            end = at
            while end < len(text) and (text[end].isalnum() or text[end] in "_-."):
                end += 1
            if end == len(text):
                return None
            if end == at:
                return -1
            at = end
        elif at == len(text):
            return None
        elif text[at] != part:
            return -1
        else:
            at += 1
    return at


def _parts(literal: str) -> Iterator[str]:
    return (char for char in literal if not char.isspace())
