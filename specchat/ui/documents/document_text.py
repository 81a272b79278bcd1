"""Texts about documents: their lengths, and the passages that were read."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from specchat.domain.documents import DocumentSource, count_places, describe_range, is_marked
from specchat.ui.documents.document_links import linked_answer, linked_document
from specchat.ui.words.number_format import SEPARATOR, format_number

translate = QCoreApplication.translate


def document_icon(name: str) -> str:
    return "folder" if name.endswith("/") else "file"


def document_length(name: str, text: str) -> str:
    """Such as "200 pages"; empty if its places aren't counted."""
    if not is_marked(text):
        return ""
    unit, count = count_places(text)
    n = format_number(count)
    match unit:
        case "p.":
            words = translate("Documents", "1 page") if count == 1 else translate("Documents", "{n} pages")
        case "ch.":
            words = translate("Documents", "1 chapter") if count == 1 else translate("Documents", "{n} chapters")
        case "" if name.endswith("/"):
            words = translate("Documents", "1 file") if count == 1 else translate("Documents", "{n} files")
        case _:
            return ""
    return words.format(n=n)


def link_label(link: str) -> str:
    """As tooltips and menus show it."""
    if linked_answer(link) is not None:
        return translate("Documents", "Passages that were read")
    return linked_document(link) or link


def sources_text(sources: Sequence[DocumentSource]) -> str:
    """Such as "12 passages of report.pdf, pp. 3-180"."""
    return SEPARATOR.join(map(_source_text, sources))


def _source_text(source: DocumentSource) -> str:
    count = len(source.passages)
    words = translate("Documents", "{n} passages of {name}, {places}")
    if count == 1:
        words = translate("Documents", "1 passage of {name}, {places}")
    return words.format(n=format_number(count), name=source.name, places=describe_range(source.passages))
