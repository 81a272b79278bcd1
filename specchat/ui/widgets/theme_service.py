"""The theme that is shown: widgets ask for it, and are told when it or the size of the text changes."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from specchat.ui.widgets.theme import LIGHT, Theme


class _ThemeService(QObject):
    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.theme = LIGHT


_service = _ThemeService()


def current_theme() -> Theme:
    return _service.theme


def set_current_theme(theme: Theme) -> None:
    """Also after a change of the text size alone: the fonts that a widget keeps are made again then."""
    _service.theme = theme
    _service.changed.emit()


def follow_theme(apply_theme: Callable[[], None], *, call_now: bool = True) -> None:
    """Calls a method of a widget now and after each change, for as long as the widget lives.

    For what a widget keeps: style sheets, fonts, icons. What it paints it takes from `current_theme` each time.
    """
    _service.changed.connect(apply_theme)
    if call_now:
        apply_theme()
