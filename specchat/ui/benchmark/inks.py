"""Which colour and mark each line has, on all charts the same."""

from specchat.ui.benchmark.canvas import Ink
from specchat.ui.benchmark.names import Names, Series
from specchat.ui.widgets.theme import Theme

_DASHES = ((4.0, 3.0), (1.0, 2.0), (6.0, 2.0, 1.0, 2.0))


def inks(names: Names, theme: Theme) -> dict[Series, Ink]:
    """Drafts and earlier text have the colours that they have in the overlay."""
    of_drafts = (theme.accepted, theme.accent, theme.text, theme.danger)
    of_others = (theme.ngram, theme.rejected)
    found: dict[Series, Ink] = {}
    n_drafts = n_others = 0
    for place, series in enumerate(names.series):
        if series.draft is not None:
            colour = of_drafts[n_drafts % len(of_drafts)]
            n_drafts += 1
        else:
            colour = of_others[n_others % len(of_others)]
            n_others += 1
        found[series] = Ink(colour, place)
    return found


def plain_ink(theme: Theme, place: int = 0) -> Ink:
    """Of the first model that is compared, and of others."""
    return Ink(theme.text_muted, dashes=_DASHES[place % len(_DASHES)])
