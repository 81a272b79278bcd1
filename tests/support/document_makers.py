"""Documents that other programs make: LibreOffice, pandoc, groff, typst, weasyprint, reportlab, fpdf2, python-docx and Qt."""

# ruff: noqa: E501
# mypy: disable-error-code="import-untyped, import-not-found"

import html
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from support.pictures import png

Make = Callable[[Path], str]
"""Writes the file, and returns what was put in."""

_INLINE = re.compile(r"</?(?:b|i|em|strong|a|span|code|u)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")

PROSE = (
    "<h1>The efficient office</h1><p>The <b>af</b>fluent staff found five difficult waffles at the "
    "fjord&nbsp;flow; 3.5&nbsp;% were “offline”.</p><p>Naïve Größe, façade &amp; señor: l’œuvre coûte 12,50&nbsp;€ "
    "— that’s <i>well-known</i>.</p><p>Donau&shy;dampf&shy;schiff fährt heute.</p>"
)
LONG = "".join(
    f"<p>Paragraph{n:02} begins with oak{n:02} and elm{n:02}, then ash{n:02} follows yew{n:02} until fir{n:02} ends "
    f"between larch{n:02}, birch{n:02}, alder{n:02}, maple{n:02} or cedar{n:02}.</p>"
    for n in range(1, 31)
)
LISTS = (
    "<h2>Lists</h2><ul><li>Assam</li><li>Ceylon<ul><li>Nuwara</li><li>Dimbula</li></ul></li></ul>"
    "<ol><li>boil</li><li>pour</li><li>wait</li></ol>"
)
TABLE = (
    "<h2>Prices</h2><table border='1'><tr><th>Tea</th><th>Price</th><th>Stock</th></tr>"
    "<tr><td>Darjeeling</td><td>4.20</td><td>17</td></tr><tr><td>Sencha green</td><td>5.80</td><td>9</td></tr>"
    "<tr><td colspan='2'>Keemun total</td><td>26</td></tr></table>"
)
RIGHT_TO_LEFT = (
    "<p dir='rtl'>مرحبا بالعالم هذا نص عربي للاختبار</p><p dir='rtl'>שלום עולם זהו טקסט בעברית</p><p>plain tail</p>"
)
CJK = "<p>北京是中华人民共和国的首都。</p><p>東京タワーはとても高いです。</p><p>한국어 문장 입니다</p>"
RICH = PROSE + LISTS + TABLE + LONG


def plain(markup: str) -> str:
    """The text of such markup; soft hyphens are no part of words."""
    return html.unescape(_TAG.sub(" ", _INLINE.sub("", markup))).replace("\u00ad", "")


def page(body: str, encoding: str = "utf-8", head: str = "") -> str:
    return (
        f"<!DOCTYPE html><html><head><meta charset='{encoding}'>{head}</head>"
        f"<body style='font-family: DejaVu Sans, Droid Sans Fallback'>{body}</body></html>"
    )


# LibreOffice


_AS_READ = {"csv": ["--infilter=CSV:44,34,76,1,,0,false,false"]}
"""In UTF-8, numbers as they stand."""


def by_libreoffice(source: str, suffix: str, extension: str, *, options: str = "") -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with TemporaryDirectory() as folder:
            made = Path(folder, f"{path.stem}.{suffix}")
            made.write_text(source, "utf-8")
            command = ["soffice", f"-env:UserInstallation=file://{Path(path.parent, '.office').absolute()}"]
            wanted = f"{extension}{options}"
            command += ["--headless", *_AS_READ.get(suffix, ()), "--convert-to", wanted, "--outdir", folder, str(made)]
            subprocess.run(command, check=True, capture_output=True, timeout=300)
            shutil.move(Path(folder, f"{path.stem}.{extension}"), path)

    return make


def office(source: str, put_in: str, extension: str, options: str = "") -> Make:
    return lambda path: (by_libreoffice(source, "fodt", extension, options=options)(path), put_in)[1]


_FODT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0" office:version="1.3"
 office:mimetype="application/vnd.oasis.opendocument.text">
