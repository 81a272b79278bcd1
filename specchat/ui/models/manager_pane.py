"""A part of the model manager that can be searched and may have something lying on top."""

from PySide6.QtWidgets import QWidget


class ManagerPane(QWidget):
    """A tab, or what stands beside the tabs. A new one joins `ManagerSection` and `ModelManager._panes`."""

    def focus_search(self) -> None:
        """Where there is something to search."""

    def go_back(self) -> bool:
        """Leaves what lies on top. False: nothing does."""
        return False
