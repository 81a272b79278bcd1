"""Tells documents from other files by their first bytes and names."""

from enum import StrEnum
from pathlib import Path

from specchat.services.chat.binary_file_kinds import E_BOOK, HEAD_BYTES, OFFICE_DOCUMENT, PDF, detect_binary_kind

_ZIPPED = b"PK\x03\x04"
_OPEN_DOCUMENT = b"mimetypeapplication/vnd.oasis.opendocument"
_BY_NAME = {".html": "html", ".htm": "html", ".csv": "table", ".tsv": "table"}
_ZIPPED_BY_NAME = {".docx": "docx", ".odt": "odt", ".epub": "epub", ".xlsx": "docx", ".pptx": "docx"}
"""Where the first bytes don't tell. The reader of Word's documents refuses others of Office with advice."""


class DocumentKind(StrEnum):
    PDF = "pdf"
    DOCX = "docx"
    ODT = "odt"
    EPUB = "epub"
    HTML = "html"
    TABLE = "table"
    FOLDER = "folder"


def detect_document(path: Path) -> DocumentKind | None:
    """Returns None if the file is not a document or can't be opened."""
    try:
        if path.is_dir():
            return DocumentKind.FOLDER
        if not path.is_file():  # whoever opens a pipe waits for its writer
            return None
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError:
        return None
    found = detect_binary_kind(head)
    if found is PDF:
        return DocumentKind.PDF
    if found is E_BOOK:
        return DocumentKind.EPUB
    if found is OFFICE_DOCUMENT and head.startswith(_ZIPPED):
        return DocumentKind.ODT if head.startswith(_OPEN_DOCUMENT, 30) else DocumentKind.DOCX
    if head.startswith(_ZIPPED):
        zipped = _ZIPPED_BY_NAME.get(path.suffix.lower())
        return DocumentKind(zipped) if zipped else None
    named = _BY_NAME.get(path.suffix.lower())
    return DocumentKind(named) if named and found is None and head.strip() else None


def document_name(path: Path, kind: DocumentKind) -> str:
    return f"{path.resolve().name}/" if kind is DocumentKind.FOLDER else path.name