<office:font-face-decls><style:font-face style:name="D" svg:font-family="'DejaVu Sans'"/>
<style:font-face style:name="F" svg:font-family="'Droid Sans Fallback'"/></office:font-face-decls>
<office:styles><style:default-style style:family="paragraph">
<style:text-properties style:font-name="D" style:font-name-asian="F" style:font-name-complex="D" fo:font-size="11pt"/>
</style:default-style></office:styles>
<office:automatic-styles>
<style:style style:name="Two" style:family="section"><style:section-properties>
<style:columns fo:column-count="2" fo:column-gap="0.5cm"/></style:section-properties></style:style>
<style:style style:name="R" style:family="paragraph">
<style:paragraph-properties style:writing-mode="rl-tb" fo:text-align="end"/></style:style>
<style:page-layout style:name="L"><style:page-layout-properties fo:page-width="14cm" fo:page-height="20cm"
 fo:margin-top="1cm" fo:margin-bottom="1cm" fo:margin-left="1.5cm" fo:margin-right="1.5cm"/>
<style:header-style/><style:footer-style/></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="L">%s</style:master-page>
</office:master-styles><office:body><office:text>%s</office:text></office:body></office:document>"""


def fodt(body: str, header: str = "") -> str:
    return _FODT % (f"<style:header><text:p>{header}</text:p></style:header>" if header else "", body)


def _p(text: str, style: str = "") -> str:
    return f"<text:p{f' text:style-name={chr(34)}{style}{chr(34)}' if style else ''}>{text}</text:p>"


def _h(text: str, level: int = 1) -> str:
    return f'<text:h text:outline-level="{level}">{text}</text:h>'


def _table(rows: Sequence[Sequence[str]]) -> str:
    made = "".join(
        f"<table:table-row>{''.join(f'<table:table-cell>{_p(cell)}</table:table-cell>' for cell in row)}</table:table-row>"
        for row in rows
    )
    return f'<table:table table:name="T"><table:table-column table:number-columns-repeated="{len(rows[0])}"/>{made}</table:table>'


def _trees(first: int, last: int) -> list[str]:
    return [plain(each).strip() for each in LONG.split("</p>")[first - 1 : last]]


_NOTE = (
    '<text:note text:id="n{n}" text:note-class="{kind}"><text:note-citation>{n}</text:note-citation>'
    "<text:note-body><text:p>{text}</text:p></text:note-body></text:note>"
)
_ANNOTATION = "<office:annotation><dc:creator>Critic</dc:creator><dc:date>2026-01-01T00:00:00</dc:date><text:p>Doubtful remark</text:p></office:annotation>"
_BOX = (
    '<draw:frame text:anchor-type="paragraph" svg:width="4cm" svg:height="2cm"><draw:text-box>'
    "<text:p>Boxed aside</text:p></draw:text-box></draw:frame>"
)
_CHANGES = (
    "<text:tracked-changes>"
    '<text:changed-region text:id="c1" xml:id="c1"><text:deletion><office:change-info><dc:creator>A</dc:creator>'
    "<dc:date>2026-01-01T00:00:00</dc:date></office:change-info><text:p>deletedword</text:p></text:deletion></text:changed-region>"
    '<text:changed-region text:id="c2" xml:id="c2"><text:insertion><office:change-info><dc:creator>A</dc:creator>'
    "<dc:date>2026-01-01T00:00:00</dc:date></office:change-info></text:insertion></text:changed-region></text:tracked-changes>"
)
NOTES = fodt(
    _h("Notes")
    + _p(
        f"Tides{_NOTE.format(n=1, kind='footnote', text='Foot remark')} rise twice{_NOTE.format(n=2, kind='endnote', text='Closing remark')} daily."
    )
    + _table([["Port", "Height"], ["Brest", "7.2"], ["Saint Malo", "13.5"]])
    + _p(f"Before{_BOX} after the box."),
    header="Running head",
)
NOTES_TEXT = "Notes Tides rise twice daily. Foot remark Closing remark Port Height Brest 7.2 Saint Malo 13.5 Before Boxed aside after the box."
CHANGES = fodt(
    _CHANGES
    + _h("Changes")
    + _p(
        f'Kept <text:change text:change-id="c1"/><text:change-start text:change-id="c2"/>inserted'
        f'<text:change-end text:change-id="c2"/> words{_ANNOTATION} remain<text:s text:c="3"/>spaced<text:tab/>tabbed'
        f"<text:line-break/>broken."
    )
    + _p(PROSE[PROSE.find("Donau") : PROSE.find(" fährt")].replace("&shy;", "\u00ad") + " fährt")
)
CHANGES_TEXT = "Changes Kept inserted words remain spaced tabbed broken. Donaudampfschiff fährt"
COLUMNS = fodt(
    _h("Columns")
    + f'<text:section text:style-name="Two" text:name="S">{"".join(map(_p, _trees(1, 16)))}</text:section>'
    + _p("One column again.")
)
COLUMNS_TEXT = " ".join(["Columns", *_trees(1, 16), "One column again."])
SCRIPTS = fodt(
    "".join(_p(each, "R") for each in ("مرحبا بالعالم هذا نص عربي للاختبار", "שלום עולם זהו טקסט בעברית"))
    + "".join(map(_p, ("北京是中华人民共和国的首都。", "東京タワーはとても高いです。", "plain tail")))
)
SCRIPTS_TEXT = (
    plain(RIGHT_TO_LEFT).replace("plain tail", "")
    + "北京是中华人民共和国的首都。東京タワーはとても高いです。 plain tail"
)
NESTED = fodt(
    _h("Nested")
    + "<text:list><text:list-item>" + _p("Assam") + "<text:list><text:list-item>" + _p("Nuwara")
    + "</text:list-item></text:list></text:list-item><text:list-item>" + _p("Ceylon") + "</text:list-item></text:list>"
    + '<table:table table:name="Outer"><table:table-column table:number-columns-repeated="2"/><table:table-row>'
    + "<table:table-cell>" + _p("outer left") + _table([["inner one", "inner two"], ["inner three", "inner four"]])
    + "</table:table-cell><table:table-cell>" + _p("outer right") + _p("second line") + "</table:table-cell></table:table-row></table:table>"
    + _p('<text:a xlink:href="https://example.org/">linked words</text:a> and <text:span>sp</text:span>an <text:bookmark-start text:name="b"/>marked<text:bookmark-end text:name="b"/>.')
)  # fmt: skip
NESTED_TEXT = "Nested Assam Nuwara Ceylon outer left inner one inner two inner three inner four outer right second line linked words and span marked."
RICH_FODT = fodt(
    _h("The efficient office")
    + _p(
        "The <text:span>af</text:span>fluent staff found five difficult waffles at the fjord flow; 3.5 % were “offline”."
    )
    + _p("Naïve Größe, façade &amp; señor: l’œuvre coûte 12,50 € — that’s well-known.")
    + "".join(map(_p, _trees(1, 30)))
    + _table([["Tea", "Price"], ["Darjeeling", "4.20"], ["Sencha green", "5.80"]])
)
RICH_TEXT = " ".join(
    [
        "The efficient office The affluent staff found five difficult waffles at the fjord flow; 3.5 % were offline.",
        "Naïve Größe, façade & señor: l’œuvre coûte 12,50 € that’s well-known.",
        *_trees(1, 30),
        "Tea Price Darjeeling 4.20 Sencha green 5.80",
    ]
)
SHEET = 'Name,Price,Note\nTea,4.20,plain\n"Oolong, dark",5.80,"two\nlines"\nGrößer,12,"say ""hi"""\n'


