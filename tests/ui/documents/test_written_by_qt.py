"""Documents that another program's code has written: Qt's, with fonts and compression of its own."""

from pathlib import Path

import pytest
from PySide6.QtGui import QPdfWriter, QTextDocument, QTextDocumentWriter
from PySide6.QtWidgets import QApplication

from specchat.backends.documents.document_text import DocumentText
from specchat.backends.documents.formats import load_reader
from specchat.domain.documents import count_places
from specchat.services.chat.document_files import detect_document

PARAGRAPH = "The naïve office staff measured 5.8 m at the gauge. "


@pytest.fixture
def document(qapp: QApplication) -> QTextDocument:
    made = QTextDocument()
    made.setHtml(f"<h1>Größe</h1>{f'<p>{PARAGRAPH * 4}</p>' * 60}<table><tr><td>Tide</td><td>5.8</td></tr></table>")
    return made


def read(path: Path) -> str:
    kind = detect_document(path)
    assert kind is not None
    text = DocumentText()
    load_reader(kind)(path, text)
    return text.text


def test_a_pdf(document: QTextDocument, tmp_path: Path) -> None:
    writer = QPdfWriter(str(tmp_path / "a.pdf"))
    document.print_(writer)
    del writer  # which ends the file
    text = read(tmp_path / "a.pdf")
    unit, pages = count_places(text)
    assert unit == "p."
    assert pages > 3
    assert "Größe" in text
    assert " ".join(text.split()).count(PARAGRAPH.strip()) > 200


def test_an_odt(document: QTextDocument, tmp_path: Path) -> None:
    assert QTextDocumentWriter(str(tmp_path / "a.odt"), b"ODF").write(document)
    text = read(tmp_path / "a.odt")
    assert text.count(PARAGRAPH.strip()) == 240
    assert "Tide | 5.8" in text
