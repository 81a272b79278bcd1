"""Manages projects: their names, settings and files."""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from specchat.domain.conversations import Attachment
from specchat.domain.ports import ProjectStore
from specchat.domain.projects import Project, ProjectContext, ProjectSettings
from specchat.services.chat.titles import MAX_TITLE_LENGTH, make_unique_title, one_line


class ProjectService:
    def __init__(self, store: ProjectStore, clock: Callable[[], float] = time.time) -> None:
        self._store = store
        self._clock = clock

    def list_all(self) -> list[Project]:
        """By their names."""
        return sorted(self._store.projects(), key=lambda project: (project.name.casefold(), project.id))

    def get(self, project: int) -> Project:
        return self._store.project(project)

    def find(self, project: int | None) -> Project | None:
        """Returns None if it was deleted."""
        return next((each for each in self._store.projects() if each.id == project), None)

    def create(self, name: str) -> Project:
        return self._store.add_project(self._unique(name), self._clock())

    def rename(self, project: int, name: str) -> Project:
        """An empty name changes nothing."""
        return self._save(replace(self.get(project), name=self._unique(name, project)))

    def fold(self, project: int, folded: bool = True) -> Project:
        return self._save(replace(self.get(project), is_folded=folded))

    def change_settings(self, project: int, settings: ProjectSettings) -> Project:
        return self._save(replace(self.get(project), settings=settings))

    def files(self, project: int) -> tuple[Attachment, ...]:
        return self._store.files(project)

    def save_files(self, project: int, files: Sequence[Attachment]) -> None:
        self._store.save_files(self.get(project).id, files)

    def context(self, project: int | None) -> ProjectContext:
        """Returns what the project adds to the prompts of its chats."""
        found = self.find(project)
        if found is None:
            return ProjectContext()
        return ProjectContext(found.settings.system_prompt, self._store.files(found.id))

    def chats(self, project: int) -> list[int]:
        return self._store.chats(project)

    def delete(self, project: int) -> float:
        """Moves a project to the trash. Its chats stay listed, without a project until it is restored. Returns the
        time: chats that are deleted at the same time are deleted together with it.
        """
        now = self._clock()
        self._save(replace(self.get(project), trashed=now))
        return now

    def chats_deleted_with(self, project: int) -> list[int]:
        trashed = self.get(project).trashed
        return self._store.chats(project, trashed) if trashed is not None else []

    def restore(self, project: int) -> Project:
        kept = self.get(project)
        return self._save(replace(kept, trashed=None, name=self._unique(kept.name, project)))

    def list_trash(self) -> list[Project]:
        return self._store.trashed_projects()

    def delete_permanently(self, project: int) -> None:
        """Deletes a project in the trash."""
        self._store.purge_project(project)

    def _unique(self, name: str, project: int | None = None) -> str:
        """Makes a name unique, because imported chats refer to projects by name."""
        others = [each.name for each in self._store.projects() if each.id != project]
        taken = {other.casefold() for other in others}
        name = one_line(name)[:MAX_TITLE_LENGTH].strip()
        if not name:
            return self.get(project).name if project is not None else self._unique("Project")
        while name.casefold() in taken:
            name = make_unique_title(name, others)
        return name

    def _save(self, project: Project) -> Project:
        self._store.save_project(project)
        return project
