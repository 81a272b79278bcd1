"""Does what was chosen for a message."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtGui import QGuiApplication

from specchat.services.answers.reasoning import sections, without_reasoning
from specchat.ui.transcript.actions import MessageMenu, Target
from specchat.ui.transcript.commands import (
    Act,
    Command,
    CopyCode,
    CopyLink,
    CopySelection,
    OpenLink,
    ToggleReasoning,
    Turn,
)
from specchat.ui.transcript.contents import link_at, links, program_at, programs
from specchat.ui.transcript.look import CardSpot
from specchat.ui.transcript.row import Row
from specchat.ui.transcript.selection import selected_text

if TYPE_CHECKING:
    from specchat.ui.transcript.reading import ReadingArea

_CONFIRM_MS = 1500


class Hands(QObject):
    def __init__(self, view: "ReadingArea") -> None:
        super().__init__(view)
        self._view = view
        self._menu: MessageMenu | None = None
        self.copied: tuple[int, CardSpot | None] | None = None
        """The message, or the code block in it, that was just copied."""
        self._confirming = QTimer(self)
        self._confirming.setSingleShot(True)
        self._confirming.setInterval(_CONFIRM_MS)
        self._confirming.timeout.connect(self._forget_copied)

    def do(self, entry_id: int, command: Command) -> None:
        view = self._view
        match command:
            case Act.COPY:
                self.copy_message(entry_id)
            case Act.EDIT:
                view.editRequested.emit(entry_id)
            case Act.REGENERATE:
                view.regenerateRequested.emit(entry_id)
            case Act.CONTINUE:
                view.continueRequested.emit(entry_id)
            case Act.BRANCH:
                view.branchRequested.emit(entry_id)
            case Act.DELETE:
                view.deleteRequested.emit(entry_id)
            case Turn(by):
                view.versionRequested.emit(entry_id, by)
            case OpenLink(address):
                view.linkRequested.emit(address)
            case CopyLink(address):
                put_on_clipboard(address)
            case CopySelection():
                self.copy_selection()
            case CopyCode(number):
                if row := view.row_of(entry_id):
                    put_on_clipboard(programs(row)[number])
            case ToggleReasoning():
                if row := view.row_of(entry_id):
                    self.toggle_reasoning(row)

    def copy_message(self, entry_id: int) -> None:
        """As it was written, without the reasoning."""
        if row := self._view.row_of(entry_id):
            put_on_clipboard(written(row))
            self._confirm(entry_id, None)

    def copy_code(self, row: Row, spot: CardSpot) -> None:
        put_on_clipboard(program_at(row, spot))
        self._confirm(row.entry.id, spot)

    def copy_selection(self) -> None:
        if text := self._selected():
            put_on_clipboard(text)

    def offer_selection(self) -> None:
        """To the middle mouse button, where the system has that."""
        clipboard = QGuiApplication.clipboard()
        if clipboard.supportsSelection() and (text := self._selected()):
            clipboard.setText(text, clipboard.Mode.Selection)

    def _selected(self) -> str:
        selection = self._view.selection
        row = self._view.row_of(selection.entry) if selection else None
        return selected_text(row, selection.range) if selection and row else ""

    def toggle_reasoning(self, row: Row) -> None:
        """All sections alike."""
        numbers = [number for number, section in enumerate(sections(row.text)) if section.reasoning]
        unfold = not row.unfolded.issuperset(numbers)
        for number in numbers:
            if (number in row.unfolded) != unfold:
                self._view.toggle_fold(row, number)

    def open_menu(self, row: Row, position: QPoint, target: Target) -> None:
        """`position` is within the viewport."""
        if self._menu is not None:
            return
        self._menu = MessageMenu(row.entry, target, self._view)
        self._menu.commanded.connect(self.do)
        self._menu.destroyed.connect(self._forget_menu)
        self._menu.popup(self._view.viewport().mapToGlobal(position))

    def target(self, row: Row, position: QPoint | None) -> Target:
        hit = self._view.hit(position) if position is not None else None
        selection = self._view.selection
        return Target(
            selection=selection is not None and selection.entry == row.entry.id and not selection.empty,
            link=link_at(hit.spot) if hit and hit.spot else "",
            links=links(row),
            code_blocks=len(programs(row)),
            is_last=self._view.is_last(row.entry.id),
            reasoning=not row.mine and any(section.reasoning for section in sections(row.text)),
        )

    def _forget_menu(self) -> None:
        self._menu = None

    def _confirm(self, entry_id: int, spot: CardSpot | None) -> None:
        self.copied = (entry_id, spot)
        self._confirming.start()
        self._view.show_copied()

    def _forget_copied(self) -> None:
        self.copied = None
        self._view.show_copied()


def written(row: Row) -> str:
    return row.text if row.mine else without_reasoning(row.text)


def put_on_clipboard(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
