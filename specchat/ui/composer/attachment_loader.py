"""Reads files, pictures and recordings that are attached to a message."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QWidget

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Attachment
from specchat.domain.errors import UserError
from specchat.domain.hub import is_model_file
from specchat.domain.picture_header import MAX_PICTURE_BYTES, MAX_PIXELS, MOST_BYTES, MOST_PICTURES, PictureRefusal
from specchat.domain.pictures import Picture
from specchat.domain.recording_header import MAX_RECORDING_BYTES, MAX_SECONDS, MOST_RECORDINGS, RecordingRefusal
from specchat.domain.recordings import Recording
from specchat.services.chat.attachment_limits import AttachmentLimit
from specchat.services.chat.binary_file_kinds import PICTURE, SOUND, BinaryFileKind
from specchat.services.chat.document_files import detect_document
from specchat.services.chat.text_files import FileRefusal, read_text_file
from specchat.ui.documents.document_queue import DocumentQueue
from specchat.ui.pictures.decoding import encode_picture, prepare_picture
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.widgets.last_folder import FolderPurpose, chosen_folder, open_in_last_folder
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number

_Outcome = Picture | PictureRefusal | Recording | RecordingRefusal | FileRefusal
_Reason = FileRefusal | PictureRefusal | RecordingRefusal | BinaryFileKind | AttachmentLimit


class AttachmentLoader(QObject):
    """From files, chosen or given, to attachments or the reason why not."""

    started = Signal()
    attached = Signal(object)
    """An Attachment, or a Picture or Recording, which comes later."""
    model_files_chosen = Signal(list)
    """Files that are models by their names."""
    rejected = Signal(str, str)
    """The file's name, and why."""
    reading_changed = Signal(tuple)
    """The names of the documents that are being read: pictures and recordings take but a moment."""
    pictures_refused = Signal()
    """The model can't see them."""
    recordings_refused = Signal()
    """The model can't hear them."""
    title_changed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = parent
        self._documents: DocumentQueue | None = None
        self._cancel = CancelToken()
        self._n_media = 0
        """Pictures and recordings that are being read."""
        self.tasks: TaskQueue | None = None
        """None: these are read at once."""
        self.sees_pictures = False
        self.hears_recordings: bool | None = None
        """None: recordings are files like others that are no text."""

    def enable_documents(self, documents: DocumentQueue) -> None:
        """Without them, only text is attached."""
        self._documents = documents
        documents.read.connect(self.attached)
        documents.rejected.connect(self.rejected)
        documents.changed.connect(self._tell_reading)

    def set_vision(self, sees_pictures: bool) -> None:
        """Whether the model sees pictures."""
        self.sees_pictures = sees_pictures
        self.title_changed.emit(self.title)

    def set_hearing(self, hears_recordings: bool) -> None:
        """Whether the model hears recordings."""
        self.hears_recordings = hears_recordings
        self.title_changed.emit(self.title)

    @property
    def reads_documents(self) -> bool:
        return self._documents is not None

    @property
    def is_reading(self) -> bool:
        return bool(self._n_media or self._names)

    @property
    def _names(self) -> tuple[str, ...]:
        return self._documents.names if self._documents is not None else ()

    def stop_reading(self) -> None:
        if self._documents is not None:
            self._documents.cancel()

    @property
    def title(self) -> str:
        """What can be attached."""
        if self.sees_pictures and self.hears_recordings:
            return self.tr("Attach pictures, recordings or files")
        if self.hears_recordings:
            return self.tr("Attach recordings or files")
        return self.tr("Attach pictures or files") if self.sees_pictures else self.tr("Attach files")

    def choose_files(self) -> None:
        dialog = QFileDialog(self._over, self.title)
        self._open_dialog(dialog, QFileDialog.FileMode.ExistingFiles)

    def choose_folder(self) -> None:
        dialog = QFileDialog(self._over, self.tr("Attach a folder"))
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        self._open_dialog(dialog, QFileDialog.FileMode.Directory)

    def _open_dialog(self, dialog: QFileDialog, mode: QFileDialog.FileMode) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(mode)
        open_in_last_folder(dialog, FolderPurpose.ATTACHMENTS)
        dialog.filesSelected.connect(self._take_folder if mode is dialog.FileMode.Directory else self._take_names)
        dialog.open()

    def load_files(self, files: Sequence[Path]) -> None:
        self.started.emit()
        models = [file for file in files if is_model_file(file.name)]
        if models:
            self.model_files_chosen.emit(models)
        for file in (file for file in files if file not in models):
            if self._documents is not None and (kind := detect_document(file)) is not None:
                self._documents.add(file, kind)
                continue
            outcome = read_text_file(file)
            if isinstance(outcome, Attachment):
                self.attached.emit(outcome)
            elif outcome is PICTURE:
                self._prepare_picture(file.name, partial(_read_picture, file))
            elif outcome is SOUND and self.hears_recordings is not None:
                self._prepare_recording(file)
            else:
                self.reject(file.name, outcome)

    def load_image(self, image: QImage) -> None:
        """Pasted, or dropped without a file."""
        self.started.emit()
        name = self.tr("Pasted picture")
        self._prepare_picture(name, partial(encode_picture, image, f"{name}.png"))

    def reject(self, name: str, reason: _Reason) -> None:
        self.rejected.emit(name, self._reason_text(reason))

    def abandon(self) -> None:
        """What is still being read was for another message."""
        self._cancel.cancel()
        self._cancel = CancelToken()
        self._n_media = 0
        self.stop_reading()
        self._tell_reading()

    def _tell_reading(self) -> None:
        self.reading_changed.emit(self._names)

    def _prepare_picture(self, name: str, work: Callable[[], _Outcome]) -> None:
        if self.sees_pictures:
            self._prepare(name, work)
        else:
            self.pictures_refused.emit()

    def _prepare_recording(self, file: Path) -> None:
        if self.hears_recordings:
            self._prepare(file.name, partial(_read_recording, file))
        else:
            self.recordings_refused.emit()

    def _prepare(self, name: str, work: Callable[[], _Outcome]) -> None:
        self._n_media += 1
        self._tell_reading()
        if self.tasks is None:
            self._finish(name, work())
        else:
            self.tasks.run(work, partial(self._finish, name), partial(self._fail, name), self._cancel)

    def _finish(self, name: str, outcome: _Outcome) -> None:
        if isinstance(outcome, Picture | Recording):
            self.attached.emit(outcome)
        else:
            self.reject(name, outcome)
        self._end_media()

    def _fail(self, name: str, error: UserError) -> None:
        self.rejected.emit(name, translate_text(error.message))
        self._end_media()

    def _end_media(self) -> None:
        self._n_media -= 1
        self._tell_reading()

    def _take_names(self, names: list[str]) -> None:
        self.load_files([Path(name) for name in names])

    def _take_folder(self, names: list[str]) -> None:
        self.load_files([chosen_folder(names)])

    def _reason_text(self, refusal: _Reason) -> str:
        if isinstance(refusal, BinaryFileKind):
            kind, hint = translate_text(refusal.name), translate_text(refusal.hint)
            return self.tr("This is {kind}. {hint}").format(kind=kind, hint=hint)
        return {
            FileRefusal.FOLDER: self.tr("This is a folder. Choose the files inside it."),
            FileRefusal.TOO_LARGE: self.tr("The file is larger than 8 MB."),
            FileRefusal.NOT_TEXT: self.tr("The file is not UTF-8 or UTF-16 text."),
            FileRefusal.EMPTY: self.tr("The file is empty."),
            FileRefusal.MISSING: self.tr("The file was not found."),
            FileRefusal.FORBIDDEN: self.tr("You don't have permission to read the file."),
            FileRefusal.UNREADABLE: self.tr("Couldn't read the file."),
            PictureRefusal.UNKNOWN: self.tr("The picture is damaged, or its format is not supported."),
            PictureRefusal.TOO_LARGE: self.tr("The picture is larger than {n} MB.").format(
                n=format_number(MAX_PICTURE_BYTES >> 20)
            ),
            PictureRefusal.TOO_NARROW: self.tr("The picture is more than 100 times as long as it is wide."),
            PictureRefusal.TOO_MANY_PIXELS: self.tr("The picture has more than {n} million pixels.").format(
                n=format_number(MAX_PIXELS // 1_000_000)
            ),
            RecordingRefusal.UNKNOWN: self.tr("The recording is damaged, or it is neither WAV, MP3 nor FLAC."),
            RecordingRefusal.TOO_LARGE: self.tr("The recording is larger than {n} MB.").format(
                n=format_number(MAX_RECORDING_BYTES >> 20)
            ),
            RecordingRefusal.TOO_LONG: self.tr("The recording is longer than {n} minutes.").format(
                n=format_number(MAX_SECONDS // 60)
            ),
            RecordingRefusal.TOO_SHORT: self.tr("The recording has no sound in it."),
            AttachmentLimit.PICTURES: self.tr("A message can have at most {n} pictures.").format(n=MOST_PICTURES),
            AttachmentLimit.RECORDINGS: self.tr("A message can have at most {n} recordings.").format(n=MOST_RECORDINGS),
            AttachmentLimit.BYTES: self.tr(
                "Pictures and recordings of a message can have at most {n} MB together."
            ).format(n=MOST_BYTES >> 20),
        }[refusal]


def _read_picture(path: Path) -> _Outcome:
    content = _read(path, MAX_PICTURE_BYTES)
    return FileRefusal.UNREADABLE if content is None else prepare_picture(content, path.name)


def _read_recording(path: Path) -> _Outcome:
    content = _read(path, MAX_RECORDING_BYTES)
    if content is None:
        return FileRefusal.UNREADABLE
    recording = Recording(content, path.name)
    return recording.found if isinstance(recording.found, RecordingRefusal) else recording


def _read(path: Path, most: int) -> bytes | None:
    """One byte more where the file is too large."""
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError:
        return None
