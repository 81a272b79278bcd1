"""Drops rows with values that specchat never writes, and resets those values that a chat can do without."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import cast

from specchat.domain.conversations import Answer, ConversationSettings, MessageState
from specchat.domain.errors import UserError
from specchat.domain.pictures import Picture
from specchat.domain.projects import ProjectSettings
from specchat.domain.tools import CalledTool
from specchat.domain.types import Role
from specchat.store.encoding import LATEST, decode, decode_marks, decode_settings, decoding_errors, encode
from specchat.store.salvage.tables import TableRow, Tables

_ROLES, _STATES = {role.value for role in Role}, {state.value for state in MessageState}
_NOWHERE = Path()
_TIMES = {
    "project": ("created", "trashed"),
    "conversation": ("created", "updated", "trashed"),
    "message": ("created", "trashed"),
}


def drop_unfit_rows(tables: Tables) -> list[object]:
    """Returns the conversation of each value that is not as it was."""
    for table in tables.by_name.values():
        table.is_whole &= not table.torn
    damaged = [*_correct_times(tables), *_drop_messages(tables), *_reset_settings(tables)]
    for name, is_fit in (("answer", _is_answer), ("tool_call", _is_call)):
        rows = tables[name].rows
        for id_ in [id_ for id_, row in rows.items() if not is_fit(row)]:
            del rows[id_]
            tables[name].is_whole = False
    _drop_pictures(tables)
    _drop_presets_and_prompts(tables)
    return damaged


def _correct_times(tables: Tables) -> Iterator[object]:
    for name, columns in _TIMES.items():
        for row in tables[name].rows.values():
            for column in columns:
                if row[column] is not None and not 0 <= cast("float", row[column]) <= LATEST:
                    row[column] = 0.0
                    if name != "project":
                        yield row["id"] if name == "conversation" else row["conversation"]


def _drop_messages(tables: Tables) -> Iterator[object]:
    messages = tables["message"]
    for id_, row in list(messages.rows.items()):
        if row["role"] not in _ROLES or row["state"] not in _STATES:
            del messages.rows[id_]
            messages.is_whole = False
        elif id_ in messages.torn:
            yield row["conversation"]


def _reset_settings(tables: Tables) -> Iterator[object]:
    for id_, row in tables["conversation"].rows.items():
        if not _has_settings(row):
            row["settings"] = encode(ConversationSettings())
            yield id_
        elif id_ in tables["conversation"].torn:
            yield id_
    for row in tables["project"].rows.values():
        if not _is_project(row):
            row["settings"] = encode(ProjectSettings())


def _drop_pictures(tables: Tables) -> None:
    rows = tables["picture"].rows
    known: set[object] = set()
    for id_, row in list(rows.items()):
        if row["digest"] in known or Picture(cast("bytes", row["content"])).digest != row["digest"]:
            del rows[id_]
        known.add(row["digest"])


def _drop_presets_and_prompts(tables: Tables) -> None:
    presets, prompts = tables["preset"].rows, tables["prompt"].rows
    for id_ in [id_ for id_, row in presets.items() if not _has_settings(row)]:
        del presets[id_]
    names: set[str] = set()
    for id_, row in list(prompts.items()):
        name = str(row["name"]).lower()
        if name in names:
            del prompts[id_]
        names.add(name)


def _is_call(row: TableRow) -> bool:
    with suppress(UserError), decoding_errors(_NOWHERE):
        decode(CalledTool, cast("str", row["called"]))
        return True
    return False


def _is_answer(row: TableRow) -> bool:
    facts, marks = row["facts"], row["marks"]
    if not isinstance(facts, str) or not isinstance(marks, bytes):
        return False
    with suppress(UserError), decoding_errors(_NOWHERE):
        decode(Answer, facts)
        decode_marks(marks)
        return True
    return False


def _is_project(row: TableRow) -> bool:
    with suppress(UserError), decoding_errors(_NOWHERE):
        decode(ProjectSettings, str(row["settings"]))
        return True
    return False


def _has_settings(row: TableRow) -> bool:
    with suppress(UserError), decoding_errors(_NOWHERE):
        decode_settings(str(row["settings"]))
        return True
    return False
