"""Documents of each kind, read without the child."""

import os
import sys
from pathlib import Path

import pytest
from support.documents import make_docx, make_epub, make_odt, make_pdf, write_file

from specchat.backends.documents import source_folder
from specchat.backends.documents.document_text import DocumentFault, DocumentText, Fault
from specchat.backends.documents.formats import READERS, load_reader
from specchat.backends.documents.ignore_rules import IgnoreRule, is_ignored
from specchat.backends.documents.source_folder import MAX_DEPTH
from specchat.backends.documents.xml_walk import walk_xml
from specchat.domain.documents import readable_text, regions


def read(path: Path, kind: str) -> str:
    document = DocumentText()
    load_reader(kind)(path, document)
    return document.text


def labels(text: str) -> list[str]:
    return [region.label for region in regions(text)]


def test_pdf_page_by_page(tmp_path: Path) -> None:
    text = read(write_file(tmp_path / "a.pdf", make_pdf(["First page\nGrüße", "", "Third page"])), "pdf")
    assert labels(text) == ["p. 1", "p. 3"]
    assert readable_text(text) == "[p. 1]\nFirst page\nGrüße\n\n[p. 3]\nThird page\n\n"


def test_a_pdf_without_text_was_scanned(tmp_path: Path) -> None:
    with pytest.raises(DocumentFault) as fault:
        read(write_file(tmp_path / "a.pdf", make_pdf(["", ""])), "pdf")
    assert fault.value.fault is Fault.SCANNED


def test_an_encrypted_pdf(tmp_path: Path) -> None:
    with pytest.raises(DocumentFault) as fault:
        read(write_file(tmp_path / "a.pdf", make_pdf(["Secret"], encrypted=True)), "pdf")
    assert fault.value.fault is Fault.ENCRYPTED


def test_docx_has_headings_and_tables(tmp_path: Path) -> None:
    rows = [["Name", "Price"], ["Tea", "3"]]
    made = make_docx([("berschrift1", "Results"), "All <well> & good.", ""], rows)
    text = read(write_file(tmp_path / "a.docx", made), "docx")
    assert readable_text(text) == "[par. 1]\n# Results\n\nAll <well> & good.\n\nName | Price\n\nTea | 3\n\n"


def test_docx_headings_may_have_text_boxes(tmp_path: Path) -> None:
    made = make_docx([("berschrift1", "Results", "Boxed")])
    text = read(write_file(tmp_path / "a.docx", made), "docx")
    assert readable_text(text) == "[par. 1]\nBoxed\n\n[par. 2]\n# Results\n\n"


def test_docx_numbers_its_paragraphs(tmp_path: Path) -> None:
    made = make_docx([f"Paragraph {n} " + "word " * 100 for n in range(1, 11)])
    assert labels(read(write_file(tmp_path / "a.docx", made), "docx")) == [
        "par. 1",
        "par. 3",
        "par. 5",
        "par. 7",
        "par. 9",
    ]


def test_odt_has_notes_lists_and_tables(tmp_path: Path) -> None:
    content = (
        '<text:h text:outline-level="2">Ergebnis</text:h>'
        '<text:p>Viel<text:s text:c="2"/>Tee<text:note><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>Assam</text:p></text:note-body></text:note>.</text:p>"
        "<table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell>"
        "<table:table-cell><text:p>B</text:p></table:table-cell></table:table-row></table:table>"
    )
    text = read(write_file(tmp_path / "a.odt", make_odt(content)), "odt")
    assert readable_text(text) == "[par. 1]\n## Ergebnis\n\nViel  Tee (Assam).\n\nA | B\n\n"


def test_epub_chapter_by_chapter(tmp_path: Path) -> None:
    made = make_epub(["<h1>One</h1><p>It&nbsp;began.</p>", "", "<h1>Two</h1><script>no()</script><p>It ended.</p>"])
    text = read(write_file(tmp_path / "a.epub", made), "epub")
    assert labels(text) == ["ch. 1 par. 1", "ch. 2 par. 1"]
    assert "[ch. 1 par. 1]\n# One\n\nIt began." in readable_text(text)
    assert text.endswith("It ended.\n\n")
    assert "no()" not in text


def test_a_protected_epub(tmp_path: Path) -> None:
    locked = '<encryption><CipherReference URI="OEBPS/c0.xhtml"/></encryption>'
    made = make_epub(["<p>x</p>"], **{"META-INF/encryption.xml": locked})
    with pytest.raises(DocumentFault) as fault:
        read(write_file(tmp_path / "a.epub", made), "epub")
    assert fault.value.fault is Fault.COPY_PROTECTED


def test_html_without_its_scripts(tmp_path: Path) -> None:
    page = (
        "<html><head><title>Tea</title><style>p {}</style></head><body><h2>Kinds</h2><ul><li>Assam<li>Ceylon</ul>"
        "<p>Two\n lines<br>and a third</p><table><tr><th>A<th>B</tr><tr><td>1<td>2</tr></table><pre>a\n  b</pre>"
    )
    text = readable_text(read(write_file(tmp_path / "a.html", page), "html"))
    expected = ["# Tea", "## Kinds", "- Assam", "- Ceylon", "Two lines\nand a third", "A | B", "1 | 2", "a\n  b"]
    assert [part.partition("]\n")[2] or part for part in text.strip().split("\n\n")] == expected


