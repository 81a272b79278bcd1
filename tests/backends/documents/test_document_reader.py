"""Documents that were made to do harm, or are damaged: the child's limits hold, and the parent goes on."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.documents import make_bomb, make_docx, make_epub, make_odt, make_pdf, make_zip, write_file, write_pdf

from specchat.backends.documents.document_reader import DocumentReader, ReadingLimits
from specchat.backends.documents.formats import READERS
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, UserError
from specchat.services.chat.passages import find_passages

PASSWORD = "The file is protected with a password."
DAMAGED = "The file is damaged, or isn't what its name says."
PACKED = "What is packed in the file is too large."


def entity_bomb() -> str:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    return f'<!DOCTYPE x [<!ENTITY e0 "lol">{entities}]><w:document>&e9;</w:document>'


def page_loop() -> bytes:
    pages = b"<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R 2 0 R] >>"
    return write_pdf([b"<< /Type /Catalog /Pages 2 0 R >>", pages])


def deep_xml() -> str:
    return f"<w:document>{'<w:p>' * 50_000}{'</w:p>' * 50_000}</w:document>"


def docx_of(document: str) -> bytes:
    return make_zip({"[Content_Types].xml": "<Types/>", "word/document.xml": document})


def wrong_checksum() -> bytes:
    made = bytearray(make_zip({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": "<a/>" * 99}))
    made[-100] ^= 0xFF
    at = made.find(b"content.xml") + 20
    made[at] ^= 0xFF
    return bytes(made)


def locked_odt() -> bytes:
    return make_odt("<text:p>x</text:p>", **{"META-INF/manifest.xml": "<manifest:encryption-data/>"})


HOSTILE: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "zip bomb": ("docx", lambda: make_bomb("word/document.xml", size=200 << 20), PACKED),
    "entity bomb": ("docx", lambda: docx_of(entity_bomb()), DAMAGED),
    "outer entity": (
        "docx",
        lambda: docx_of('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>'),
        DAMAGED,
    ),
    "deep nesting": ("docx", lambda: docx_of(deep_xml()), DAMAGED),
    "no document inside": (
        "docx",
        lambda: make_zip({"xl/workbook.xml": "<x/>"}),
        "This kind of document isn't supported.",
    ),
    "truncated docx": ("docx", lambda: make_docx(["word " * 1000])[:-50], DAMAGED),
    "wrong checksum": ("odt", wrong_checksum, DAMAGED),
    "locked odt": ("odt", locked_odt, PASSWORD),
    "empty odt": ("odt", lambda: make_odt(""), "No text was found in it."),
    "no chapters": ("epub", lambda: make_zip({"META-INF/container.xml": "<container/>"}), DAMAGED),
    "chapter outside": ("epub", lambda: make_epub([]), "No text was found in it."),
    "pages in a loop": ("pdf", page_loop, DAMAGED),
    "truncated pdf": ("pdf", lambda: make_pdf(["x"])[:120], DAMAGED),
    "no pdf": ("pdf", lambda: b"%PDF-1.7\n" + bytes(range(256)) * 20, DAMAGED),
    "10,000 pages": ("pdf", lambda: make_pdf(["x"] * 10_000), "It has 10000 pages; 5000 is the limit."),
    "endless cell": ("table", lambda: b'a,b\n"' + b"x" * (2 << 20), DAMAGED),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_and_damaged_documents_have_an_error_message(tmp_path: Path, name: str) -> None:
    kind, make, message = HOSTILE[name]
    path = write_file(tmp_path / "file", make())
    with pytest.raises(UserError) as error:
        DocumentReader().read(path, kind, CancelToken())
    assert error.value.message == message
    assert error.value.hint


def test_a_document_is_read_in_the_child(tmp_path: Path) -> None:
    path = write_file(tmp_path / "a.pdf", make_pdf(["Some words"]))
    assert DocumentReader().read(path, "pdf", CancelToken()) == "\f[p. 1]\nSome words\n\n"


def test_a_document_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    """A page of a million attributes takes HTML's parser more than the time there is."""
    page = "<p " + "a" * 60_000 + " <" * 400_000
    path = write_file(tmp_path / "a.html", page * 4)
    with pytest.raises(UserError) as error:
        DocumentReader(ReadingLimits(seconds=0.01)).read(path, "html", CancelToken())
    assert error.value.hint


def test_a_document_that_needs_too_much_memory_is_killed(tmp_path: Path) -> None:
    rows = "a,b\n" + "1,2\n" * 8_000_000
    path = write_file(tmp_path / "a.csv", rows)
    with pytest.raises(UserError) as error:
        DocumentReader(ReadingLimits(memory=16 << 20)).read(path, "table", CancelToken())
    assert error.value.message == "The document is too large to read."


def test_cancelling_does_not_wait_for_the_child(tmp_path: Path) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        DocumentReader().read(write_file(tmp_path / "a.pdf", make_pdf(["x"])), "pdf", cancel)


@pytest.mark.parametrize("kind", READERS)
def test_a_missing_file_has_an_error_message(tmp_path: Path, kind: str) -> None:
    with pytest.raises(UserError) as error:
        DocumentReader().read(tmp_path / "none", kind, CancelToken())
    assert error.value.message == "Couldn't read the file: No such file or directory."


def test_a_question_finds_its_page_of_a_long_pdf(tmp_path: Path) -> None:
    pages = [f"Chapter {n}\n" + "The rain falls on the quiet town.\n" * 40 for n in range(1, 201)]
    pages[179] += "The lighthouse keeper was called Ottilie Brandt."
    text = DocumentReader().read(write_file(tmp_path / "book.pdf", make_pdf(pages)), "pdf", CancelToken())
    (source,) = find_passages({"book.pdf": text}, "Who was the keeper of the lighthouse?", (), 1500)
    assert "p. 180" in [passage.label for passage in source.passages]
