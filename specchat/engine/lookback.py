"""Options for how far back a draft reads before it guesses.

Reading a long text takes time that a short answer never repays, and the last tokens tell most of what comes next: so a
draft may begin with these, and read all once the answer proves long.
"""

from dataclasses import dataclass

_FEWEST, _STEP = 64, 4
_LEAST_HIDDEN = 4
"""Times what is seen: for less, it does not pay to read once more later."""
_WORTH_OF_TEXT = 0.3
"""The odds of a guess grow with this power of what is seen of the text: measured with small drafts."""


@dataclass(frozen=True, slots=True)
class Lookback:
    visible: int
    """Tokens at the end of the text."""
    unread: int
    """Of these."""


def lookback_options(length: int, n_hidden: int, n_missed: int) -> list[Lookback]:
    """First the present one; then those that are read sooner, or see more."""
    present = Lookback(length - n_hidden, n_missed)
    sizes, size = [length], _FEWEST
    while size * _LEAST_HIDDEN <= length:
        sizes.append(size)
        size *= _STEP
    return [present, *(Lookback(n, n) for n in sizes if n < present.unread or n > present.visible)]


def lookback_odds(visible: float, than: float) -> float:
    return float((visible / than) ** _WORTH_OF_TEXT)