def sheet(extension: str, options: str = "") -> Make:
    def make(path: Path) -> str:
        by_libreoffice(SHEET, "csv", extension, options=options)(path)
        return SHEET if extension == "csv" else SHEET.replace(".20", ".2").replace(".80", ".8")

    return make


# pandoc


MARKDOWN = """# The efficient office

The **af**fluent staff found five difficult waffles[^one] at the fjord flow; 3.5 % were "offline".

Naïve Größe, façade & señor: l'œuvre coûte 12,50 €.

## Lists

- Assam
- Ceylon
    - Nuwara
    - Dimbula

1. boil
2. pour

Term
:   its definition

> quoted words

``` python
def steep(minutes):
    return minutes
```

| Tea | Price |
| --- | ---: |
| Darjeeling | 4.20 |
| Sencha green | 5.80 |

Inline $x^2$ math and ~~struck~~ H~2~O, `code words`, [linked words](https://example.org/).

![picture caption](p.png)

[^one]: Foot remark
"""
MARKDOWN_TEXT = (
    "The efficient office The affluent staff found five difficult waffles at the fjord flow; 3.5 % were offline. Naïve Größe, "
    "façade & señor: l’œuvre coûte 12,50 €. Lists Assam Ceylon Nuwara Dimbula boil pour Term its definition quoted words "
    "def steep(minutes): return minutes Tea Price Darjeeling 4.20 Sencha green 5.80 Inline x2 math and struck H2O, code words, "
    "linked words. picture caption Foot remark"
)
PANDOC_CHANGES = (
    'Kept [inserted]{.insertion author="A" date="2026-01-01T00:00:00Z"} [deletedword]{.deletion author="A" date="2026-01-01T00:00:00Z"} words '
    '[Doubtful remark]{.comment-start id="1" author="C" date="2026-01-01T00:00:00Z"}remain[]{.comment-end id="1"}.\n'
)
CHAPTERS = "".join(f"# Chapter{n}\n\n" + "\n\n".join(_trees(3 * n - 2, 3 * n)) + "\n\n" for n in range(1, 6))
CJK_MARKDOWN = (
    "# 第一章\n\n北京是中华人民共和国的首都。\n\n東京タワーは[とても]{.underline}高いです。\n\n# 第二章\n\n終わり。\n"
)


