"""Executes the commands chosen for a message."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QTimer
from PySide6.QtGui import QGuiApplication

from specchat.services.answers.reasoning import find_sections, strip_reasoning
from specchat.ui.pictures.viewer import PictureViewer, copy_picture
from specchat.ui.recordings.recording_text import recording_label
from specchat.ui.transcript.action_widgets import (
    ActionKind,
    Command,
    CopyCode,
    CopyLink,
    CopyPicture,
    CopySelection,
    MenuTarget,
    MessageMenu,
    OpenLink,
    OpenPicture,
    OpenRecording,
    SwitchVersion,
    ToggleReasoning,
)
from specchat.ui.transcript.message_row import MessageRow
from specchat.ui.transcript.row_contents import (
    CodeBlockRef,
    code_block_text,
    code_block_texts,
    link_at,
    picture_at,
    row_links,
)
from specchat.ui.transcript.selection import selected_text
from specchat.ui.widgets.copy_button import CONFIRM_MS

if TYPE_CHECKING:
    from specchat.ui.transcript.interactive_canvas import InteractiveCanvas


class MessageActions(QObject):
    def __init__(self, view: "InteractiveCanvas") -> None:
        super().__init__(view)
        self._view = view
        self._menu: MessageMenu | None = None
        self.copied: tuple[int, CodeBlockRef | None] | None = None
        """The message, or the code block in it, that was just copied."""
        self._confirming = QTimer(self)
        self._confirming.setSingleShot(True)
        self._confirming.setInterval(CONFIRM_MS)
        self._confirming.timeout.connect(self._forget_copied)

    def execute(self, entry_id: int, command: Command) -> None:
        view = self._view
        match command:
            case ActionKind.COPY:
                self.copy_message(entry_id)
            case ActionKind.EDIT:
                view.edit_requested.emit(entry_id)
            case ActionKind.REGENERATE:
                view.regenerate_requested.emit(entry_id)
            case ActionKind.PREFILL:
                view.prefill_requested.emit(entry_id)
            case ActionKind.CONTINUE:
                view.continue_requested.emit(entry_id)
            case ActionKind.BRANCH:
                view.branch_requested.emit(entry_id)
            case ActionKind.DELETE:
                view.delete_requested.emit(entry_id)
            case SwitchVersion(by):
                view.version_requested.emit(entry_id, by)
            case OpenLink(address):
                view.link_requested.emit(address)
            case CopyLink(address):
                copy_to_clipboard(address)
            case CopySelection():
                self.copy_selection()
            case CopyCode(number):
                if row := view.row_of(entry_id):
                    copy_to_clipboard(code_block_texts(row)[number])
            case OpenPicture(number):
                if row := view.row_of(entry_id):
                    self.open_picture(row, number)
            case CopyPicture(number):
                if row := view.row_of(entry_id):
                    copy_picture(row.entry.pictures[number], view.thumbnails.tasks)
            case OpenRecording(number):
                if row := view.row_of(entry_id):
                    self.open_recording(row, number)
            case ToggleReasoning():
                if row := view.row_of(entry_id):
                    self.toggle_reasoning(row)

    def open_picture(self, row: MessageRow, number: int) -> None:
        view = self._view
        PictureViewer(row.entry.pictures, number, view.window(), view.thumbnails.tasks).open()

    def open_recording(self, row: MessageRow, number: int) -> None:
        from specchat.ui.recordings.player import play_recording

        play_recording(row.entry.recordings[number], self._view)

    def copy_message(self, entry_id: int) -> None:
        """Copies a message as it was written, without the reasoning."""
        if row := self._view.row_of(entry_id):
            if not row.text and row.entry.pictures:
                copy_picture(row.entry.pictures[0], self._view.thumbnails.tasks)
            else:
                copy_to_clipboard(source_text(row))
            self._confirm(entry_id, None)

    def copy_code(self, row: MessageRow, spot: CodeBlockRef) -> None:
        copy_to_clipboard(code_block_text(row, spot))
        self._confirm(row.entry.id, spot)

    def copy_selection(self) -> None:
        if text := self.selected_text():
            copy_to_clipboard(text)

    def copy_to_primary_selection(self) -> None:
        """Gives the selection to the middle mouse button, where the system has that."""
        clipboard = QGuiApplication.clipboard()
        if clipboard.supportsSelection() and (text := self.selected_text()):
            clipboard.setText(text, clipboard.Mode.Selection)

    def selected_text(self) -> str:
        selection, layout = self._view.selection, self._view.message_layout
        if selection is None:
            return ""
        parts = ((layout.row_to_read(n), selection.in_message(n)) for n in selection.messages)
        return "\n\n".join(filter(None, (selected_text(row, part) for row, part in parts if part)))

    def toggle_reasoning(self, row: MessageRow) -> None:
        """Folds or unfolds all sections alike."""
        numbers = [number for number, section in enumerate(find_sections(row.text)) if section.reasoning]
        unfold = not row.unfolded.issuperset(numbers)
        for number in numbers:
            if (number in row.unfolded) != unfold:
                self._view.toggle_fold(row, number)

    def open_menu(self, row: MessageRow, position: QPoint, target: MenuTarget) -> None:
        """Opens the menu at a position within the viewport."""
        if self._menu is not None:
            return
        self._menu = MessageMenu(row.entry, target, self._view)
        self._menu.command_triggered.connect(self.execute)
        self._menu.destroyed.connect(self._forget_menu)
        self._menu.popup(self._view.viewport().mapToGlobal(position))

    def menu_target(self, row: MessageRow, position: QPoint | None) -> MenuTarget:
        hit = self._view.row_hit_at(position) if position is not None else None
        selection, index = self._view.selection, self._view.message_layout.index_of(row.entry.id)
        return MenuTarget(
            selection=selection is not None and index is not None and selection.in_message(index) is not None,
            link=link_at(hit.item_hit) if hit and hit.item_hit else "",
            links=row_links(row),
            code_blocks=len(code_block_texts(row)),
            picture=picture_at(hit.row, hit.point) if hit and hit.row is row else None,
            pictures=tuple(picture.name for picture in row.entry.pictures),
            recordings=tuple(map(recording_label, row.entry.recordings)),
            is_last=self._view.is_last(row.entry.id),
            unavailable=self._view.unavailable_actions,
            reasoning=bool(row.entry.title)
            or (not row.is_from_user and any(section.reasoning for section in find_sections(row.text))),
        )

    def _forget_menu(self) -> None:
        self._menu = None

    def _confirm(self, entry_id: int, spot: CodeBlockRef | None) -> None:
        self.copied = (entry_id, spot)
        self._confirming.start()
        self._view.update_copied_marks()

    def _forget_copied(self) -> None:
        self.copied = None
        self._view.update_copied_marks()


def source_text(row: MessageRow) -> str:
    return row.text if row.is_from_user else strip_reasoning(row.text)


def copy_to_clipboard(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
