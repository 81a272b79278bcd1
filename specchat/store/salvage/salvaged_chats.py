"""Rebuilds chats from rows read one by one; a placeholder marks what is lost."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import cast

from specchat.domain.conversations import ConversationSettings, DamagedChat, MessageState
from specchat.domain.errors import StorageError, UserError
from specchat.domain.types import Role
from specchat.store.database import Database, Parameter
from specchat.store.encoding import encode
from specchat.store.salvage.tables import TABLES, TableRow, Tables
from specchat.store.salvage.unfit_rows import drop_unfit_rows

LOST = "[This message couldn't be read: the database was damaged.]"
_LONGEST_TITLE = 60


@dataclass(frozen=True, slots=True)
class _Lost:
    conversation: int
    parent: int | None = None
    child_role: str | None = None


class SalvagedChats:
    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._n_lost: dict[int, int] = defaultdict(int)
        """Of each conversation, what is not as it was."""
        for conversation in drop_unfit_rows(tables):
            self._count(conversation)

    @property
    def created(self) -> dict[int, object]:
        return {id_: row["created"] for id_, row in self._tables["conversation"].rows.items()}

    def fill_from(self, copy: "SalvagedChats") -> bool:
        """Whether anything of what is lost was there. A copy of other chats has the same numbers, but not the times."""
        common = self.created.keys() & copy.created.keys()
        if not common or any(self.created[each] != copy.created[each] for each in common):
            return False
        ours, theirs = self._tables, copy._tables
        n_before = sum(len(ours[name].rows) for name in TABLES)
        self._copy_messages(copy)
        for conversation in self._nameless():
            self._copy_row(theirs, "conversation", conversation)
        for name in ("answer", "tool_call"):
            if not ours[name].is_whole:
                for message in ours["message"].rows:
                    self._copy_row(theirs, name, message)
        for file, message in ours.files.items():
            if theirs["attachment"].rows.get(file, {}).get("message") == message:
                self._copy_row(theirs, "attachment", file)
        self._copy_pictures(theirs)
        self._copy_projects(theirs)
        return sum(len(ours[name].rows) for name in TABLES) > n_before

    def write_to(self, database: Database) -> list[DamagedChat]:
        """The chats that are not whole, without those in the trash."""
        self._count_what_is_gone()
        self._sign_what_is_lost()
        self._settle_calls()
        self._name_nameless()
        self._join_paths()
        self._join_projects()
        with database.transaction():
            for name in TABLES:
                for id_, row in sorted(self._tables[name].rows.items()):
                    self._insert(database, name, id_, row)
        conversations = self._tables["conversation"].rows
        return [
            DamagedChat(id_, str(conversations[id_]["title"]) if id_ in conversations else "", n, id_ in conversations)
            for id_, n in sorted(self._n_lost.items())
            if id_ not in conversations or conversations[id_]["trashed"] is None
        ]

    def _copy_messages(self, copy: "SalvagedChats") -> None:
        """Those that are lost, and the lost ones above them."""
        ours, theirs = self._tables["message"].rows, copy._tables["message"].rows
        to_do = [each for each, lost in self._lost().items() if copy._has(each, lost.conversation)]
        while to_do:
            message = to_do.pop()
            ours[message] = row = theirs[message]
            parent, conversation = row["parent"], cast("int", row["conversation"])
            if isinstance(parent, int) and parent < message and parent not in ours and copy._has(parent, conversation):
                to_do.append(parent)

    def _has(self, message: int, conversation: int) -> bool:
        row = self._tables["message"].rows.get(message)
        return row is not None and row["conversation"] == conversation

    def _copy_row(self, theirs: Tables, name: str, id_: int) -> None:
        if id_ in theirs[name].rows:
            self._tables[name].rows.setdefault(id_, theirs[name].rows[id_])

    def _copy_pictures(self, theirs: Tables) -> None:
        uses, their_uses = self._tables["picture_use"].rows, theirs["picture_use"].rows
        for use, message in self._tables.pictures.items():
            if their_uses.get(use, {}).get("message") == message:
                self._copy_row(theirs, "picture_use", use)
        for use, row in uses.items():
            if their_uses.get(use) == row:
                self._copy_row(theirs, "picture", cast("int", row["picture"]))

    def _copy_projects(self, theirs: Tables) -> None:
        used = {row.get("project") for row in self._tables["conversation"].rows.values()}
        for project in theirs["project"].rows.keys() & used - self._tables["project"].rows.keys():
            self._copy_row(theirs, "project", project)
            for file, row in theirs["project_file"].rows.items():
                if row["project"] == project:
                    self._copy_row(theirs, "project_file", file)

    def _count(self, conversation: object) -> None:
        self._n_lost[cast("int", conversation)] += 1

    def _lost(self) -> dict[int, _Lost]:
        rows = self._tables["message"].rows
        found: dict[int, _Lost] = {}
        if self._tables["message"].is_whole:
            return found
        for conversation in self._tables["conversation"].rows.values():
            leaf = conversation["leaf"]
            if isinstance(leaf, int) and leaf not in rows:
                found[leaf] = _Lost(cast("int", conversation["id"]))
        lost = ((id_, each) for id_, each in self._tables.messages.items() if id_ not in rows)
        found |= {id_: _Lost(*each) for id_, each in lost}
        for id_, row in rows.items():
            parent = row["parent"]
            if isinstance(parent, int) and parent not in rows and 0 < parent < id_:
                known = found.get(parent)
                above = known.parent if known is not None else None
                found[parent] = _Lost(cast("int", row["conversation"]), above, str(row["role"]))
        return found

    def _nameless(self) -> set[int]:
        known = self._tables["conversation"].rows
        return {cast("int", row["conversation"]) for row in self._tables["message"].rows.values()} - known.keys()

    def _count_what_is_gone(self) -> None:
        tables = self._tables
        messages = tables["message"].rows
        if not tables["answer"].is_whole:
            for id_ in messages.keys() - tables["answer"].rows.keys():
                if messages[id_]["role"] == Role.ASSISTANT:
                    self._count(messages[id_]["conversation"])
        if not tables["attachment"].is_whole:
            for file, message in tables.files.items():
                if message in messages and file not in tables["attachment"].rows:
                    self._count(messages[message]["conversation"])
            for file in tables["attachment"].torn:
                if (row := messages.get(cast("int", tables["attachment"].rows[file]["message"]))) is not None:
                    self._count(row["conversation"])
        self._count_pictures()
        for id_ in [id_ for id_, row in tables["answer"].rows.items() if id_ not in messages]:
            del tables["answer"].rows[id_]

    def _count_pictures(self) -> None:
        """A use without its picture is none, and neither is a picture without a use."""
        messages, uses = self._tables["message"].rows, self._tables["picture_use"].rows
        pictures = self._tables["picture"].rows
        for use, message in self._tables.pictures.items():
            if message in messages and use not in uses:
                self._count(messages[message]["conversation"])
        for use, row in list(uses.items()):
            if row["picture"] not in pictures:
                del uses[use]
                conversation = messages.get(cast("int", row["message"]), {}).get("conversation", row["unsent"])
                if conversation is not None:
                    self._count(conversation)
        for picture in pictures.keys() - {row["picture"] for row in uses.values()}:
            del pictures[picture]

    def _sign_what_is_lost(self) -> None:
        """Of a chat of which nothing else is left no signs are made."""
        messages = self._tables["message"].rows
        known = self._tables["conversation"].rows.keys() | self._nameless()
        own = self._messages_by_conversation()
        for id_, lost in sorted(self._lost().items()):
            self._count(lost.conversation)
            if lost.conversation in known:
                messages[id_] = self._sign(id_, lost, own[lost.conversation])
                insort(own[lost.conversation], id_)

    def _messages_by_conversation(self) -> dict[object, list[int]]:
        """Their numbers, in order."""
        found: dict[object, list[int]] = defaultdict(list)
        for id_, row in sorted(self._tables["message"].rows.items()):
            found[row["conversation"]].append(id_)
        return found

    def _settle_calls(self) -> None:
        """A result without its call is told as an answer."""
        messages, calls = self._tables["message"].rows, self._tables["tool_call"].rows
        for id_ in calls.keys() - {id_ for id_, row in messages.items() if row["role"] == Role.TOOL}:
            del calls[id_]
        for id_, row in messages.items():
            if row["role"] == Role.TOOL and id_ not in calls:
                row["role"] = Role.ASSISTANT.value

    def _sign(self, id_: int, lost: _Lost, own: Sequence[int]) -> TableRow:
        """`own`: the messages of its conversation, in order."""
        messages = self._tables["message"].rows
        n_before = bisect_left(own, id_)
        parent = own[n_before - 1] if n_before else None
        above = messages.get(lost.parent) if lost.parent is not None and lost.parent < id_ else None
        if above is not None and above["conversation"] == lost.conversation:
            parent = lost.parent
        near = str(messages[parent]["role"]) if parent is not None else Role.ASSISTANT.value
        other = lost.child_role or near
        role = Role.USER if other == Role.ASSISTANT else Role.ASSISTANT
        created = messages[parent]["created"] if parent is not None else 0.0
        row: TableRow = dict.fromkeys(("trashed", "trash_root"))
        return row | {
            "id": id_,
            "conversation": lost.conversation,
            "parent": parent,
            "role": role.value,
            "text": LOST,
            "created": created,
            "state": MessageState.DONE.value,
        }

    def _name_nameless(self) -> None:
        """The first question is the title, as with all chats."""
        rows, messages = self._tables["message"].rows, self._messages_by_conversation()
        for id_ in self._nameless():
            self._count(id_)
            own = [rows[message] for message in messages[id_]]
            questions = [str(row["text"]) for row in own if row["role"] == Role.USER and row["text"] != LOST]
            times = [cast("float", row["created"]) for row in own]
            self._tables["conversation"].rows[id_] = {
                "id": id_,
                "title": " ".join(questions[0].split())[:_LONGEST_TITLE] if questions else "",
                "created": min(times),
                "updated": max(times),
                "titled_by_user": 0,
                "pinned": 0,
                "trashed": None,
                "leaf": None,
                "draft": "",
                "settings": encode(ConversationSettings()),
            }

    def _join_paths(self) -> None:
        """A parent is an older message of the same conversation, and what is shown ends at a message."""
        messages = self._tables["message"].rows
        own: dict[object, list[int]] = defaultdict(list)
        for id_, row in sorted(messages.items()):
            parent = row["parent"]
            above = messages.get(parent) if isinstance(parent, int) and parent < id_ else None
            if parent is not None and (above is None or above["conversation"] != row["conversation"]):
                row["parent"] = max(own[row["conversation"]], default=None)
                self._count(row["conversation"])
            if row["trashed"] is None:
                own[row["conversation"]].append(id_)
        for id_, row in self._tables["conversation"].rows.items():
            if row["leaf"] not in own[id_]:
                row["leaf"] = max(own[id_], default=None)

    def _join_projects(self) -> None:
        known, files = self._tables["project"].rows.keys(), self._tables["project_file"].rows
        for id_, row in self._tables["conversation"].rows.items():
            if row.get("project") is not None and row["project"] not in known:
                row["project"] = None
                self._count(id_)
        for file in [file for file, row in files.items() if row["project"] not in known]:
            del files[file]

    def _insert(self, database: Database, name: str, id_: int, row: TableRow) -> None:
        columns = ", ".join(row)
        values: list[Parameter] = list(row.values())
        try:
            database.execute(f"INSERT INTO {name} ({columns}) VALUES ({', '.join('?' * len(row))})", *values)
        except StorageError:
            raise
        except UserError:
            with suppress(KeyError):  # of a message that is lost itself
                self._count(self._tables["message"].rows[cast("int", row.get("message", id_))]["conversation"])
