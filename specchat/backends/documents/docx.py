"""Text of Word documents (.docx)."""

from dataclasses import dataclass, field
from pathlib import Path

from specchat.backends.documents.document_text import DocumentFault, DocumentText, Fault, ParagraphText
from specchat.backends.documents.packed_file import PackedFile, open_packed
from specchat.backends.documents.xml_walk import Attributes, walk_xml

_MAIN = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_STYLES = "word/styles.xml"
_BREAKS = {"w:tab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-"}
_SKIPPED = {"mc:Fallback", "w:del", "w:moveFrom"}
"""Repeated or deleted content."""


def read_docx(path: Path, document: DocumentText) -> None:
    with open_packed(path) as file:
        if _MAIN not in file:
            raise DocumentFault(Fault.UNSUPPORTED)
        headings = _heading_styles(file)
        paragraphs = ParagraphText(document)
        for part in (_MAIN, *(notes for notes in _NOTES if notes in file)):
            body = _Body(paragraphs, headings)
            walk_xml(file.read(part), body.start, body.end, body.text)
        paragraphs.finish()


def _heading_styles(file: PackedFile) -> dict[str, int]:
    """Returns the level of each heading style. The ids of styles depend on Word's language, their names don't."""
    levels: dict[str, int] = {}
    style = ""

    def start(name: str, attributes: Attributes) -> None:
        nonlocal style
        if name == "w:style":
            style = attributes.get("w:styleId", "")
        elif name == "w:name" and style:
            called = attributes.get("w:val", "").lower()
            level = called.removeprefix("heading ")
            if called == "title":
                levels[style] = 1
            elif level != called and level.isdecimal():
                levels[style] = int(level)

    if _STYLES in file:
        walk_xml(file.read(_STYLES), start)
    return levels


@dataclass(slots=True)
class _OpenText:
    pieces: list[str] = field(default_factory=list)
    heading: int = 0
    """Its level; 0: a paragraph."""


class _Body:
    def __init__(self, paragraphs: ParagraphText, headings: dict[str, int]) -> None:
        self._paragraphs, self._headings = paragraphs, headings
        self._open: list[_OpenText] = []
        """The texts of the open paragraphs and cells. Tables can be nested in cells, and boxes in paragraphs."""
        self._rows: list[list[str]] = []
        self._in_text = False
        self._skipped = 0

    def start(self, name: str, attributes: Attributes) -> None:
        match name:
            case _ if name in _SKIPPED:
                self._skipped += 1
            case "w:p" | "w:tc":
                self._open.append(_OpenText())
            case "w:tr":
                self._rows.append([])
            case "w:pStyle" if self._open:
                self._open[-1].heading = self._headings.get(attributes.get("w:val", ""), 0)
            case "w:t" | "m:t":  # of a formula
                self._in_text = not self._skipped
            case _ if name in _BREAKS:
                self.text(_BREAKS[name], is_break=True)

    def end(self, name: str) -> None:
        match name:
            case _ if name in _SKIPPED:
                self._skipped -= 1
            case "w:t" | "m:t":
                self._in_text = False
            case "w:p" if self._open:
                self._end_paragraph(self._open.pop())
            case "w:tc" if self._open and self._rows:
                self._rows[-1].append(" ".join("".join(self._open.pop().pieces).split()))
            case "w:tr" if self._rows:
                self._end_row(self._rows.pop())

    def text(self, text: str, *, is_break: bool = False) -> None:
        if self._open and (self._in_text or (is_break and not self._skipped)):
            self._open[-1].pieces.append(text)

    def _end_paragraph(self, paragraph: _OpenText) -> None:
        text = "".join(paragraph.pieces)
        if self._rows and self._open:
            self._open[-1].pieces.append(f"{text} ")
        else:
            self._paragraphs.add(text, paragraph.heading)

    def _end_row(self, cells: list[str]) -> None:
        row = " | ".join(cells)
        if self._rows and self._open:
            self._open[-1].pieces.append(f"{row} ")
        elif any(cells):
            self._paragraphs.add(row)
