"""Text of PDFs, page by page, with PDFium."""

import ctypes
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from specchat.backends.documents.document_text import DocumentFault, DocumentText, Fault
from specchat.domain.text_decoding import unify_line_ends

MAX_PAGES = 5_000
_PASSWORD = "password"
_BROKEN_WORD = re.compile("[\x02\ufffe](?:\r\n|\n)?|(?<=\\w)\u2010(?:\r\n|\n)")
"""A hyphen at the end of a line, as PDFium marks it or as it was typeset."""
_FIXED_SPACE = re.compile(" *\u00a0 *")
_MOST_FIELDS = 2_000
"""On a page."""
_LONGEST_FIELD = 1 << 20
_TYPED = (4, 5, 6)
"""PDFium's numbers of combo boxes, list boxes and text fields."""


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
    pdf.init_forms()  # where there are any
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
        fields = list(_filled_in(pdf, page)) if pdf.formenv else []
    finally:
        page.close()
    text = _FIXED_SPACE.sub(" ", unify_line_ends(_BROKEN_WORD.sub("", text)))
    return "\n".join([text, *dict.fromkeys(fields)])


def _filled_in(pdf: Any, page: Any) -> Iterator[str]:
    """Yields the contents of form fields, which aren't part of the page's text."""
    import pypdfium2.raw as pdfium

    form = pdf.formenv.raw
    for number in range(min(_MOST_FIELDS, pdfium.FPDFPage_GetAnnotCount(page.raw))):
        field = pdfium.FPDFPage_GetAnnot(page.raw, number)
        try:
            if pdfium.FPDFAnnot_GetFormFieldType(form, field) in _TYPED:
                name = _string(pdfium.FPDFAnnot_GetFormFieldName, form, field)
                value = _string(pdfium.FPDFAnnot_GetFormFieldValue, form, field)
                if value.strip():
                    yield f"{name}: {value}"
        finally:
            pdfium.FPDFPage_CloseAnnot(field)


def _string(read: Callable[..., int], form: Any, field: Any) -> str:
    size = min(_LONGEST_FIELD, read(form, field, None, 0))
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    read(form, field, buffer, size)
    return bytes(buffer)[: max(0, size - 2)].decode("utf-16-le", "replace")
