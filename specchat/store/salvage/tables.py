"""Reads the rows of the known tables from a damaged file."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from specchat.store.database import Database
from specchat.store.migrations import migrate
from specchat.store.salvage.btrees import BTree, BTreeRecord, Value, read_btree, unreached_leaves
from specchat.store.salvage.pages import Pages
from specchat.store.schema import MIGRATIONS

TABLES = (
    *("project", "project_file", "conversation", "message", "answer", "tool_call", "chunk", "attachment", "unsent"),
    *("picture", "picture_use", "preset", "prompt"),
)
"""What others refer to comes first."""
_SIBLINGS, _FILES, _PICTURES = "message_sibling", "attachment_message", "picture_use_message"
TableRow = dict[str, Value]


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    kinds: tuple[type, ...]
    is_optional: bool
    is_id: bool


@dataclass(slots=True)
class Table:
    rows: dict[int, TableRow] = field(default_factory=dict)
    torn: set[int] = field(default_factory=set)
    """Bytes of their text are none."""
    is_whole: bool = True


@dataclass(slots=True)
class Tables:
    by_name: dict[str, Table]
    messages: dict[int, tuple[int, int | None]] = field(default_factory=dict)
    """The conversation and the parent of each, as an index has them, trashed ones left out."""
    files: dict[int, int] = field(default_factory=dict)
    """The message of each attachment, as an index has them."""
    pictures: dict[int, int] = field(default_factory=dict)
    """The message of each use of a picture, likewise."""

    def __getitem__(self, name: str) -> Table:
        return self.by_name.setdefault(name, Table())


@dataclass(frozen=True, slots=True)
class _Plan:
    """Where tables and indexes begin, and what is in the columns."""

    roots: Mapping[str, int]
    columns: Mapping[str, Sequence[_Column]]


def read_tables(path: Path, *, with_log: bool = True) -> Tables:
    pages = Pages(path, with_log=with_log)
    plan = _plan(path, pages.version)
    schema = read_btree(pages, 1)
    reached = pages.free() | schema.pages
    roots: dict[str, int] = dict(_roots(schema.records))
    tables = Tables({})
    for name, columns in plan.columns.items():
        tree = _tree(pages, roots.get(name), plan.roots[name], columns)
        reached |= tree.pages
        table = tables[name]
        table.is_whole = tree.is_whole
        _add_records(table, tree.records, columns)
    lacking = [name for name in plan.columns if not tables[name].is_whole]
    if lacking:
        _add_unreached(pages, reached, tables, {name: plan.columns[name] for name in lacking})
    _read_indexes(pages, tables, {**plan.roots, **roots})
    return tables


def _plan(path: Path, version: int | None) -> _Plan:
    """Of a fresh database. One that was migrated has other roots; where they cannot be read these may be right."""
    known = version if version is not None and 0 < version <= len(MIGRATIONS) else len(MIGRATIONS)
    with closing(Database(path, in_memory=True)) as fresh:
        migrate(fresh, MIGRATIONS[:known])
        roots: dict[str, int] = dict(fresh.rows("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0"))
        columns = {name: _columns(fresh, name) for name in TABLES if name in roots}
    return _Plan(roots, columns)


def _columns(database: Database, table: str) -> list[_Column]:
    kinds: dict[str, tuple[type, ...]] = {"INTEGER": (int,), "REAL": (int, float), "TEXT": (str,), "BLOB": (bytes,)}
    return [
        _Column(name, kinds[kind], not needed and not key, bool(key) and kind == "INTEGER")
        for _, name, kind, needed, _, key in database.rows(f"PRAGMA table_info({table})")
    ]


def _roots(schema: Sequence[BTreeRecord]) -> list[tuple[str, int]]:
    found = []
    for record in schema:
        match record.values:
            case ("table" | "index", str(name), str(), int(root), *_) if root > 0:
                found.append((name, root))
    return found


def _tree(pages: Pages, root: int | None, usual: int, columns: Sequence[_Column]) -> BTree:
    if root is not None:
        return read_btree(pages, root)
    tree = read_btree(pages, usual)
    tree.is_whole = False
    if any(_fits(record, columns) for record in tree.records):
        return tree
    return BTree(is_whole=False)


def _fits(record: BTreeRecord, columns: Sequence[_Column]) -> bool:
    """Rows from before a column was added end earlier."""
    return (
        record.id > 0
        and len(record.values) <= len(columns)
        and all(
            value is None if column.is_id else (value is None and column.is_optional) or isinstance(value, column.kinds)
            for value, column in zip_longest(record.values, columns)
        )
    )


def _add_records(table: Table, records: Sequence[BTreeRecord], columns: Sequence[_Column]) -> None:
    """The first of an id: what comes later may be left from before."""
    for record in records:
        if not _fits(record, columns):
            table.is_whole = False
        elif record.id not in table.rows:
            pairs = zip_longest(columns, record.values)
            table.rows[record.id] = {column.name: record.id if column.is_id else value for column, value in pairs}
            if not record.is_whole:
                table.torn.add(record.id)


def _add_unreached(pages: Pages, reached: set[int], tables: Tables, lacking: Mapping[str, Sequence[_Column]]) -> None:
    for records in unreached_leaves(pages, reached):
        for name, columns in lacking.items():
            fitting = [record for record in records if _fits(record, columns)]
            if fitting:
                _add_records(tables[name], fitting, columns)
                break


def _read_indexes(pages: Pages, tables: Tables, roots: Mapping[str, int]) -> None:
    for record in read_btree(pages, roots[_SIBLINGS]).records:
        match record.values:
            case (int(conversation), int() | None as parent, int(message)) if conversation > 0 and message > 0:
                tables.messages[message] = conversation, parent
    for index, messages in ((_FILES, tables.files), (_PICTURES, tables.pictures)):
        for record in read_btree(pages, roots[index]).records if index in roots else ():
            match record.values:
                case (int(message), int(used)):
                    messages[used] = message
