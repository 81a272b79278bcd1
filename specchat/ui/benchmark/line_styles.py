"""Assigns each series a line style that is the same in all charts."""

from specchat.ui.benchmark.chart_canvas import LineStyle
from specchat.ui.benchmark.method_labels import MethodLabels, Series
from specchat.ui.widgets.theme import Theme

_DASHES = ((4.0, 3.0), (1.0, 2.0), (6.0, 2.0, 1.0, 2.0))


def series_styles(names: MethodLabels, theme: Theme) -> dict[Series, LineStyle]:
    """Drafts and earlier text have the colours that they have in the overlay."""
    of_drafts = (theme.accepted, theme.accent, theme.text, theme.danger)
    of_others = (theme.ngram, theme.rejected)
    found: dict[Series, LineStyle] = {}
    n_drafts = n_others = 0
    for place, series in enumerate(names.series):
        if series.draft is not None:
            colour = of_drafts[n_drafts % len(of_drafts)]
            n_drafts += 1
        else:
            colour = of_others[n_others % len(of_others)]
            n_others += 1
        found[series] = LineStyle(colour, place)
    return found


def plain_style(theme: Theme, place: int = 0) -> LineStyle:
    """Of the first model that is compared, and of others."""
    return LineStyle(theme.text_muted, dashes=_DASHES[place % len(_DASHES)])
