"""Documents that groff, typst, Python packages and Qt write."""

# ruff: noqa: E501
# mypy: disable-error-code="import-untyped, import-not-found"

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from support.pictures import png
from support.real_documents.samples import (
    RICH,
    RIGHT_TO_LEFT,
    Make,
    page,
    plain,
    trees,
    with_numbers,
)


def by_groff(path: Path) -> str:
    text = "\n.PP\n".join(trees(1, 24))
    source = f".2C\n.PP\n{text}\n"
    made = subprocess.run(["groff", "-ms", "-Tpdf"], input=source.encode(), check=True, capture_output=True, timeout=60)
    path.write_bytes(made.stdout)
    return " ".join(trees(1, 24))


def by_typst(path: Path) -> str:
    import typst

    table = "#table(columns: 2, [Tea], [Price], [Darjeeling], [4.20], [Sencha green], [5.80])"
    body = "\n\n".join(trees(1, 20))
    source = (
        '#set page(width: 12cm, height: 16cm, columns: 2)\n#set text(hyphenate: true, lang: "en")\n#set par(justify: true)\n'
        f"The efficient affluent staff found difficult waffles.#footnote[Foot remark]\n\n{body}\n\n{table}\n"
    )
    path.write_bytes(typst.compile(source.encode()))
    return f"The efficient affluent staff found difficult waffles. {' '.join(trees(1, 20))} Tea Price Darjeeling 4.20 Sencha green 5.80 Foot remark"


def by_weasyprint(path: Path) -> str:
    from weasyprint import HTML

    style = "<style>@page { size: 9cm 14cm; margin: 1cm } p { hyphens: auto; text-align: justify }</style>"
    HTML(string=page(RICH, head=style).replace("<html>", "<html lang='en'>")).write_pdf(path)
    return with_numbers(plain(RICH))


def by_reportlab(path: Path) -> str:
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    style = getSampleStyleSheet()["Normal"]
    chinese = style.clone("c", fontName="STSong-Light")
    rows = [["Tea", "Price", "Stock"], ["Darjeeling", "4.20", "17"], ["Sencha green", "5.80", "9"]]
    story = [Paragraph(each, style) for each in trees(1, 12)]
    SimpleDocTemplate(str(path)).build([*story, Paragraph("北京是中华人民共和国的首都。", chinese), Table(rows)])
    return " ".join([*trees(1, 12), "北京是中华人民共和国的首都。", *(" ".join(row) for row in rows)])


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
    pdf.multi_cell(0, text=" ".join(trees(1, 8)), align="J")
    with pdf.table(first_row_as_headings=False) as table:
        for row in (("Tea", "Price"), ("Größer", "4.20")):
            cells = table.row()
            for cell in row:
                cells.cell(cell)
    pdf.output(str(path))
    return " ".join([*trees(1, 8), "Tea Price Größer 4.20"])


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
        return with_numbers(plain(RICH)) if extension == "pdf" else plain(RICH + RIGHT_TO_LEFT)

    return make