def pandoc(source: str, put_in: str, *arguments: str) -> Make:
    def make(path: Path) -> str:
        with TemporaryDirectory() as folder:
            Path(folder, "p.png").write_bytes(png())
            Path(folder, "s.md").write_text(source, "utf-8")
            command = ["pandoc", "s.md", "-s", "--metadata", "title=Titled", *arguments, "-o", str(path.absolute())]
            subprocess.run(command, check=True, capture_output=True, cwd=folder, timeout=300)
        return put_in

    return make


def by_groff(path: Path) -> str:
    text = "\n.PP\n".join(_trees(1, 24))
    source = f".2C\n.PP\n{text}\n"
    made = subprocess.run(["groff", "-ms", "-Tpdf"], input=source.encode(), check=True, capture_output=True, timeout=60)
    path.write_bytes(made.stdout)
    return " ".join(_trees(1, 24))


# Packages


def by_typst(path: Path) -> str:
    import typst

    table = "#table(columns: 2, [Tea], [Price], [Darjeeling], [4.20], [Sencha green], [5.80])"
    body = "\n\n".join(_trees(1, 20))
    source = (
        '#set page(width: 12cm, height: 16cm, columns: 2)\n#set text(hyphenate: true, lang: "en")\n#set par(justify: true)\n'
        f"The efficient affluent staff found difficult waffles.#footnote[Foot remark]\n\n{body}\n\n{table}\n"
    )
    path.write_bytes(typst.compile(source.encode()))
    return f"The efficient affluent staff found difficult waffles. {' '.join(_trees(1, 20))} Tea Price Darjeeling 4.20 Sencha green 5.80 Foot remark"


def by_weasyprint(path: Path) -> str:
    from weasyprint import HTML

    style = "<style>@page { size: 9cm 14cm; margin: 1cm } p { hyphens: auto; text-align: justify }</style>"
    HTML(string=page(RICH, head=style).replace("<html>", "<html lang='en'>")).write_pdf(path)
    return _with_numbers(plain(RICH))


def _with_numbers(text: str) -> str:
    return text.replace("boil", "1. boil").replace("pour", "2. pour").replace("wait", "3. wait")


def by_reportlab(path: Path) -> str:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    style = getSampleStyleSheet()["Normal"]
    chinese = style.clone("c", fontName="STSong-Light")
    rows = [["Tea", "Price", "Stock"], ["Darjeeling", "4.20", "17"], ["Sencha green", "5.80", "9"]]
    story = [Paragraph(each, style) for each in _trees(1, 12)]
    SimpleDocTemplate(str(path)).build([*story, Paragraph("北京是中华人民共和国的首都。", chinese), Table(rows)])
    return " ".join([*_trees(1, 12), "北京是中华人民共和国的首都。", *(" ".join(row) for row in rows)])


def by_reportlab_form(path: Path) -> str:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path))
    canvas.drawString(72, 700, "Name of the applicant:")
    canvas.acroForm.textfield(name="name", x=220, y=690, value="Ada Lovelace", width=200, height=20)
    canvas.drawString(72, 650, "Agreed")
    canvas.acroForm.checkbox(name="agreed", x=220, y=645, checked=True)
    canvas.save()
    return "Name of the applicant: Ada Lovelace Agreed"


def by_reportlab_locked(path: Path) -> str:
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(path), encrypt=StandardEncryption("secret"))
    canvas.drawString(72, 700, "Hidden words")
    canvas.save()
    return "Hidden words"


