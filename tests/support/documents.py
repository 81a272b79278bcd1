"""Makes small documents of all kinds, byte by byte."""

from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

_CONTENT_TYPES = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_ODT = 'xmlns:office="urn:o" xmlns:text="urn:t" xmlns:table="urn:tb"'


def make_pdf(pages: Sequence[str], *, encrypted: bool = False) -> bytes:
    """A page of Helvetica for each text, a line for each of its lines."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, text in enumerate(pages):
        content = _page_content(text)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> "
            f"/Contents {5 + 2 * number} 0 R >>".encode()
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream")
    trailer = ""
    if encrypted:
        keys = f"/O <{'00' * 32}> /U <{'11' * 32}>"
        objects.append(f"<< /Filter /Standard /V 1 /R 2 /P -4 {keys} >>".encode())
        trailer = f" /Encrypt {len(objects)} 0 R /ID [<00> <00>]"
    return write_pdf(objects, trailer)


def write_pdf(objects: Sequence[bytes], trailer: str = "") -> bytes:
    """The first one is the catalog."""
    file, places = bytearray(b"%PDF-1.4\n"), []
    for number, content in enumerate(objects, 1):
        places.append(len(file))
        file += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    start = len(file)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    file += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    file += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R{trailer} >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(file)


def _page_content(text: str) -> bytes:
    lines = [line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)") for line in text.split("\n") if line]
    shown = "".join(f"({line}) Tj T*\n" for line in lines)
    return f"BT /F 11 Tf 14 TL 50 790 Td\n{shown}ET".encode("cp1252") if lines else b""


def make_zip(parts: Mapping[str, str | bytes], *, stored: Sequence[str] = ()) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content, ZIP_STORED if name in stored else ZIP_DEFLATED)
    return packed.getvalue()


def make_docx(paragraphs: Sequence[str | tuple[str, ...]], rows: Sequence[Sequence[str]] = ()) -> bytes:
    """Paragraphs may have a style and text boxes: (the id of the style, text, texts of boxes...)."""
    body = "".join(map(_docx_paragraph, paragraphs))
    if rows:
        body += f"<w:tbl>{''.join(map(_docx_row, rows))}</w:tbl>"
    styles = f'<w:styles {_W}><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style></w:styles>'
    return make_zip(
        {
            "[Content_Types].xml": _CONTENT_TYPES,
            "word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>",
            "word/styles.xml": styles,
        }
    )


def _docx_paragraph(paragraph: str | tuple[str, ...]) -> str:
    style, text, *boxes = ("", paragraph) if isinstance(paragraph, str) else paragraph
    shape = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    boxed = "".join(
        f"<w:r><w:pict><w:txbxContent>{_docx_paragraph(box)}</w:txbxContent></w:pict></w:r>" for box in boxes
    )
    return f'<w:p>{shape}{boxed}<w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def _docx_row(cells: Sequence[str]) -> str:
    return f"<w:tr>{''.join(f'<w:tc>{_docx_paragraph(cell)}</w:tc>' for cell in cells)}</w:tr>"


def make_xlsx(sheets: Mapping[str, str], strings: Sequence[str] = (), **more: str) -> bytes:
    """`sheets`: their rows; a name that begins with a point is one of a hidden sheet."""
    numbered = list(enumerate(sheets, 1))
    states = {name: "hidden" if name.startswith(".") else "visible" for name in sheets}
    listed = "".join(f'<sheet name="{name}" state="{states[name]}" r:id="rId{n}"/>' for n, name in numbered)
    related = "".join(f'<Relationship Id="rId{n}" Target="worksheets/sheet{n}.xml"/>' for n, _ in numbered)
    return make_zip(
        {
            "[Content_Types].xml": _CONTENT_TYPES,
            "xl/workbook.xml": f"<workbook><sheets>{listed}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": f"<Relationships>{related}</Relationships>",
            "xl/sharedStrings.xml": f"<sst>{''.join(f'<si>{each}</si>' for each in strings)}</sst>",
            **{f"xl/worksheets/sheet{n}.xml": f"<worksheet>{sheets[name]}</worksheet>" for n, name in numbered},
            **more,
        }
    )


def make_odt(content: str, **more: str) -> bytes:
    """`content`: of office:text."""
    body = f"<office:body><office:text>{content}</office:text></office:body>"
    whole = f"<office:document-content {_ODT}>{body}</office:document-content>"
    parts = {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": whole, **more}
    return make_zip(parts, stored=("mimetype",))


def make_epub(chapters: Sequence[str], **more: str) -> bytes:
    """Each is the body of a page."""
    items = "".join(
        f'<item id="c{n}" href="c{n}.xhtml" media-type="application/xhtml+xml"/>' for n in range(len(chapters))
    )
    order = "".join(f'<itemref idref="c{n}"/>' for n in range(len(chapters)))
    root = '<rootfile full-path="OEBPS/book.opf"/>'
    parts = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": f"<container><rootfiles>{root}</rootfiles></container>",
        "OEBPS/book.opf": f"<package><manifest>{items}</manifest><spine>{order}</spine></package>",
        **{
            f"OEBPS/c{n}.xhtml": f"<?xml version='1.0'?><html><head><title>x</title></head><body>{body}</body></html>"
            for n, body in enumerate(chapters)
        },
        **more,
    }
    return make_zip(parts, stored=("mimetype",))


def make_bomb(name: str, *, size: int = 1 << 30) -> bytes:
    """A zip file with a part of a gigabyte of zeros, which packs to a megabyte."""
    packed = BytesIO()
    piece = bytes(1 << 20)
    with ZipFile(packed, "w", ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr("[Content_Types].xml", _CONTENT_TYPES)
        with file.open(name, "w") as part:
            for _ in range(size >> 20):
                part.write(piece)
    return packed.getvalue()


def write_file(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def write_book(path: Path, n_lines: int) -> Path:
    """All lines are alike but one: who painted the lighthouse."""
    lines = [f"The river flows past stone {n}." for n in range(n_lines)]
    lines[n_lines * 2 // 3] = "Ada Vonk painted the lighthouse purple."
    return write_file(path, "\n".join(lines))
