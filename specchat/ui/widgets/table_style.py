"""The style sheet shared by all tables."""

from specchat.ui.widgets.theme import GRID, RADIUS, SMALL_PX, Theme, scaled_px

HEADING_PADDING = 3
"""Beside a heading, more than beside a cell."""


def table_style(theme: Theme, *, padding: int = GRID) -> str:
    """`padding`: beside what is in a cell."""
    return f"""
        QTableView {{
            background: {theme.surface.name()}; color: {theme.text.name()};
            border: 1px solid {theme.line.name()}; border-radius: {RADIUS}px; outline: none;
            selection-background-color: {theme.selected.name()}; selection-color: {theme.text.name()};
        }}
        QHeaderView {{ background: transparent; }}
        QHeaderView::section {{
            background: transparent; color: {theme.text_muted.name()}; border: none;
            padding: 0 {padding + HEADING_PADDING}px; font-size: {scaled_px(SMALL_PX)}px; min-height: {4 * GRID}px;
        }}
        QTableView::item {{ padding: 0 {padding}px; border: none; }}
        QTableView::item:selected {{ background: {theme.selected.name()}; color: {theme.text.name()}; }}
    """
