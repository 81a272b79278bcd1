"""All documents, by the names of their files."""

# ruff: noqa: E501

import subprocess
from pathlib import Path

from support.real_documents.libreoffice import (
    CHANGES,
    CHANGES_TEXT,
    COLUMNS,
    COLUMNS_TEXT,
    NESTED,
    NESTED_TEXT,
    NOTES,
    NOTES_TEXT,
    RICH_FODT,
    RICH_TEXT,
    SCRIPTS,
    SCRIPTS_TEXT,
    office,
    sheet,
)
from support.real_documents.packages import (
    by_fpdf,
    by_groff,
    by_python_docx,
    by_qt,
    by_reportlab,
    by_reportlab_form,
    by_reportlab_locked,
    by_typst,
    by_weasyprint,
)
from support.real_documents.pandoc import (
    CHAPTERS,
    CJK_MARKDOWN,
    MARKDOWN,
    MARKDOWN_TEXT,
    PANDOC_CHANGES,
    pandoc,
)
from support.real_documents.samples import (
    CJK,
    FORM,
    FORM_TEXT,
    PROSE,
    ROWS,
    Make,
    page,
    plain,
)


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
