"""Text of PDFs, page by page, with PDFium."""

import re
from pathlib import Path
from typing import Any

from specchat.backends.documents.document_text import DocumentFault, DocumentText, Fault
from specchat.domain.text_decoding import unify_line_ends

MAX_PAGES = 5_000
_PASSWORD = "password"
_BROKEN_WORD = re.compile("[\x02\ufffe](?:\r\n|\n)?")
"""PDFium's sign for a hyphen at the end of a line."""


def read_pdf(path: Path, document: DocumentText) -> None:
    try:
        import pypdfium2
    except ImportError as error:
        raise DocumentFault(Fault.UNAVAILABLE) from error
    try:
        pdf = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        raise DocumentFault(Fault.ENCRYPTED if _PASSWORD in str(error).lower() else Fault.DAMAGED) from error
    n_pages = len(pdf)
    if n_pages > MAX_PAGES:
        raise DocumentFault(Fault.TOO_MANY_PAGES, n=n_pages, most=MAX_PAGES)
    n_read = 0
    for number in range(n_pages):
        try:
            text = _page_text(pdf, number)
        except pypdfium2.PdfiumError:  # the others may be whole
            continue
        n_read += 1
        document.add_place(f"p. {number + 1}", text)
    if not n_read:
        raise DocumentFault(Fault.DAMAGED)
    if not document.has_text:
        raise DocumentFault(Fault.SCANNED)


def _page_text(pdf: Any, number: int) -> str:
    page = pdf[number]
    try:
        text_page = page.get_textpage()
        try:
            text = str(text_page.get_text_bounded())
        finally:
            text_page.close()
    finally:
        page.close()
    return unify_line_ends(_BROKEN_WORD.sub("", text))
