"""Documents that LibreOffice, pandoc and others have made, against the words that were put in.

`tests/benchmarks/real_documents.py` makes them, and larger ones.
"""

from pathlib import Path

import pytest
from support.document_words import compare_words

from specchat.backends.documents.document_text import DocumentFault, DocumentText, Fault
from specchat.backends.documents.formats import load_reader
from specchat.services.chat.document_files import detect_document

EXAMPLES = Path(__file__).parents[2] / "examples/documents"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.words"))
LOST = {
    "office-notes.pdf": {"Tides", "twice"},  # raised numbers of notes follow without a space
    "typst-columns.pdf": {"Foot"},
    "office-scripts.pdf": {"للاختبار"},  # PDFium turns the two letters of a ligature around
    "pandoc.odt": {"x2"},  # formulas lie in files of their own
    "pandoc-3.epub": {"x2"},  # "$x^2$"
    "pandoc.html": {"x2"},
}
REPEATED = {"name", "price", "id", "sep", "Running", "head", "Titled", *(f"Chapter{n}" for n in range(1, 6))}
"""The names of columns above each part of a table, headers, tables of contents."""


def read(name: str) -> str:
    kind, document = detect_document(EXAMPLES / name), DocumentText()
    assert kind is not None
    load_reader(kind)(EXAMPLES / name, document)
    return document.text


@pytest.mark.parametrize("name", [name for name in NAMES if "locked" not in name])
def test_no_word_is_lost_or_doubled(name: str) -> None:
    found = compare_words((EXAMPLES / f"{name}.words").read_text("utf-8"), read(name))
    assert set(found.lost) == LOST.get(name, set())
    glued = {word for word in found.added if len(word) > 1 and word not in REPEATED}
    assert len(glued) <= len(found.lost)
    assert found.in_order > 0.6


def test_a_document_with_a_password() -> None:
    with pytest.raises(DocumentFault) as fault:
        read("reportlab-locked.pdf")
    assert fault.value.fault is Fault.ENCRYPTED


def test_deleted_text_and_comments_are_left_out() -> None:
    for name in ("office-changes.docx", "office-changes.odt", "pandoc-changes.docx"):
        text = read(name)
        assert "inserted" in text
        assert "deletedword" not in text
        assert "Doubtful" not in text


def test_the_fields_of_a_form_are_read() -> None:
    assert "name: Ada Lovelace" in read("reportlab-form.pdf")


def test_tables_within_tables() -> None:
    for extension in ("docx", "odt"):
        assert "outer left inner one | inner two inner three | inner four" in read(f"office-nested.{extension}")
