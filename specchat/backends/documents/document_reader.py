"""Reads documents in a child process that can be killed, and explains what went wrong."""

import logging
from dataclasses import dataclass
from pathlib import Path

from specchat.backends.child import Child, ChildError, ChildOutOfMemory, ChildTimedOut, child_command
from specchat.backends.crash_errors import was_held_up
from specchat.backends.documents.document_text import Fault
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import UserError
from specchat.domain.translatable_text import TranslatableText

log = logging.getLogger(__name__)

_PART = TranslatableText("Attach a part of it.")
_DAMAGED = (
    TranslatableText("The file is damaged, or isn't what its name says."),
    TranslatableText("Open it in its own program and save it again."),
)
_TOO_LARGE = TranslatableText("The document is too large to read."), _PART
_TOO_SLOW = TranslatableText("Reading the document took too long."), _PART
_FAULTS: dict[str, tuple[TranslatableText, TranslatableText]] = {
    Fault.DAMAGED: _DAMAGED,
    Fault.ENCRYPTED: (
        TranslatableText("The file is protected with a password."),
        TranslatableText("Save a copy without the password and attach that."),
    ),
    Fault.COPY_PROTECTED: (
        TranslatableText("The e-book is copy-protected."),
        TranslatableText("Attach one without copy protection."),
    ),
    Fault.SCANNED: (
        TranslatableText("The PDF has no text: it seems to be scanned."),
        TranslatableText("Run text recognition (OCR) on it first."),
    ),
    Fault.EMPTY: (TranslatableText("No text was found in it."), TranslatableText("Attach another file.")),
    Fault.TOO_LONG: (TranslatableText("It has more than 4 million characters of text."), _PART),
    Fault.TOO_MANY_PAGES: (TranslatableText("It has {n} pages; {most} is the limit."), _PART),
    Fault.TOO_MANY_FILES: (TranslatableText("There are too many files in it."), _PART),
    Fault.EXPANDS: (TranslatableText("What is packed in the file is too large."), _PART),
    Fault.UNSUPPORTED: (
        TranslatableText("This kind of document isn't supported."),
        TranslatableText("Save it as PDF, DOCX or CSV and attach that."),
    ),
    Fault.UNAVAILABLE: (
        TranslatableText("PDFs can't be read: pypdfium2 isn't installed."),
        TranslatableText("Install it with: pip install pypdfium2"),
    ),
}


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    seconds: float = 60.0
    memory: int = 512 << 20


class DocumentReader:
    def __init__(self, limits: ReadingLimits = ReadingLimits()) -> None:
        self._limits = limits

    def read(self, path: Path, kind: str, cancel: CancelToken) -> str:
        """Returns the text, with marked places. Each document has its own process, so that its memory is freed."""
        child = Child(child_command("document"), memory=self._limits.memory)
        try:
            with cancel.listening(child.close):
                reply = child.request({"path": str(path), "kind": kind}, seconds=self._limits.seconds, patience=3.0)
        except ChildError as error:
            cancel.check()
            raise _explain(error) from error
        finally:
            child.close()
        if "unreadable" in reply:
            raise UserError("Couldn't read the file: {reason}.", "Check its permissions.", reason=reply["unreadable"])
        if "fault" in reply:
            message, hint = _FAULTS.get(str(reply["fault"]), _DAMAGED)
            raise UserError(message, hint, **reply["values"])
        return str(reply["text"])


def _explain(error: ChildError) -> UserError:
    if was_held_up(error):
        return UserError("Couldn't read the document: {reason}", "Try again.", reason=error.message)
    if isinstance(error, ChildTimedOut):
        message, hint = _TOO_SLOW
    elif isinstance(error, ChildOutOfMemory):
        message, hint = _TOO_LARGE
    else:
        log.warning("reading a document: %s", error)
        message, hint = _DAMAGED
    return UserError(message, hint)
