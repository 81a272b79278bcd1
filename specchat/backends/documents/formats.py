"""The formats of documents. To add one: a line here, and a file with the function that reads it."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from specchat.backends.documents.document_text import DocumentText

ReadDocument = Callable[[Path, DocumentText], None]

READERS: dict[str, tuple[str, str]] = {
    "pdf": ("pdf", "read_pdf"),
    "docx": ("docx", "read_docx"),
    "odt": ("odt", "read_odt"),
    "epub": ("epub", "read_epub"),
    "html": ("html_page", "read_html"),
    "xlsx": ("xlsx", "read_xlsx"),
    "table": ("table_rows", "read_table"),
    "folder": ("source_folder", "read_folder"),
}
"""By the names of `DocumentKind`: the module and its function. Each is imported only when it is needed."""


def load_reader(kind: str) -> ReadDocument:
    module, function = READERS[kind]
    reader: ReadDocument = getattr(import_module(f"specchat.backends.documents.{module}"), function)
    return reader
