"""Text of web pages, and of the chapters of e-books."""

import re
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path

from specchat.backends.documents.document_text import DocumentText, ParagraphText
from specchat.backends.documents.formula import Formula
from specchat.domain.text_decoding import UTF_16

_HIDDEN = {"script", "style", "noscript", "template", "svg", "iframe", "object", "select"}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_WORD = re.compile(r"\w+")
_CONTROLS = {"button", "input", "textarea"}
_BLOCKS = {
    *_WORD.findall("address article aside blockquote body caption center dd details dir div dl dt fieldset figcaption"),
    *_WORD.findall("figure footer form header hr legend li main nav ol p pre section summary table tbody tfoot thead"),
    *("title", "tr", "ul", *_HEADINGS),
}
_VOID = {*_WORD.findall("area base br col embed hr img input link meta source track wbr")}
_ENDS_ITSELF = {"p", "li", "dt", "dd", "td", "th", "tr", "option"}
"""Where the next one begins, without an end tag."""
_UNSEEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta[^>]{1,200}?charset\s*=\s*["']?([\w-]{2,40})""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""<\?xml[^>]{1,200}?encoding\s*=\s*["']([\w-]{2,40})""")
_NOTE = re.compile(r"\d{1,4}|[ivxlc]{1,6}|[a-z*†‡]")
_HEAD = 4096


def read_html(path: Path, document: DocumentText) -> None:
    paragraphs = ParagraphText(document)
    add_page(path.read_bytes(), paragraphs)
    paragraphs.finish()


def add_page(content: bytes, paragraphs: ParagraphText, *, titled: bool = True) -> None:
    """`titled`: whether to include its title."""
    page = _Page(paragraphs, set() if titled else {"title"})
    page.feed(decode_page(content))
    page.close()
    page.finish()


def decode_page(content: bytes) -> str:
    """Uses the encoding of the byte order mark, or the one that the page declares, or the first one that fits."""
    declared = _CHARSET.search(content[:_HEAD]) or _XML_ENCODING.search(content[:_HEAD])
    if content.startswith(UTF_16):
        return content.decode("utf-16", "replace")
    for encoding in ("utf-8-sig", declared[1].decode("ascii") if declared else "", "cp1252"):
        try:
            return content.decode(encoding)
        except (UnicodeError, LookupError):
            continue
    return content.decode("cp1252", "replace")


class _Page(HTMLParser):
    def __init__(self, paragraphs: ParagraphText, hidden: set[str]) -> None:
        super().__init__(convert_charrefs=True)
        self._hides = _HIDDEN | hidden
        self._paragraphs = paragraphs
        self._text: list[str] = []
        self._heading = 0
        self._hidden = 0
        self._unseen: list[str] = []
        """The element that the page itself hides, and those within it."""
        self._kept = 0
        """The number of open elements that keep their line ends."""
        self._cells = 0
        self._note: int | None = None
        """The start of the text of an open link within the book or page."""
        self._formula: Formula | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _ENDS_ITSELF and self._unseen[-1:] == [tag]:
            self._unseen.pop()
        if self._unseen or _is_unseen(attrs):
            self._unseen += [tag] if tag not in _VOID else []
        elif tag in self._hides:
            self._hidden += 1
        elif tag == "br":
            self._text.append("\n")
        elif tag == "math":
            self._formula = Formula()
        elif self._formula is not None:
            self._formula.start(tag, dict(attrs))
        elif tag == "a":
            self._note = len(self._text) if "#" in (dict(attrs).get("href") or "") else None
        elif tag in _CONTROLS:
            self._text.append(" ")
        elif tag in ("td", "th"):
            self._text.append(" | " if self._cells else "")
            self._cells += 1
        elif tag in _BLOCKS and not (self._cells and tag != "tr"):
            self.finish()
            self._heading = _HEADINGS.get(tag, 1 if tag == "title" else 0)
            self._kept += tag == "pre"
            self._cells = 0
            if tag == "li":
                self._text.append("- ")

    def handle_endtag(self, tag: str) -> None:
        if tag in self._unseen:
            del self._unseen[len(self._unseen) - 1 - self._unseen[::-1].index(tag) :]
            return
        self._unseen.clear()  # what is around it ends
        if tag in self._hides:
            self._hidden = max(0, self._hidden - 1)
        elif tag == "math" and self._formula is not None:
            self._text.append(self._formula.text)
            self._formula = None
        elif tag == "a":
            self._mark_note()
        elif tag in _CONTROLS:
            self._text.append(" ")
        elif tag in _BLOCKS and not (self._cells and tag not in ("tr", "table")):
            self.finish()
            self._kept = max(0, self._kept - (tag == "pre"))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """In XHTML, `<script src="x"/>` is complete and hides nothing."""
        if tag not in self._hides and not self._unseen and not _is_unseen(attrs):
            self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if self._unseen:
            return
        if self._formula is not None:
            self._formula.add(data)
        elif not self._hidden:
            self._text.append(data if self._kept else re.sub(r"\s+", " ", data))

    def _mark_note(self) -> None:
        """Puts the number of a note in brackets, so that it doesn't become part of the word before it."""
        if self._note is not None and _NOTE.fullmatch(number := "".join(self._text[self._note :]).strip()):
            is_first = not any(map(str.strip, islice(self._text, self._note)))
            self._text[self._note :] = [f"[{number}] " if is_first else f"[{number}]"]
        self._note = None

    def finish(self) -> None:
        self._note = None
        text = "".join(self._text)
        if not self._kept:
            text = re.sub(r" *\n *", "\n", re.sub(" {2,}", " ", text))
        text = text.strip("\n") if self._kept else text.strip()
        if text not in ("", "-"):
            self._paragraphs.add(text, self._heading)
        self._text, self._heading, self._cells = [], 0, 0


def _is_unseen(attrs: list[tuple[str, str | None]]) -> bool:
    """As far as the element itself says so; style sheets are not read."""
    return any(name == "hidden" or (name == "style" and _UNSEEN.search(value or "")) for name, value in attrs)
