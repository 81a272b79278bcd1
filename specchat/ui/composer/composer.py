"""The composer: the text field for a message, with attachments, context meter and buttons."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QVBoxLayout, QWidget

from specchat.domain.conversations import Attached, Attachment
from specchat.domain.pictures import Picture
from specchat.domain.recordings import Recording
from specchat.services.chat.attachment_limits import AttachmentLimit, add_attachment
from specchat.ui.composer.answer_edit_buttons import AnswerEditButtons
from specchat.ui.composer.attachment_chips import AttachmentChips
from specchat.ui.composer.attachment_loader import AttachmentLoader
from specchat.ui.composer.composer_card import CORNER, ComposerCard
from specchat.ui.composer.composer_toolbar import ComposerToolbar, ToolbarState
from specchat.ui.composer.context_usage import ContextUsage
from specchat.ui.composer.editing_banner import EditingBanner, EditMode
from specchat.ui.composer.file_drop_filter import FileDropFilter
from specchat.ui.composer.message_editor import MessageEditor
from specchat.ui.composer.prefill_line import PrefillLine
from specchat.ui.composer.reading_line import ReadingLine
from specchat.ui.pictures.thumbnails import Thumbnails
from specchat.ui.pictures.viewer import PictureViewer
from specchat.ui.prompts.prompt_completer import PromptCompleter
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.theme import GRID

_PAUSE_MS = 300


@dataclass(frozen=True, slots=True)
class _Aside:
    """What was being written before an earlier message is edited."""

    text: str
    attachments: tuple[Attached, ...]


class Composer(ComposerCard):
    """A sent message stays in the field until `clear` is called, because it is safe only once it is stored."""

    sent = Signal(str, tuple)
    """The text and its attachments. The text of an edited answer is to be continued."""
    saved = Signal(str)
    """The text of an edited answer."""
    send_blocked = Signal()
    """The message can't be sent now, so it stays in the field."""
    stop_requested = Signal()
    text_changed = Signal()
    unsent_text_changed = Signal(str)
    """Emitted after a pause in typing, like `token_count_requested`."""
    token_count_requested = Signal(str)
    attachments_changed = Signal(tuple)
    edit_last_requested = Signal()
    document_requested = Signal(Attachment)
    files_dropped_beside = Signal(list)
    """Files were dropped on another widget, where they may not be meant for a message."""

    def __init__(self, parent: QWidget | None = None, thumbnails: Thumbnails | None = None) -> None:
        """`thumbnails`: those of the transcript, which shows a picture once it is sent."""
        super().__init__(parent)
        self._thumbnails = thumbnails or Thumbnails(self)
        self._ready = self._soon_ready = False
        self._placeholder = ""
        """Of a message."""
        self._is_too_long = False
        self._answering = False
        self._aside: _Aside | None = None
        self._mode = EditMode.QUESTION
        self._no_prefill = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._editing_line = EditingBanner(self)
        self._chips = AttachmentChips(self, self._thumbnails)
        self._reading = ReadingLine(self)
        self._editor = MessageEditor(self)
        self._prefill = PrefillLine(self)
        self.attaching = AttachmentLoader(self)
        self.toolbar = ComposerToolbar(self.attaching, self)
        self._meter = self.toolbar.meter
        self._edit_buttons = AnswerEditButtons(self)
        self.prompts = PromptCompleter(self._editor, self)
        self._drop, self._drop_beside = FileDropFilter(self), FileDropFilter(self)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocusProxy(self._editor)  # last: setFocusPolicy would now set the editor's, and Tab would skip it
        self._arrange()
        self._connect()
        self._update_buttons()

    @property
    def text(self) -> str:
        return self._editor.toPlainText()

    @property
    def attachments(self) -> tuple[Attached, ...]:
        return self._chips.attachments

    @property
    def prefill(self) -> str:
        """The first words of the answer to the message."""
        return self._prefill.text

    @property
    def is_editing(self) -> bool:
        return self._aside is not None

    @property
    def unsent_text(self) -> str:
        """During an edit the one that was set aside."""
        return self._aside.text if self._aside is not None else self.text

    @property
    def _holds_answer(self) -> bool:
        """Whether the field contains an answer, or its beginning, rather than a question."""
        return self.is_editing and self._mode is not EditMode.QUESTION

    @property
    def _edits_answer(self) -> bool:
        return self.is_editing and self._mode is EditMode.ANSWER

    def set_text(self, text: str) -> None:
        """Replaces the text. Call `flush` before, so that the old one is stored."""
        self._stop_editing()
        self._prefill.close_line()
        self._write(text)

    def set_attachments(self, attachments: Sequence[Attached]) -> None:
        self._chips.set_attachments(attachments)

    def clear(self) -> None:
        """Removes the sent message, and brings back a text that was set aside for an edit."""
        aside = self._aside or _Aside("", ())
        self._prefill.close_line()
        self._stop_editing()
        self._write(aside.text)
        self._chips.set_attachments(aside.attachments)

    def flush(self) -> None:
        """Reports typed text without waiting for a pause."""
        if self._pause.isActive():
            self._report_text()

    def focus(self) -> None:
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def forward_key(self, event: QKeyEvent) -> None:
        """Types the key here, and moves the focus, so that the next ones arrive here, too."""
        self.focus()
        self._editor.keyPressEvent(event)  # an event that is sent might be forwarded again

    def begin_edit(self, text: str, attachments: Sequence[Attached] = (), mode: EditMode = EditMode.QUESTION) -> None:
        self.flush()
        self._aside = self._aside or _Aside(self.text, self.attachments)
        self._mode = mode
        if self._holds_answer:
            self._prefill.close_line()
        self._editing_line.show_mode(mode)
        self._show_placeholder()
        self._write(text)
        self._chips.set_attachments(attachments)
        self.focus()

    def cancel_edit(self) -> None:
        if self.is_editing:
            self.clear()
            self.focus()

    def set_ready(self, ready: bool, placeholder: str, *, soon: bool = False) -> None:
        self._ready, self._soon_ready, self._placeholder = ready, soon, placeholder
        self._show_placeholder()
        self._update_buttons()

    def open_prefill(self, text: str = "") -> None:
        """Asks for the first words of the answer."""
        if not self._no_prefill and not self._holds_answer:
            self._prefill.open(text or self._prefill.text)

    def set_no_prefill(self, reason: str) -> None:
        """`reason`: why the target can't continue from given words. Empty: it can."""
        self._no_prefill = reason
        self.toolbar.set_no_prefill(reason)
        self._update_buttons()

    def submit(self) -> None:
        """Does what Enter does."""
        if self._edits_answer:
            self.save()
        else:
            self.send()

    def save(self) -> None:
        """Saves an edited answer."""
        if not self._is_empty:
            self.saved.emit(self.text.rstrip(" "))

    def send(self) -> None:
        if self._is_empty or self.attaching.is_reading:
            return
        if not self._ready or self._answering:
            self.send_blocked.emit()
            return
        text = self.text.rstrip(" ") if self._holds_answer else self.text.rstrip()
        self.sent.emit(text, self.attachments)
        if not self.text:
            self.unsent_text_changed.emit("")

    def set_answering(self, answering: bool) -> None:
        self._answering = answering
        self._update_buttons()

    def set_context_usage(self, use: ContextUsage | None) -> None:
        self._meter.set_usage(use)
        self._is_too_long = use is not None and use.limit is not None
        self._update_buttons()

    def set_attachment_tokens(
        self, index: int, tokens: int, *, searched: bool = False, is_estimate: bool = False
    ) -> None:
        """`searched`: the model reads only passages of the attachment."""
        self._chips.set_tokens(index, tokens, searched=searched, is_estimate=is_estimate)

    def read_pictures_with(self, tasks: TaskQueue) -> None:
        """Reads pictures in the background."""
        self.attaching.tasks = self._thumbnails.tasks = tasks

    def accept_drops_on(self, widget: QWidget) -> None:
        self._drop_beside.install_on(widget)

    def _arrange(self) -> None:
        upper = QVBoxLayout()
        upper.setContentsMargins(GRID, 0, GRID, 0)
        upper.setSpacing(GRID)
        for widget in (self._editing_line, self._chips, self._reading, self._editor, self._prefill):
            upper.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, CORNER, GRID, GRID)
        layout.setSpacing(GRID)
        layout.addLayout(upper)
        layout.addWidget(self.toolbar)
        layout.addWidget(self._edit_buttons, 0, Qt.AlignmentFlag.AlignRight)

    def _connect(self) -> None:
        self._pause.timeout.connect(self._report_text)
        self._editor.textChanged.connect(self._text_changed)
        self._editor.submitted.connect(self.submit)
        self._prefill.submitted.connect(self.submit)
        self._prefill.closed.connect(self._close_prefill)
        self.toolbar.prefill_toggled.connect(self._toggle_prefill)
        self._edit_buttons.saved.connect(self.save)
        self._edit_buttons.continued.connect(self.send)
        self._editor.previous_message_requested.connect(self._edit_last)
        self._editor.files_pasted.connect(self.attaching.load_files)
        self._editor.image_pasted.connect(self.attaching.load_image)
        for editor in (self._editor, self._prefill.editor):
            editor.installEventFilter(self)
        self._editing_line.cancelled.connect(self.cancel_edit)
        self._chips.changed.connect(self._attachments_changed)
        self._chips.emptied.connect(self.focus)
        self._chips.opened.connect(self._open)
        self._reading.cancelled.connect(self.attaching.stop_reading)
        self.attaching.reading_changed.connect(self._show_reading)
        self.attaching.attached.connect(self._add_attachment)
        self.toolbar.send_requested.connect(self.send)
        self.toolbar.stop_requested.connect(self.stop_requested)
        self._drop.install_on(self)
        self._drop.install_on(self._editor.viewport())
        for drop, dropped in ((self._drop, self.attaching.load_files), (self._drop_beside, self.files_dropped_beside)):
            drop.hovered.connect(self.set_files_above)
            drop.dropped.connect(dropped)
            drop.image_dropped.connect(self.attaching.load_image)

    def _write(self, text: str) -> None:
        self._editor.setPlainText(text)
        self._editor.moveCursor(QTextCursor.MoveOperation.End)
        self._pause.stop()
        self.token_count_requested.emit(text)

    def _stop_editing(self) -> None:
        self._aside = None
        self._editing_line.hide()
        self._show_placeholder()
        self._update_buttons()

    def _show_placeholder(self) -> None:
        words = self._placeholder
        if self._holds_answer and self._ready:
            words = self.tr("Answer") if self._edits_answer else self.tr("Start of the answer")
        self._editor.setPlaceholderText(words)
        self._editor.viewport().update()  # Qt keeps showing the old one

    def _toggle_prefill(self) -> None:
        if self._prefill.isHidden():
            self.open_prefill()
        else:
            self._close_prefill()

    def _close_prefill(self) -> None:
        self._prefill.close_line()
        self.focus()

    def _report_text(self) -> None:
        self._pause.stop()
        if not self.is_editing:
            self.unsent_text_changed.emit(self.text)
        self.token_count_requested.emit(self.text)

    def _text_changed(self) -> None:
        self._pause.start()
        self._is_too_long = False  # until it is counted again
        self._update_buttons()
        self.text_changed.emit()

    def _add_attachment(self, added: Attached) -> None:
        if added in self.attachments or self._holds_answer:
            return
        outcome = add_attachment(self.attachments, added)
        if isinstance(outcome, AttachmentLimit):
            self.attaching.reject(added.name, outcome)
        else:
            self._chips.set_attachments(outcome)

    def _open(self, attachment: Attached) -> None:
        if isinstance(attachment, Picture):
            pictures = [each for each in self.attachments if isinstance(each, Picture)]
            PictureViewer(pictures, pictures.index(attachment), self.window(), self.attaching.tasks).open()
        elif isinstance(attachment, Recording):
            from specchat.ui.recordings.player import play_recording

            play_recording(attachment, self)
        else:
            self.document_requested.emit(attachment)

    def _show_reading(self, names: tuple[str, ...]) -> None:
        self._reading.show_documents(names)
        self._update_buttons()

    def _attachments_changed(self) -> None:
        stops = (self._editor, *self._chips.tab_stops, *self._prefill.tab_stops, self.toolbar.attach)
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)
        self._is_too_long = False
        self._update_buttons()
        self.attachments_changed.emit(self.attachments)

    @property
    def _is_empty(self) -> bool:
        return self._editor.is_blank and not self.attachments

    @property
    def _can_send(self) -> bool:
        is_ready = self._ready or self._soon_ready
        is_complete = not (self._is_empty or self.attaching.is_reading)
        return is_ready and is_complete and not self._answering and not self._is_too_long

    def _update_buttons(self) -> None:
        state = ToolbarState(self._can_send, self._answering, self._holds_answer, self._edits_answer)
        if self.toolbar.loses_focus(state):
            self.focus()
        self.toolbar.show_state(state)
        self._edit_buttons.setVisible(self._edits_answer)
        self._edit_buttons.set_possible(save=not self._is_empty, go_on=self._can_send and not self._no_prefill)

    def _edit_last(self) -> None:
        if not self.is_editing and not self.attachments:
            self.edit_last_requested.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.flush()
            self.set_focused(event.type() is QEvent.Type.FocusIn)
        return False

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride and self.is_editing:
            event.setAccepted(event.key() == Qt.Key.Key_Escape)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.is_editing:
            self.cancel_edit()
        else:
            super().keyPressEvent(event)
