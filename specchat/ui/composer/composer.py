"""The composer: the text field for a message, with attachments, context meter and buttons."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from specchat.domain.conversations import Attached, Attachment
from specchat.domain.picture_header import MOST_BYTES, MOST_PICTURES
from specchat.domain.pictures import Picture
from specchat.domain.recording_header import MOST_RECORDINGS
from specchat.domain.recordings import Recording
from specchat.services.chat.titles import make_unique_name
from specchat.ui.composer.answer_edit_buttons import AnswerEditButtons
from specchat.ui.composer.attachment_chips import AttachmentChips
from specchat.ui.composer.attachment_loader import AttachmentLoader
from specchat.ui.composer.context_meter import ContextMeter
from specchat.ui.composer.context_usage import ContextUsage
from specchat.ui.composer.editing_banner import EditingBanner, EditMode
from specchat.ui.composer.file_drop_filter import FileDropFilter
from specchat.ui.composer.message_editor import MessageEditor
from specchat.ui.composer.prefill_line import PrefillLine
from specchat.ui.composer.reading_line import ReadingLine
from specchat.ui.composer.round_button import RoundButton
from specchat.ui.pictures.thumbnails import Thumbnails
from specchat.ui.pictures.viewer import PictureViewer
from specchat.ui.prompts.prompt_completer import PromptCompleter
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.controls import IconButton
from specchat.ui.widgets.theme import GRID, scaled_px
from specchat.ui.widgets.theme_service import current_theme

_PAUSE_MS = 300
_CORNER = 12
_ROOMY = 52 * GRID
"""With less width, the menu of the window has to do for what is rarely needed."""


@dataclass(frozen=True, slots=True)
class _Aside:
    """What was being written before an earlier message is edited."""

    text: str
    attachments: tuple[Attached, ...]


class Composer(QFrame):
    """What was sent stays until `clear`: it is safe only once it is stored."""

    sent = Signal(str, tuple)
    """The text and its attachments. Of an edited answer: it shall be continued."""
    saved = Signal(str)
    """The text of an edited answer."""
    send_blocked = Signal()
    """What should be sent cannot be at present: it stays."""
    stop_requested = Signal()
    text_changed = Signal()
    """At once."""
    unsent_text_changed = Signal(str)
    token_count_requested = Signal(str)
    """Both after a pause in writing."""
    attachments_changed = Signal(tuple)
    edit_last_requested = Signal()
    document_requested = Signal(Attachment)
    """To be shown."""
    files_dropped_beside = Signal(list)
    """On another widget, where they may be meant for something else than a message."""

    def __init__(self, parent: QWidget | None = None, thumbnails: Thumbnails | None = None) -> None:
        """`thumbnails`: those of the transcript, which a picture gets to when it is sent."""
        super().__init__(parent)
        self._thumbnails = thumbnails or Thumbnails(self)
        self.setObjectName("composerCard")
        self._ready = self._soon_ready = False
        self._is_too_long = False
        self._answering = False
        self._files_above = False
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
        self._attach = IconButton("attach", self.tr("Attach files"), self)
        self._attach.setObjectName("attachButton")
        self._start = IconButton("prefill", "", self)
        self._start.setObjectName("prefillButton")
        self._meter = ContextMeter(self)
        self._edit_buttons = AnswerEditButtons(self)
        self._send = RoundButton("send", self.tr("Send"), self)
        self._send.setObjectName("sendButton")
        self._stop = RoundButton("stop", self.tr("Stop"), self)
        self._stop.setObjectName("stopButton")
        self.attaching = AttachmentLoader(self)
        self.prompts = PromptCompleter(self._editor, self)
        self._drop, self._drop_beside = FileDropFilter(self), FileDropFilter(self)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocusProxy(self._editor)  # the policy would be the editor's from here on: no Tab would reach it
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
        """What the answer to the message starts with."""
        return self._prefill.text

    @property
    def is_editing(self) -> bool:
        return self._aside is not None

    @property
    def _holds_answer(self) -> bool:
        """Or its beginning, rather than a question."""
        return self.is_editing and self._mode is not EditMode.QUESTION

    def set_text(self, text: str) -> None:
        """Of another conversation, say: call `flush` before."""
        self._stop_editing()
        self._prefill.close_line()
        self._write(text)

    def set_attachments(self, attachments: Sequence[Attached]) -> None:
        self._chips.set_attachments(attachments)

    def clear(self) -> None:
        """What was sent is safe; a text set aside for an edit comes back."""
        aside = self._aside or _Aside("", ())
        self._prefill.close_line()
        self._stop_editing()
        self._write(aside.text)
        self._chips.set_attachments(aside.attachments)

    def flush(self) -> None:
        """Tells of what was written without waiting for a pause."""
        if self._pause.isActive():
            self._report_text()

    def focus(self) -> None:
        self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def forward_key(self, event: QKeyEvent) -> None:
        """As if it had been typed here, and so does what follows."""
        self.focus()
        self._editor.keyPressEvent(event)  # sent, it might come back to whoever handed it on

    def begin_edit(self, text: str, attachments: Sequence[Attached] = (), mode: EditMode = EditMode.QUESTION) -> None:
        self.flush()
        self._aside = self._aside or _Aside(self.text, self.attachments)
        self._mode = mode
        if self._holds_answer:
            self._prefill.close_line()
        self._editing_line.show_mode(mode)
        self._write(text)
        self._chips.set_attachments(attachments)
        self.focus()

    def cancel_edit(self) -> None:
        if self.is_editing:
            self.clear()
            self.focus()

    def set_ready(self, ready: bool, placeholder: str, *, soon: bool = False) -> None:
        self._ready, self._soon_ready = ready, soon
        self._editor.setPlaceholderText(placeholder)
        self._editor.viewport().update()  # Qt goes on showing the old one
        self._update_buttons()

    def open_prefill(self, text: str = "") -> None:
        """Asks for the first words of the answer."""
        if not self._no_prefill and not self._holds_answer:
            self._prefill.open(text or self._prefill.text)

    def set_no_prefill(self, reason: str) -> None:
        """Why the target can't go on from given words; empty where it can."""
        self._no_prefill = reason
        words = self.tr("Start the answer with…")
        self._start.set_label(f"{words} {reason}" if reason else words)
        self._start.setEnabled(not reason)
        self._update_buttons()

    def submit(self) -> None:
        """As Enter does."""
        if self.is_editing and self._mode is EditMode.ANSWER:
            self.save()
        else:
            self.send()

    def save(self) -> None:
        """Of an edited answer."""
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

    def set_attachment_tokens(self, index: int, tokens: int, *, searched: bool = False) -> None:
        """`searched`: only passages of it are read."""
        self._chips.set_tokens(index, tokens, searched=searched)

    def set_vision(self, sees_pictures: bool) -> None:
        """Whether the model sees pictures."""
        self.attaching.sees_pictures = sees_pictures
        self._attach.set_label(self.attaching.title)

    def set_hearing(self, hears_recordings: bool) -> None:
        """Whether the model hears recordings."""
        self.attaching.hears_recordings = hears_recordings
        self._attach.set_label(self.attaching.title)

    def read_pictures_with(self, tasks: TaskQueue) -> None:
        """In the background."""
        self.attaching.tasks = self._thumbnails.tasks = tasks

    def accept_drops_on(self, widget: QWidget) -> None:
        self._drop_beside.install_on(widget)

    def insert_before_meter(self, widget: QWidget) -> None:
        self._lower.insertWidget(self._lower.indexOf(self._meter), widget)

    def _arrange(self) -> None:
        upper = QVBoxLayout()
        upper.setContentsMargins(GRID, 0, GRID, 0)
        upper.setSpacing(GRID)
        for widget in (self._editing_line, self._chips, self._reading, self._editor, self._prefill):
            upper.addWidget(widget)
        self._lower = lower = QHBoxLayout()
        lower.setSpacing(GRID)
        lower.addWidget(self._attach)
        lower.addWidget(self._start)
        lower.addStretch(1)
        lower.addWidget(self._meter)
        lower.addWidget(self._send)
        lower.addWidget(self._stop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GRID, _CORNER, GRID, GRID)
        layout.setSpacing(GRID)
        layout.addLayout(upper)
        layout.addLayout(lower)
        layout.addWidget(self._edit_buttons, 0, Qt.AlignmentFlag.AlignRight)

    def _connect(self) -> None:
        self._pause.timeout.connect(self._report_text)
        self._editor.textChanged.connect(self._text_changed)
        self._editor.submitted.connect(self.submit)
        self._prefill.submitted.connect(self.submit)
        self._prefill.closed.connect(self._close_prefill)
        self._start.clicked.connect(self._toggle_prefill)
        self._edit_buttons.saved.connect(self.save)
        self._edit_buttons.continued.connect(self.send)
        self.set_no_prefill("")
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
        self._attach.clicked.connect(self._choose_attachments)
        self.attaching.attached.connect(self._add_attachment)
        self._send.clicked.connect(self.send)
        self._stop.clicked.connect(self.stop_requested)
        self._drop.install_on(self)
        self._drop.install_on(self._editor.viewport())
        for drop, dropped in ((self._drop, self.attaching.load_files), (self._drop_beside, self.files_dropped_beside)):
            drop.hovered.connect(self._hover_files)
            drop.dropped.connect(dropped)
            drop.image_dropped.connect(self.attaching.load_image)

    def _choose_attachments(self) -> None:
        if not self.attaching.reads_documents:
            self.attaching.choose_files()
            return
        menu = QMenu(self)
        menu.setObjectName("attachMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        words = self.tr("Pictures or files…") if self.attaching.sees_pictures else self.tr("Files…")
        if self.attaching.hears_recordings:
            both = self.tr("Pictures, recordings or files…")
            words = both if self.attaching.sees_pictures else self.tr("Recordings or files…")
        menu.addAction(words, self.attaching.choose_files)
        menu.addAction(self.tr("Folder with code…"), self.attaching.choose_folder)
        menu.popup(self._attach.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def _write(self, text: str) -> None:
        self._editor.setPlainText(text)
        self._editor.moveCursor(QTextCursor.MoveOperation.End)
        self._pause.stop()
        self.token_count_requested.emit(text)

    def _stop_editing(self) -> None:
        self._aside = None
        self._editing_line.hide()
        self._update_buttons()

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
        """Pictures and recordings come first, as the model gets them. Files are searched and cited by their names."""
        if added in self.attachments or self._holds_answer:
            return
        if isinstance(added, Attachment):
            added = replace(added, name=make_unique_name(added.name, [each.name for each in self.attachments]))
        pictures = [each for each in (*self.attachments, added) if isinstance(each, Picture)]
        recordings = [each for each in (*self.attachments, added) if isinstance(each, Recording)]
        files = [each for each in (*self.attachments, added) if isinstance(each, Attachment)]
        if len(pictures) > MOST_PICTURES:
            words = self.tr("A message can have at most {n} pictures.")
            self.attaching.rejected.emit(added.name, words.format(n=MOST_PICTURES))
        elif len(recordings) > MOST_RECORDINGS:
            words = self.tr("A message can have at most {n} recordings.")
            self.attaching.rejected.emit(added.name, words.format(n=MOST_RECORDINGS))
        elif sum(len(each.content) for each in (*pictures, *recordings)) > MOST_BYTES:
            words = self.tr("Pictures and recordings of a message can have at most {n} MB together.")
            self.attaching.rejected.emit(added.name, words.format(n=MOST_BYTES >> 20))
        else:
            self._chips.set_attachments((*pictures, *recordings, *files))

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
        stops = (self._editor, *self._chips.tab_stops, *self._prefill.tab_stops, self._attach)
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
        if (self._send.hasFocus() and not self._can_send) or (self._stop.hasFocus() and not self._answering):
            self.focus()
        edits_answer = self.is_editing and self._mode is EditMode.ANSWER
        self._send.setVisible(not self._answering and not edits_answer)
        self._stop.setVisible(self._answering)
        self._send.setEnabled(self._can_send)
        self._edit_buttons.setVisible(edits_answer)
        self._edit_buttons.set_possible(save=not self._is_empty, go_on=self._can_send and not self._no_prefill)
        self._attach.setVisible(not self._holds_answer)
        is_roomy = self.width() >= scaled_px(_ROOMY)
        self._start.setVisible(not self._holds_answer and is_roomy)
        self._meter.set_brief(not is_roomy)

    def _edit_last(self) -> None:
        if not self.is_editing and not self.attachments:
            self.edit_last_requested.emit()

    def _hover_files(self, above: bool) -> None:
        self._files_above = above
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_buttons()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.flush()
            self.update()
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

    def paintEvent(self, event: QPaintEvent) -> None:
        marked = self._files_above or self._editor.hasFocus() or self._prefill.editor.hasFocus()
        width = 2 if self._files_above else 1
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(current_theme().accent if marked else current_theme().line, width))
        painter.setBrush(current_theme().surface)
        edge = width / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), _CORNER, _CORNER)
