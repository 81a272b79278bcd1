"""Reads the file that somebody attaches outside the window: a document, or text."""

from pathlib import Path

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Attachment
from specchat.domain.errors import SettingError, UserError
from specchat.domain.translatable_text import TranslatableText
from specchat.services.chat.binary_file_kinds import BinaryFileKind
from specchat.services.chat.document_files import detect_document
from specchat.services.chat.document_reading import read_document
from specchat.services.chat.text_files import MAX_TEXT_BYTES, FileRefusal, read_text_file

_REFUSALS = {
    FileRefusal.FOLDER: (TranslatableText("{name} is a folder."), TranslatableText("Attach the files inside it.")),
    FileRefusal.TOO_LARGE: (
        TranslatableText("{name} is larger than {n} MB."),
        TranslatableText("Attach a part of it."),
    ),
    FileRefusal.NOT_TEXT: (
        TranslatableText("{name} is not UTF-8 or UTF-16 text."),
        TranslatableText("Save it as UTF-8."),
    ),
    FileRefusal.EMPTY: (TranslatableText("{name} is empty."), TranslatableText("Attach another file.")),
    FileRefusal.MISSING: (TranslatableText("File not found: {path}."), TranslatableText("Check the path.")),
    FileRefusal.FORBIDDEN: (
        TranslatableText("No permission to read {path}."),
        TranslatableText("Change its permissions, or choose another file."),
    ),
    FileRefusal.UNREADABLE: (TranslatableText("Can't read {name}."), TranslatableText("Check the path.")),
}


class BinaryFileError(SettingError):
    """The file is neither a document nor text."""

    def __init__(self, name: str, kind: BinaryFileKind) -> None:
        super().__init__("{name} is {kind}.", kind.hint, name=name, kind=kind.name)
        self.kind = kind


def read_attached_file(path: Path, name: str, cancel: CancelToken) -> Attachment:
    """`name`: what errors call the file."""
    if (kind := detect_document(path)) is not None:
        try:
            return read_document(path, kind, cancel)
        except UserError as error:
            raise SettingError("Can't attach {name}: {reason}", error.hint, name=name, reason=error.message) from error
    found = read_text_file(path)
    if isinstance(found, FileRefusal):
        message, hint = _REFUSALS[found]
        raise SettingError(message, hint, name=name, path=name, n=MAX_TEXT_BYTES >> 20)
    if isinstance(found, BinaryFileKind):
        raise BinaryFileError(name=name, kind=found)
    return found
