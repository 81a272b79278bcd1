"""Options for how far back a draft reads before it guesses.

Reading a long text takes time that a short answer never repays, and the last tokens are the most important ones. So a
draft may start with only these, and read the whole text if the answer turns out to be long.
"""

from dataclasses import dataclass

_FEWEST, _STEP = 64, 4
_LEAST_HIDDEN = 4
"""A draft skips tokens only if the text is at least this many times as long as what it reads."""
_WORTH_OF_TEXT = 0.3
"""The odds of a guess grow with this power of the visible part of the text. We measured this with small drafts."""


@dataclass(frozen=True, slots=True)
class Lookback:
    visible: int
    """The number of tokens at the end of the text that the draft sees."""
    unread: int
    """The number of visible tokens that the draft has not read yet."""


def lookback_options(length: int, n_hidden: int, n_missed: int) -> list[Lookback]:
    """Returns the current option, then options that take less time to read, or see more."""
    present = Lookback(length - n_hidden, n_missed)
    sizes, size = [length], _FEWEST
    while size * _LEAST_HIDDEN <= length:
        sizes.append(size)
        size *= _STEP
    return [present, *(Lookback(n, n) for n in sizes if n < present.unread or n > present.visible)]


def lookback_odds(visible: float, than: float) -> float:
    return float((visible / than) ** _WORTH_OF_TEXT)