def by_fpdf(path: Path) -> str:
    from fpdf import FPDF

    pdf = FPDF(format="A5")
    pdf.add_page()
    pdf.add_font("D", fname="/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")
    pdf.set_font("D", size=11)
    pdf.set_text_shaping(False)
    pdf.multi_cell(0, text=" ".join(_trees(1, 8)), align="J")
    with pdf.table(first_row_as_headings=False) as table:
        for row in (("Tea", "Price"), ("Größer", "4.20")):
            cells = table.row()
            for cell in row:
                cells.cell(cell)
    pdf.output(str(path))
    return " ".join([*_trees(1, 8), "Tea Price Größer 4.20"])


def by_python_docx(path: Path) -> str:
    import docx

    document = docx.Document()
    document.add_heading("Merged", 1)
    document.sections[0].header.paragraphs[0].text = "Running head"
    table = document.add_table(3, 3)
    for n, cell in enumerate(each for row in table.rows for each in row.cells):
        cell.text = f"cell{n}"
    table.cell(0, 0).merge(table.cell(0, 1))
    table.cell(1, 2).merge(table.cell(2, 2))
    paragraph = document.add_paragraph("Begin ")
    paragraph.add_run("bo").bold = True
    paragraph.add_run("ld\tafter\nline")
    for each in ("Assam", "Ceylon"):
        document.add_paragraph(each, style="List Bullet")
    with TemporaryDirectory() as folder:
        Path(folder, "p.png").write_bytes(png())
        document.add_picture(str(Path(folder, "p.png")))
    document.save(str(path))
    return f"Merged {' '.join(f'cell{n}' for n in range(9))} Begin bold after line Assam Ceylon"


def by_qt(extension: str) -> Make:
    def make(path: Path) -> str:
        from PySide6.QtGui import QGuiApplication, QPdfWriter, QTextDocument, QTextDocumentWriter

        application = QGuiApplication.instance() or QGuiApplication([])
        document = QTextDocument()
        document.setHtml(page(RICH + (RIGHT_TO_LEFT if extension == "odt" else "")))
        if extension == "pdf":
            writer = QPdfWriter(str(path))
            document.print_(writer)
            del writer
        else:
            QTextDocumentWriter(str(path), b"ODF").write(document)
        del application
        return _with_numbers(plain(RICH)) if extension == "pdf" else plain(RICH + RIGHT_TO_LEFT)

    return make


# Text


def written(text: str, encoding: str, put_in: str | None = None) -> Make:
    def make(path: Path) -> str:
        path.write_bytes(text.encode(encoding))
        return plain(text) if put_in is None else put_in

    return make


def folder_of(files: dict[str, str]) -> Make:
    def make(path: Path) -> str:
        for name, text in files.items():
            Path(path, name).parent.mkdir(parents=True, exist_ok=True)
            Path(path, name).write_text(text, "utf-8")
        return " ".join(text for name, text in files.items() if name.endswith((".py", ".md", ".rs")))

    return make


FORM = (
    "<form><label>Name <input value='Ada'></label><textarea>long answer</textarea><select><option>red<option>blue</select>"
    "<button>Send form</button></form><script>no()</script><details><summary>More</summary>inside</details>"
    "<dl><dt>term</dt><dd>definition</dd></dl><p>H<sub>2</sub>O<wbr>!</p><ruby>漢<rt>かん</rt></ruby>"
)
FORM_TEXT = "Name long answer Send form More inside term definition H2O! 漢 かん"
ROWS = "id;name;price\n" + "".join(f'{n};"tea; {n:03}";{n},50 €\n' for n in range(1, 80))

