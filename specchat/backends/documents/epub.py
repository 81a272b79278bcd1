"""Text of e-books (.epub), chapter by chapter."""

import posixpath
from pathlib import Path
from urllib.parse import unquote

from specchat.backends.documents.document_text import DocumentFault, DocumentText, Fault, ParagraphText
from specchat.backends.documents.html_page import add_page
from specchat.backends.documents.packed_file import PackedFile, open_packed
from specchat.backends.documents.xml_walk import Attributes, walk_xml

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"


def read_epub(path: Path, document: DocumentText) -> None:
    with open_packed(path) as book:
        protected = _protected_parts(book)
        chapter = 0
        for name in _chapters(book):
            if name in protected:
                raise DocumentFault(Fault.COPY_PROTECTED)
            if name not in book:
                continue
            paragraphs = ParagraphText(document, f"ch. {chapter + 1} par. {{n}}")
            add_page(book.read(name), paragraphs, titled=False)
            paragraphs.finish()
            chapter += paragraphs.has_text


def _chapters(book: PackedFile) -> list[str]:
    """Returns the names of the chapters in reading order."""
    roots: list[str] = []
    files: dict[str, str] = {}
    order: list[str] = []

    def find_root(name: str, attributes: Attributes) -> None:
        if _local(name) == "rootfile" and "full-path" in attributes:
            roots.append(attributes["full-path"])

    def find_chapters(name: str, attributes: Attributes) -> None:
        match _local(name):
            case "item" if "id" in attributes and "html" in attributes.get("media-type", ""):
                files[attributes["id"]] = attributes.get("href", "")
            case "itemref":
                order.append(attributes.get("idref", ""))

    walk_xml(book.read(_CONTAINER), find_root)
    if not roots:
        raise DocumentFault(Fault.DAMAGED)
    walk_xml(book.read(roots[0]), find_chapters)
    folder = posixpath.dirname(roots[0])
    shown = dict.fromkeys(each for each in order if each in files)
    return [posixpath.normpath(posixpath.join(folder, unquote(files[each]))) for each in shown]


def _protected_parts(book: PackedFile) -> set[str]:
    """Returns the encrypted parts. Often these are only fonts, which doesn't matter."""
    parts: set[str] = set()

    def start(name: str, attributes: Attributes) -> None:
        if _local(name) == "CipherReference":
            parts.add(unquote(attributes.get("URI", "")))

    if _ENCRYPTION in book:
        walk_xml(book.read(_ENCRYPTION), start)
    return parts


def _local(name: str) -> str:
    return name.rpartition(":")[2]
