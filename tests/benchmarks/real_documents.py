"""What is read of documents that other programs have made, against the words that were put in.

python tests/benchmarks/real_documents.py FOLDER [NAME ...]

Makes those that are not in the folder yet, with what is installed of LibreOffice (`soffice`), pandoc, groff, and of the
packages typst, weasyprint, reportlab, fpdf2 and python-docx. Beside each is a `.words` file: what was put in, in order.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from support.document_words import compare_words
from support.real_documents.makers import make_missing

from specchat.backends.documents.document_text import DocumentFault, DocumentText
from specchat.backends.documents.formats import load_reader
from specchat.services.chat.document_files import detect_document


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", help="only those that contain one of these")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name, reason in make_missing(arguments.folder).items():
        print(f"{name}: not made: {reason}")
    print("| document | bytes | words | lost | added | in order |\n| --- | --- | --- | --- | --- | --- |")
    for path in _documents(arguments.folder, arguments.names):
        print(_row(path))


def _documents(folder: Path, names: list[str]) -> Iterator[Path]:
    for words in sorted(folder.glob("*.words")):
        path = words.with_suffix("")
        if path.exists() and (not names or any(name in path.name for name in names)):
            yield path


def _row(path: Path) -> str:
    size = sum(each.stat().st_size for each in path.rglob("*")) if path.is_dir() else path.stat().st_size
    try:
        text = read_text(path)
    except DocumentFault as fault:
        return f"| {path.name} | {size} | {fault.fault} | | | |"
    found = compare_words(path.with_name(f"{path.name}.words").read_text("utf-8"), text)
    lost, added = (" ".join(words[:12]) for words in (found.lost, found.added))
    return f"| {path.name} | {size} | {found.n_words} | {lost} | {added} | {found.in_order:.3f} |"


def read_text(path: Path) -> str:
    kind = detect_document(path)
    if kind is None:
        return path.read_text("utf-8")
    document = DocumentText()
    load_reader(kind)(path, document)
    return document.text


if __name__ == "__main__":
    main()
