"""A floating panel that docks into a slot of another layout when folded."""

from dataclasses import replace

from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QSizePolicy, QWidget

from specchat.ui.overlay.floating_panel import SHADOW, FloatingPanel
from specchat.ui.widgets.theme import GRID


class PanelSlot(QWidget):
    """Keeps the room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wanted, self._least = QSize(), QSize()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.hide()

    def reserve_size(self, wanted: QSize, least: QSize) -> None:
        if (wanted, least) != (self._wanted, self._least):
            self._wanted, self._least = wanted, least
            self.updateGeometry()
        self.show()

    def sizeHint(self) -> QSize:
        return self._wanted

    def minimumSizeHint(self) -> QSize:
        return self._least


class DockablePanel(FloatingPanel):
    def __init__(self, parent: QWidget, over: QWidget | None, dock: PanelSlot | None) -> None:
        super().__init__(parent, over)
        self._dock = dock
        if dock is not None:
            self._watch(dock)

    @property
    def is_folded(self) -> bool:
        return self._state.folded

    @property
    def docks_when_folded(self) -> bool:
        return self._state.docked and self._dock is not None

    @property
    def is_docked(self) -> bool:
        return self._state.folded and self.docks_when_folded

    def _arrange(self) -> None:
        """Takes the size that it has room for."""
        raise NotImplementedError

    def _keep_dock(self, face: QWidget) -> None:
        if self._dock is not None:
            if self.is_docked and not self.isHidden():
                self._dock.reserve_size(face.sizeHint(), face.minimumSizeHint())
            else:
                self._dock.hide()

    @property
    def _room(self) -> int | None:
        """In the dock; None: as much as it likes."""
        return self._dock.width() if self.is_docked and self._dock is not None else None

    def _follow(self) -> None:
        if self.is_docked:
            self._arrange()
        else:
            self._place()

    def _place(self) -> None:
        if self.is_docked and self._dock is not None:
            right = self._dock.mapTo(self._parent, QPoint(self._dock.width(), 0))
            self.move(right + QPoint(SHADOW - self.width(), -SHADOW))
        else:
            super()._place()

    def _move_to(self, at: QPoint) -> None:
        """Beyond the lower edge of what it floats over is the dock."""
        lowest = self._lowest()
        docked = self._state.folded and self._dock is not None and at.y() > lowest + GRID
        if docked != self.is_docked:
            self._state = replace(self._state, docked=docked)
            self._arrange()
            self.rearranged.emit()
        if not docked:
            super()._move_to(at)

    def _step(self, distance: QPoint) -> None:
        if self.is_docked and distance.y() < 0:
            self._move_to(QPoint(self.x(), self._lowest()))
        else:
            super()._step(distance)

    def _lowest(self) -> int:
        return self._area().bottom() + 1 - self.height()
