"""Rows of text tables (.csv, .tsv), in blocks that each begin with the names of the columns."""

import csv
import re
from collections.abc import Iterator
from io import StringIO
from itertools import islice
from pathlib import Path

from specchat.backends.documents.document_text import DocumentFault, DocumentText, Fault
from specchat.backends.documents.html_page import decode_page
from specchat.domain.text_decoding import UTF_16, unify_line_ends

_BLOCK = 900
_MOST_BYTES = 64 << 20
_SEPARATORS = ",;\t|"
_SEPARATOR_LINE = re.compile(r"sep=([,;\t|])\n", re.IGNORECASE)
"""A first line that names the separator, as Excel understands it."""


def read_table(path: Path, document: DocumentText) -> None:
    with path.open("rb") as file:
        content = file.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise DocumentFault(Fault.TOO_LONG)
    if b"\0" in content[:4096] and not content.startswith(UTF_16):
        raise DocumentFault(Fault.UNSUPPORTED)
    text = unify_line_ends(decode_page(content))
    named = _SEPARATOR_LINE.match(text)
    text = text[named.end() :] if named else text
    first = text.partition("\n")[0]
    separator = named[1] if named else max(_SEPARATORS, key=first.count)
    csv.field_size_limit(1 << 20)
    rows = csv.reader(StringIO(text), delimiter=separator)
    try:
        _add_rows(rows, separator, document)
    except csv.Error as error:
        raise DocumentFault(Fault.DAMAGED) from error


def _add_rows(rows: Iterator[list[str]], separator: str, document: DocumentText) -> None:
    """Numbers rows like spreadsheets: the names of the columns are row 1."""
    head = "".join(_line(row, separator) for row in islice(rows, 1))
    block, begin, number = "", 2, 1
    for number, row in enumerate(rows, 2):
        block += _line(row, separator)
        if len(block) > _BLOCK:
            document.add_place(f"row {begin}", f"{head}{block}")
            block, begin = "", number + 1
    if block or number == 1:
        document.add_place(f"row {begin if block else 1}", f"{head}{block}")


def _line(row: list[str], separator: str) -> str:
    cells = (" ".join(cell.split()) for cell in row)
    return separator.join(_quote(cell) if separator in cell else cell for cell in cells) + "\n"


def _quote(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'