MAKERS: dict[str, Make] = {
    "office-rich.pdf": office(RICH_FODT, RICH_TEXT, "pdf"),
    "office-notes.pdf": office(NOTES, NOTES_TEXT.replace("Notes", "Running head Notes", 1), "pdf"),
    "office-columns.pdf": office(COLUMNS, COLUMNS_TEXT, "pdf"),
    "office-scripts.pdf": office(SCRIPTS, SCRIPTS_TEXT, "pdf"),
    "office-changes.pdf": office(CHANGES, CHANGES_TEXT, "pdf"),
    "office-nested.pdf": office(NESTED, NESTED_TEXT, "pdf"),
    "office-locked.pdf": office(
        CHANGES, "", "pdf",
        ':writer_pdf_Export:{"EncryptFile":{"type":"boolean","value":"true"},'
        '"DocumentOpenPassword":{"type":"string","value":"secret"}}',
    ),
    "sheet.pdf": sheet("pdf"),
    "groff-columns.pdf": by_groff,
    "typst-columns.pdf": by_typst,
    "weasyprint.pdf": by_weasyprint,
    "reportlab.pdf": by_reportlab,
    "reportlab-form.pdf": by_reportlab_form,
    "reportlab-locked.pdf": by_reportlab_locked,
    "fpdf.pdf": by_fpdf,
    "qt.pdf": by_qt("pdf"),
    "office-rich.docx": office(RICH_FODT, RICH_TEXT, "docx"),
    "office-notes.docx": office(NOTES, NOTES_TEXT, "docx"),
    "office-changes.docx": office(CHANGES, CHANGES_TEXT, "docx"),
    "office-nested.docx": office(NESTED, NESTED_TEXT, "docx"),
    "office-scripts.docx": office(SCRIPTS, SCRIPTS_TEXT, "docx"),
    "office-columns.docx": office(COLUMNS, COLUMNS_TEXT, "docx"),
    "pandoc.docx": pandoc(MARKDOWN, f"Titled {MARKDOWN_TEXT}"),
    "pandoc-changes.docx": pandoc(PANDOC_CHANGES, "Titled Kept inserted words remain."),
    "python-docx.docx": by_python_docx,
    "office-notes.odt": office(NOTES, NOTES_TEXT, "odt"),
    "office-changes.odt": office(CHANGES, CHANGES_TEXT, "odt"),
    "office-nested.odt": office(NESTED, NESTED_TEXT, "odt"),
    "office-scripts.odt": office(SCRIPTS, SCRIPTS_TEXT, "odt"),
    "pandoc.odt": pandoc(MARKDOWN, f"Titled {MARKDOWN_TEXT}"),
    "qt.odt": by_qt("odt"),
    "pandoc-3.epub": pandoc(MARKDOWN, f"Titled {MARKDOWN_TEXT}", "-t", "epub3"),
    "pandoc-2.epub": pandoc(CHAPTERS, f"Titled {CHAPTERS}", "-t", "epub2", "--toc"),
    "pandoc-cjk.epub": pandoc(CJK_MARKDOWN, "Titled 第一章北京是中华人民共和国的首都。東京タワーはとても高いです。第二章終わり。"),
    "office.epub": office(RICH_FODT, RICH_TEXT, "epub"),
    "pandoc.html": pandoc(MARKDOWN, f"Titled Titled {MARKDOWN_TEXT}", "--mathml"),
    "office-rich.html": office(RICH_FODT, RICH_TEXT, "html"),
    "office-notes.html": office(NOTES, NOTES_TEXT, "html"),
    "form.html": written(page(FORM), "utf-8", FORM_TEXT),
    "german.html": written(page(PROSE.replace("œ", "oe"), "iso-8859-1").replace("—", "-"), "cp1252"),
    "japanese.html": written(page("<p>東京タワーはとても高いです。</p>", "Shift_JIS"), "shift_jis"),
    "chinese.html": written(page(CJK.partition("<p>한")[0]), "utf-16"),
    "sheet.csv": sheet("csv", ":Text - txt - csv (StarCalc):59,34,76"),
    "semicolons.csv": written(ROWS, "cp1252"),
    "tabs.tsv": written(ROWS.replace(";", "\t").replace("€", "EUR"), "utf-16", ROWS.replace("€", "EUR")),
    "marked.csv": written("sep=;\n" + ROWS, "utf-8-sig", ROWS),
    "code": folder_of(
        {
            "README.md": "# Code\n\nGrößer words.\n", "src/main.rs": "fn main() { steep(3) }\n",
            "src/a.py": 'print("hello world")\n', "build/made.py.txt": "produced\n", ".env.txt": "secret\n",
        }
    ),
}  # fmt: skip


def make_missing(folder: Path) -> dict[str, str]:
    """Those that could not be made, and why."""
    failed = {}
    for name, make in MAKERS.items():
        words = folder / f"{name}.words"
        if words.exists():
            continue
        try:
            words_put_in = make(folder / name)
            words.write_text(words_put_in, "utf-8")
        except (OSError, ImportError, subprocess.SubprocessError) as error:
            failed[name] = f"{type(error).__name__}: {error}"
    return failed
