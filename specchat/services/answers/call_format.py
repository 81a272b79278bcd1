"""How a model writes calls of tools: texts around names and arguments, as its chat template has them."""

from collections.abc import Iterator
from dataclasses import dataclass

ANY_ID = "\0"
"""In the texts of a format, where an id or a number stands that means nothing."""
THE_KEY = "\1"
"""Where the name of the argument stands again."""


@dataclass(frozen=True, slots=True)
class ParameterFormat:
    """Of calls whose arguments are written one by one. A string stands as it is, everything else as JSON."""

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
        """Without blanks around them."""
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
