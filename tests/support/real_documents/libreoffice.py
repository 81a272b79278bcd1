"""Documents that LibreOffice converts from OpenDocument XML and CSV."""

# ruff: noqa: E501

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from support.real_documents.samples import PROSE, RIGHT_TO_LEFT, Make, plain, trees

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
    + f'<text:section text:style-name="Two" text:name="S">{"".join(map(_p, trees(1, 16)))}</text:section>'
    + _p("One column again.")
)
COLUMNS_TEXT = " ".join(["Columns", *trees(1, 16), "One column again."])
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
    + "".join(map(_p, trees(1, 30)))
    + _table([["Tea", "Price"], ["Darjeeling", "4.20"], ["Sencha green", "5.80"]])
)
RICH_TEXT = " ".join(
    [
        "The efficient office The affluent staff found five difficult waffles at the fjord flow; 3.5 % were offline.",
        "Naïve Größe, façade & señor: l’œuvre coûte 12,50 € that’s well-known.",
        *trees(1, 30),
        "Tea Price Darjeeling 4.20 Sencha green 5.80",
    ]
)
SHEET = 'Name,Price,Note\nTea,4.20,plain\n"Oolong, dark",5.80,"two\nlines"\nGrößer,12,"say ""hi"""\n'


def sheet(extension: str, options: str = "") -> Make:
    def make(path: Path) -> str:
        by_libreoffice(SHEET, "csv", extension, options=options)(path)
        return SHEET if extension == "csv" else SHEET.replace(".20", ".2").replace(".80", ".8")

    return make
