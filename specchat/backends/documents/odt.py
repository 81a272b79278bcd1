"""Text of OpenDocument files (.odt)."""

from pathlib import Path

from specchat.backends.documents.document_text import DocumentFault, DocumentText, Fault, ParagraphText
from specchat.backends.documents.packed_file import PackedFile, open_packed
from specchat.backends.documents.xml_walk import Attributes, walk_xml

_TYPE = b"application/vnd.oasis.opendocument.text"
_PARAGRAPHS = ("text:p", "text:h")
_SKIPPED = {"text:tracked-changes", "office:annotation", "text:note-citation", "office:forms"}
_MOST_SPACES = 100


def read_odt(path: Path, document: DocumentText) -> None:
    with open_packed(path) as file:
        if "mimetype" in file and not file.read("mimetype").startswith(_TYPE):
            raise DocumentFault(Fault.UNSUPPORTED)
        if "META-INF/manifest.xml" in file and _is_encrypted(file):
            raise DocumentFault(Fault.ENCRYPTED)
        paragraphs = ParagraphText(document)
        body = _Body(paragraphs)
        walk_xml(file.read("content.xml"), body.start, body.end, body.text)
        paragraphs.finish()


def _is_encrypted(file: PackedFile) -> bool:
    return b"manifest:encryption-data" in file.read("META-INF/manifest.xml")


class _Body:
    def __init__(self, paragraphs: ParagraphText) -> None:
        self._paragraphs = paragraphs
        self._text: list[str] = []
        self._open: list[int] = []
        """The heading levels of the open paragraphs. Notes are nested in paragraphs."""
        self._skipped = 0
        self._rows: list[list[str]] = []
        self._cells: list[list[str]] = []
        """The paragraphs of the open cells. Tables can be nested in cells."""

    def start(self, name: str, attributes: Attributes) -> None:
        if name in _SKIPPED:
            self._skipped += 1
        elif name in _PARAGRAPHS:
            level = attributes.get("text:outline-level", "1") if name == "text:h" else "0"
            self._text.append(" (" if self._open else "")
            self._open.append(int(level) if level.isdecimal() else 0)
        elif name == "table:table-row":
            self._rows.append([])
        elif name == "table:table-cell":
            self._cells.append([])
        elif name == "text:s":
            count = attributes.get("text:c", "1")
            self._text.append(" " * min(_MOST_SPACES, int(count) if count.isdecimal() else 1))
        elif name == "text:tab":
            self._text.append("\t")
        elif name == "text:line-break":
            self._text.append("\n")

    def end(self, name: str) -> None:
        if name in _SKIPPED:
            self._skipped -= 1
        elif name in _PARAGRAPHS and self._open:
            level = self._open.pop()
            if self._open:
                self._text.append(")")
            else:
                self._add("".join(self._text), level)
        elif name == "table:table-cell" and self._cells and self._rows:
            self._rows[-1].append(" ".join(self._cells.pop()))
        elif name == "table:table-row" and self._rows:
            self._add_row(self._rows.pop())

    def text(self, text: str) -> None:
        if self._open and not self._skipped:
            self._text.append(" ".join(text.split("\n")))

    def _add(self, text: str, level: int) -> None:
        self._text = []
        if self._cells:
            self._cells[-1].append(" ".join(text.split()))
        else:
            self._paragraphs.add(text, level)

    def _add_row(self, cells: list[str]) -> None:
        if any(cells):
            self._add(" | ".join(cells), 0)