def test_html_without_what_the_page_hides(tmp_path: Path) -> None:
    """It may be there for models alone."""
    page = (
        '<p>Seen <span style="color: red; DISPLAY : none">hidden <b>more</b><br></span>again.<p hidden>hidden<p>Two'
        "<div hidden><p>hidden</div><ul><li hidden>hidden<li>Three</ul>"
        '<div><p style="visibility:hidden">hidden</div>Four'
        '<br hidden><div style="display: nonesuch">Five</div><svg style="display:none"><text>hidden</text></svg>Six'
    )
    text = read(write_file(tmp_path / "a.html", page), "html")
    assert "hidden" not in text
    assert readable_text(text).split("\n\n", 1)[0] == "[par. 1]\nSeen again."
    assert all(word in text for word in ("Two", "Three", "Four", "Five", "Six"))


@pytest.mark.parametrize(
    "page",
    [
        "Grüße".encode(),
        '<meta charset="latin-1">Grüße'.encode("latin-1"),
        "Grüße".encode("cp1252"),
        "Grüße".encode("utf-16"),
    ],
)
def test_html_in_its_encodings(tmp_path: Path, page: bytes) -> None:
    assert "Grüße" in read(write_file(tmp_path / "a.html", page), "html")


def test_tables_repeat_the_names_of_their_columns(tmp_path: Path) -> None:
    rows = "".join(f'{n};"name; {n}"\n' for n in range(2, 200))
    text = read(write_file(tmp_path / "a.csv", "id;name\n" + rows), "table")
    assert labels(text)[0] == "row 2"
    assert all(text[region.start :].startswith("id;name\n") for region in regions(text))
    assert '57;"name; 57"' in text


def test_characters_that_end_lines_elsewhere_do_not_end_rows(tmp_path: Path) -> None:
    table = "name,note\nAda,one\u2028two\nBob,three\x85four\n"
    text = readable_text(read(write_file(tmp_path / "a.csv", table), "table"))
    assert text == "[row 2]\nname,note\nAda,one two\nBob,three four\n\n"


def test_a_folder_of_code(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "src/a.py": "import b\n",
        "src/data.bin": b"\0\1",
        "src/out/x.py": "made = 1\n",
        "keep/b.log": "kept\n",
        "c.log": "gone\n",
        "node_modules/x.js": "x\n",
        ".env": "KEY=secret\n",
        "long.txt": "x" * 300_000,
        ".gitignore": "*.log\n!keep/*.log\n/src/generated\n[Bb]in/\n*.[!p]y[co-]\n[z-a]\n[\n",
        "Bin/z.txt": "z\n",
        "src/a.xyc": "z\n",
        "src/generated/y.py": "y\n",
    }
    for name, content in files.items():
        write_file(tmp_path / name, content)
    (tmp_path / "link.py").symlink_to(tmp_path / "src/a.py")
    assert labels(read(tmp_path, "folder")) == ["keep/b.log:1", "src/a.py:1"]


def test_a_folder_does_not_ask_the_rules_of_the_folders_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abcd":
        write_file(tmp_path / name / ".gitignore", "*.log\n")
        write_file(tmp_path / name / "deep" / "x.log", "x\n")
    asked: list[int] = []

    def count(rules: list[IgnoreRule], path: str, *, is_folder: bool) -> bool:
        asked.append(len(rules))
        return is_ignored(rules, path, is_folder=is_folder)

    monkeypatch.setattr(source_folder, "is_ignored", count)
    assert read(tmp_path, "folder") == ""
    assert max(asked) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_a_folder_made_to_do_harm(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    write_file(outside / "secret.txt", "secret")
    write_file(folder / "a.py", "a = 1\n")
    (folder / "out").symlink_to(outside)
    (folder / "round").symlink_to(folder)
    for name in ("pipe.py", ".gitignore"):
        os.mkfifo(folder / name)
    Path(os.fsdecode(os.fsencode(folder) + b"/b\xff\x1b[p. 3].py")).write_text("b = 1\n")
    deep = folder.joinpath(*["d"] * (MAX_DEPTH + 1))
    write_file(deep / "deep.py", "d = 1\n")
    write_file(deep.parent / "last.py", "d = 1\n")
    text = read(folder, "folder")
    assert text.encode().decode() == text
    found = labels(text)
    assert found[:2] == ["a.py:1", "b? p. 3 .py:1"]
    assert len(found) == 3
    assert "secret" not in text


@pytest.mark.parametrize("encoding", ["undefined", "punycode", "rot13", "no such"])
def test_a_page_with_an_unknown_encoding(tmp_path: Path, encoding: str) -> None:
    page = f'<meta charset="{encoding}"><p>caf\u00e9'.encode("latin-1")
    assert readable_text(read(write_file(tmp_path / "a.html", page), "html")) == "[par. 1]\ncaf\u00e9\n\n"


@pytest.mark.parametrize("encoding", ["shift_jis", "no-such"])
def test_xml_with_an_unknown_encoding(encoding: str) -> None:
    with pytest.raises(DocumentFault) as fault:
        walk_xml(f'<?xml version="1.0" encoding="{encoding}"?><a/>'.encode(), lambda *_: None)
    assert fault.value.fault is Fault.DAMAGED


def test_every_format_has_its_reader() -> None:
    from specchat.services.chat.document_files import DocumentKind

    assert set(READERS) == set(DocumentKind)
    assert all(callable(load_reader(kind)) for kind in READERS)
