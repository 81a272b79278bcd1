"""Rows of Excel workbooks (.xlsx), sheet by sheet, as the program shows them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from specchat.backends.documents.document_text import DocumentFault, DocumentText, Fault
from specchat.backends.documents.packed_file import PackedFile, open_packed
from specchat.backends.documents.table_rows import Row, add_rows
from specchat.backends.documents.xml_walk import Attributes, walk_xml
from specchat.domain.documents import MAX_CHARACTERS

_WORKBOOK = "xl/workbook.xml"
_RELATIONS = "xl/_rels/workbook.xml.rels"
_STRINGS = "xl/sharedStrings.xml"
_STYLES = "xl/styles.xml"
_MOST_COLUMNS = 256
_LONGEST_CELL = 32_767
_DATE_FORMATS = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
_NOT_CODE = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.')
_LETTERS = re.compile(r"[A-Z]{1,3}")
_FIRST_DAY, _FIRST_DAY_OF_MACS = datetime(1899, 12, 30), datetime(1904, 1, 1)
_DAYS = 2_900_000
"""Up to the year 9839."""


def read_xlsx(path: Path, document: DocumentText) -> None:
    with open_packed(path) as file:
        if _WORKBOOK not in file:
            raise DocumentFault(Fault.UNSUPPORTED)
        book = _read_workbook(file)
        strings = _read_strings(file)
        dates = _read_date_styles(file)
        for number, (name, part) in enumerate(book.sheets, 1):
            sheet = _Sheet(strings, dates, book.first_day)
            walk_xml(file.read(part), sheet.start, sheet.end, sheet.text)
            if len(book.sheets) == 1:
                add_rows(iter(sheet.rows), ",", document)
            else:
                title = f"{' '.join(name.split())}:\n"
                add_rows(iter(sheet.rows), ",", document, f"sheet {number} row", title)


@dataclass(slots=True)
class _Workbook:
    first_day: datetime = _FIRST_DAY
    sheets: list[tuple[str, str]] = field(default_factory=list)
    """The names and parts of those that are shown."""


def _read_workbook(file: PackedFile) -> _Workbook:
    parts: dict[str, str] = {}
    book = _Workbook()

    def relation(name: str, attributes: Attributes) -> None:
        if _local(name) == "Relationship":
            target = attributes.get("Target", "")
            parts[attributes.get("Id", "")] = target[1:] if target.startswith("/") else f"xl/{target}"

    def entry(name: str, attributes: Attributes) -> None:
        if _local(name) == "workbookPr" and attributes.get("date1904", "0") in ("1", "true"):
            book.first_day = _FIRST_DAY_OF_MACS
        part = parts.get(attributes.get("r:id", ""), "")
        if _local(name) == "sheet" and attributes.get("state", "visible") == "visible" and part in file:
            book.sheets.append((attributes.get("name", ""), part))

    walk_xml(file.read(_RELATIONS), relation)
    walk_xml(file.read(_WORKBOOK), entry)
    return book


def _read_strings(file: PackedFile) -> Sequence[str]:
    found = _Strings()
    if _STRINGS in file:
        walk_xml(file.read(_STRINGS), found.start, found.end, found.text)
    return found.strings


class _Strings:
    def __init__(self) -> None:
        self.strings: list[str] = []
        self._text: list[str] = []
        self._is_text = False
        self._phonetic = 0

    def start(self, name: str, _: Attributes) -> None:
        match _local(name):
            case "si":
                self._text = []
            case "t":
                self._is_text = not self._phonetic
            case "rPh":
                self._phonetic += 1

    def end(self, name: str) -> None:
        match _local(name):
            case "si":
                self.strings.append("".join(self._text)[:_LONGEST_CELL])
            case "t":
                self._is_text = False
            case "rPh":
                self._phonetic -= 1

    def text(self, text: str) -> None:
        if self._is_text:
            self._text.append(text)


def _read_date_styles(file: PackedFile) -> frozenset[str]:
    """The numbers of the cell styles that show dates."""
    formats, found = set(map(str, _DATE_FORMATS)), set()
    in_cells, n_styles = False, 0

    def start(name: str, attributes: Attributes) -> None:
        nonlocal in_cells, n_styles
        if _local(name) == "numFmt" and re.search("[dmyhs]", _NOT_CODE.sub("", attributes.get("formatCode", "")), re.I):
            formats.add(attributes.get("numFmtId", ""))
        if _local(name) == "cellXfs":
            in_cells = True
        elif _local(name) == "xf" and in_cells:
            if attributes.get("numFmtId") in formats:
                found.add(str(n_styles))
            n_styles += 1

    def end(name: str) -> None:
        nonlocal in_cells
        in_cells = in_cells and _local(name) != "cellXfs"

    if _STYLES in file:
        walk_xml(file.read(_STYLES), start, end)
    return frozenset(found)


class _Sheet:
    def __init__(self, strings: Sequence[str], dates: frozenset[str], first_day: datetime) -> None:
        self.rows: list[Row] = []
        self._dates, self._first_day = dates, first_day
        self._values: Mapping[str, Callable[[str], str]] = {
            "s": lambda text: strings[int(text)] if 0 <= int(text) < len(strings) else "",
            "b": lambda text: "TRUE" if text == "1" else "FALSE",
            **dict.fromkeys(("str", "inlineStr", "e", "d"), str),
        }
        self._length = 0
        self._number = 0
        self._cells: list[str] = []
        self._column = -1
        self._kind = self._style = ""
        self._text: list[str] = []
        self._is_value = False
        self._phonetic = 0

    def start(self, name: str, attributes: Attributes) -> None:
        match _local(name):
            case "row":
                self._number = int(attributes.get("r", self._number + 1))
                self._cells, self._column = [], -1
            case "c":
                named = _LETTERS.match(attributes.get("r", ""))
                self._column = _column(named[0]) if named else self._column + 1
                self._kind, self._style, self._text = attributes.get("t", "n"), attributes.get("s", ""), []
            case "v" | "t":
                self._is_value = not self._phonetic
            case "rPh":
                self._phonetic += 1

    def end(self, name: str) -> None:
        match _local(name):
            case "row":
                if any(self._cells):
                    self._length += sum(map(len, self._cells)) + len(self._cells)
                    self.rows.append((self._number, self._cells))
                if self._length > MAX_CHARACTERS:
                    raise DocumentFault(Fault.TOO_LONG)
            case "c":
                self._add_cell("".join(self._text)[:_LONGEST_CELL])
            case "v" | "t":
                self._is_value = False
            case "rPh":
                self._phonetic -= 1

    def text(self, text: str) -> None:
        if self._is_value:
            self._text.append(text)

    def _add_cell(self, text: str) -> None:
        if text and self._column < _MOST_COLUMNS:
            self._cells += [""] * (self._column + 1 - len(self._cells))
            self._cells[self._column] = self._values.get(self._kind, self._shown_number)(text)

    def _shown_number(self, text: str) -> str:
        number = float(text)
        if self._style not in self._dates or not 0 <= number < _DAYS:
            return f"{number:.15g}"
        moment = self._first_day + timedelta(seconds=round(number * 86_400))
        if number < 1:
            return f"{moment:%H:%M}"
        return f"{moment:%Y-%m-%d}" if number == int(number) else f"{moment:%Y-%m-%d %H:%M}"


def _column(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _local(name: str) -> str:
    """Excel writes no prefixes here; a few programs do."""
    return name.rpartition(":")[2]
