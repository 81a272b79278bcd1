"""Stores projects with their files, and which chats are in them."""

from collections.abc import Sequence

from specchat.domain.conversations import Attachment
from specchat.domain.errors import UserError
from specchat.domain.projects import Project, ProjectSettings
from specchat.store.database import Database, Row
from specchat.store.encoding import decode, decoding_errors, encode, require_times, require_types

_COLUMNS = (
    "id, name, created, trashed, folded, settings, CASE WHEN trashed IS NULL THEN 0 ELSE (SELECT count(*) "
    "FROM conversation WHERE conversation.project = project.id AND conversation.trashed = project.trashed) END"
)
LIVE_PROJECT = "project.id = conversation.project AND project.trashed IS NULL"
"""Of a conversation."""
NAME_OF_PROJECT = f"(SELECT project.name FROM project WHERE {LIVE_PROJECT})"
"""Likewise."""


class SqliteProjects:
    def __init__(self, database: Database) -> None:
        self._database = database

    def projects(self) -> list[Project]:
        return self._projects("trashed IS NULL")

    def trashed_projects(self) -> list[Project]:
        return self._projects("trashed IS NOT NULL")

    def project(self, project: int) -> Project:
        found = self._projects("id = ?", project)
        if not found:
            raise UserError("This project was deleted.", "Choose another project.")
        return found[0]

    def add_project(self, name: str, now: float) -> Project:
        return self.project(insert_project(self._database, name, now))

    def save_project(self, project: Project) -> None:
        self._database.execute(
            "UPDATE project SET name = ?, trashed = ?, folded = ?, settings = ? WHERE id = ?",
            *(project.name, project.trashed, project.is_folded, encode(project.settings), project.id),
        )

    def purge_project(self, project: int) -> None:
        self._database.execute("DELETE FROM project WHERE id = ? AND trashed IS NOT NULL", project)

    def files(self, project: int) -> tuple[Attachment, ...]:
        rows = self._database.rows("SELECT name, text FROM project_file WHERE project = ? ORDER BY id", project)
        with decoding_errors(self._database.path):
            for row in rows:
                require_types(str, *row)
        return tuple(Attachment(*row) for row in rows)

    def save_files(self, project: int, files: Sequence[Attachment]) -> None:
        with self._database.transaction():
            self._database.execute("DELETE FROM project_file WHERE project = ?", project)
            for file in files:
                self._database.execute(
                    "INSERT INTO project_file (name, text, project) VALUES (?, ?, ?)", file.name, file.text, project
                )

    def chats(self, project: int, trashed: float | None = None) -> list[int]:
        rows = self._database.rows(
            "SELECT id FROM conversation WHERE project = ? AND trashed IS ? ORDER BY id", project, trashed
        )
        return [id_ for (id_,) in rows]

    def _projects(self, which: str, *parameters: int) -> list[Project]:
        rows = self._database.rows(f"SELECT {_COLUMNS} FROM project WHERE {which}", *parameters)
        with decoding_errors(self._database.path):
            return [_project(row) for row in rows]


def insert_project(database: Database, name: str, now: float) -> int:
    return database.execute(
        "INSERT INTO project (name, created, folded, settings) VALUES (?, ?, 0, ?)",
        *(name, now, encode(ProjectSettings())),
    )


def require_project(database: Database, name: str, now: float) -> int:
    """Returns the project with this name, and creates it if necessary."""
    names = database.rows("SELECT id, name FROM project WHERE trashed IS NULL ORDER BY id")
    known = {str(each).casefold(): int(id_) for id_, each in reversed(names)}
    found = known.get(name.casefold())
    return found if found is not None else insert_project(database, name, now)


def project_name(database: Database, project: int | None) -> str:
    row = database.row("SELECT name FROM project WHERE id = ? AND trashed IS NULL", project)
    return "" if row is None else str(row[0])


def _project(row: Row) -> Project:
    id_, name, created, trashed, folded, settings, n_deleted_chats = row
    require_types(str, name)
    require_times(created, *(() if trashed is None else (trashed,)))
    return Project(id_, name, created, trashed, bool(folded), decode(ProjectSettings, settings), n_deleted_chats)
