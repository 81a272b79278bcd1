"""Recognizes files that are not text by their first bytes."""

from dataclasses import dataclass

from specchat.domain.translatable_text import TranslatableText

HEAD_BYTES = 4096
"""So many bytes tell it."""

_SAVE_TEXT = TranslatableText("Save its text as a .txt file and attach that.")
_SAVE_OTHERWISE = TranslatableText("Save it as PDF, DOCX or CSV and attach that.")
_UNPACK = TranslatableText("Unzip it and attach the text files inside.")
_NO_TEXT = TranslatableText("It can't be read as text.")


@dataclass(frozen=True, slots=True)
class BinaryFileKind:
    name: TranslatableText
    """With its article, as in "It is a PDF."."""
    hint: TranslatableText


PDF = BinaryFileKind(TranslatableText("a PDF"), _SAVE_TEXT)
OFFICE_DOCUMENT = BinaryFileKind(TranslatableText("an office document"), _SAVE_OTHERWISE)
E_BOOK = BinaryFileKind(TranslatableText("an e-book"), _SAVE_TEXT)
_ARCHIVE = BinaryFileKind(TranslatableText("an archive"), _UNPACK)
_PACKED = BinaryFileKind(TranslatableText("a compressed file"), _UNPACK)
PICTURE = BinaryFileKind(TranslatableText("an image"), _NO_TEXT)
SOUND = BinaryFileKind(TranslatableText("an audio file"), _NO_TEXT)
_FILM = BinaryFileKind(TranslatableText("a video"), _NO_TEXT)
_PROGRAM = BinaryFileKind(TranslatableText("a program"), _NO_TEXT)
_DATABASE = BinaryFileKind(TranslatableText("a database"), _NO_TEXT)
_FONT = BinaryFileKind(TranslatableText("a font"), _NO_TEXT)
_MODEL = BinaryFileKind(
    TranslatableText("a model"), TranslatableText("Choose it as a model instead. Its name must end in .gguf.")
)
_DATA = BinaryFileKind(TranslatableText("a numeric data file"), _NO_TEXT)

_SIGNS: tuple[tuple[int, bytes, BinaryFileKind], ...] = (
    (0, b"%PDF-", PDF),
    (30, b"[Content_Types].xml", OFFICE_DOCUMENT),
    (30, b"_rels/", OFFICE_DOCUMENT),
    (30, b"mimetypeapplication/vnd.oasis.opendocument", OFFICE_DOCUMENT),
    (30, b"mimetypeapplication/epub+zip", E_BOOK),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", OFFICE_DOCUMENT),
    (0, b"PK\x03\x04", _ARCHIVE),
    (0, b"PK\x05\x06", _ARCHIVE),
    (0, b"Rar!\x1a\x07", _ARCHIVE),
    (0, b"7z\xbc\xaf\x27\x1c", _ARCHIVE),
    (257, b"ustar", _ARCHIVE),
    (0, b"\x1f\x8b", _PACKED),
    (0, b"BZh", _PACKED),
    (0, b"\xfd7zXZ\x00", _PACKED),
    (0, b"\x28\xb5\x2f\xfd", _PACKED),
    (0, b"\x04\x22\x4d\x18", _PACKED),
    (0, b"\x89PNG\r\n\x1a\n", PICTURE),
    (0, b"\xff\xd8\xff", PICTURE),
    (0, b"GIF87a", PICTURE),
    (0, b"GIF89a", PICTURE),
    (8, b"WEBP", PICTURE),
    (0, b"BM", PICTURE),
    (0, b"II*\x00", PICTURE),
    (0, b"MM\x00*", PICTURE),
    (0, b"\x00\x00\x01\x00", PICTURE),
    (0, b"8BPS", PICTURE),
    (4, b"ftypheic", PICTURE),
    (4, b"ftypmif1", PICTURE),
    (4, b"ftypavif", PICTURE),
    (8, b"WAVE", SOUND),
    (4, b"ftypM4A", SOUND),
    (0, b"ID3", SOUND),
    (0, b"\xff\xfb", SOUND),
    (0, b"\xff\xfa", SOUND),
    (0, b"\xff\xf3", SOUND),
    (0, b"\xff\xf2", SOUND),
    (0, b"\xff\xe3", SOUND),
    (0, b"fLaC", SOUND),
    (0, b"OggS", SOUND),
    (8, b"AVI ", _FILM),
    (4, b"ftyp", _FILM),
    (0, b"\x1a\x45\xdf\xa3", _FILM),
    (0, b"\x7fELF", _PROGRAM),
    (0, b"MZ", _PROGRAM),
    (0, b"\xca\xfe\xba\xbe", _PROGRAM),
    (0, b"\xcf\xfa\xed\xfe", _PROGRAM),
    (0, b"\xce\xfa\xed\xfe", _PROGRAM),
    (0, b"\x00asm", _PROGRAM),
    (0, b"SQLite format 3\x00", _DATABASE),
    (0, b"GGUF", _MODEL),
    (0, b"wOFF", _FONT),
    (0, b"wOF2", _FONT),
    (0, b"OTTO\x00", _FONT),
    (0, b"\x00\x01\x00\x00\x00", _FONT),
    (0, b"\x93NUMPY", _DATA),
    (0, b"PAR1", _DATA),
    (0, b"\x89HDF\r\n\x1a\n", _DATA),
)
"""More specific kinds come first. Some signatures could also start a text, so check for text first."""


def detect_binary_kind(head: bytes) -> BinaryFileKind | None:
    return next((kind for at, sign, kind in _SIGNS if head.startswith(sign, at)), None)
