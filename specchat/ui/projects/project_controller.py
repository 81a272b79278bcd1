"""Creates, changes and deletes projects, moves chats between them, and follows the one of the open chat."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject

from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.project_service import ProjectService
from specchat.ui.chat.chat_controller import ChatController
from specchat.ui.chat.trash_controller import TrashController
from specchat.ui.projects.delete_question import DeleteProjectQuestion
from specchat.ui.session import Session
from specchat.ui.sidebar.chat_list_controller import ChatListController
from specchat.ui.window.main_window import MainWindow
from specchat.ui.window.notification_controller import NotificationController


class ProjectController(QObject):
    def __init__(
        self,
        session: Session,
        projects: ProjectService,
        conversations: ConversationService,
        chat: ChatController,
        chat_list: ChatListController,
        trash: TrashController,
        notifications: NotificationController,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._session, self._projects, self._conversations = session, projects, conversations
        self._chat, self._list, self._trash = chat, chat_list, trash
        self._notifications, self._window = notifications, window
        rows = window.sidebar.list
        rows.move_requested.connect(self.move)
        rows.new_project_requested.connect(self.new_project)
        rows.project_folded.connect(self._fold)
        rows.project_renamed.connect(self._rename)
        rows.project_chat_requested.connect(self._new_chat)
        rows.project_delete_requested.connect(self.delete)
        session.conversation_changed.connect(self._follow)

    def new_project(self, chats: Sequence[int] = ()) -> None:
        """Creates a project with these chats, and lets the user type its name."""
        with self._chat.reporting_errors():
            project = self._projects.create(self.tr("New project"))
            self._conversations.move(chats, project.id)
            self._window.show_sidebar(True)
            self._list.end_search()
            self.refresh()
            self._window.sidebar.rename_project(project.id)

    def move(self, chats: Sequence[int], project: int | None) -> None:
        with self._chat.reporting_errors():
            before = {chat: self._conversations.get(chat).project for chat in chats}
            moved = [chat for chat in chats if before[chat] != project]
            if not moved:
                return
            self._conversations.move(moved, project)
            self.refresh()
            self._notifications.show_undo_notice(self._words_for(len(moved), project), partial(self._undo, before))

    def delete(self, project: int) -> None:
        """Asks whether to delete the chats, too."""
        with self._chat.reporting_errors():
            kept, chats = self._projects.get(project), self._used_chats(project)
            if not chats:
                self._delete(project, ())
                return
            question = DeleteProjectQuestion(kept.name, len(chats), self._window)
            question.answered.connect(lambda too: self._delete(project, chats if too else ()))
            question.open()

    def refresh_context(self) -> None:
        """Updates what the project of the open chat adds to its prompts."""
        shown = self._session.conversation
        project = self._projects.find(shown.project) if shown is not None else None
        self._session.set_project(project, self._projects.context(project.id if project is not None else None))

    def _follow(self) -> None:
        shown, known = self._session.conversation, self._session.project
        if shown is not None and shown.project != (known.id if known is not None else None):
            with self._chat.reporting_errors():
                self.refresh_context()

    def _new_chat(self, project: int) -> None:
        with self._chat.reporting_errors():
            self._projects.fold(project, folded=False)
            self._chat.new_chat(project)

    def _fold(self, project: int, folded: bool) -> None:
        with self._chat.reporting_errors():
            self._projects.fold(project, folded)
            self._list.refresh()

    def _rename(self, project: int, name: str) -> None:
        with self._chat.reporting_errors():
            self._projects.rename(project, name)
            self.refresh()

    def _delete(self, project: int, chats: Sequence[int]) -> None:
        with self._chat.reporting_errors():
            now = self._projects.delete(project)
            if chats:
                self._list.put_into_trash(chats, now)
            self.refresh()
            self._trash.offer_project(project, chats)

    def _undo(self, before: dict[int, int | None]) -> None:
        """Undoes a move."""
        with self._chat.reporting_errors():
            for project in set(before.values()):
                self._conversations.move([chat for chat, was in before.items() if was == project], project)
            self.refresh()

    def _used_chats(self, project: int) -> list[int]:
        chats = [self._conversations.get(chat) for chat in self._projects.chats(project)]
        return [chat.id for chat in chats if not chat.is_untouched]

    def _words_for(self, n_chats: int, project: int | None) -> str:
        if project is None:
            words = self.tr("Chat moved out of its project")
            return words if n_chats == 1 else self.tr("{n} chats moved out of their projects").format(n=n_chats)
        words = self.tr("Chat moved to {project}") if n_chats == 1 else self.tr("{n} chats moved to {project}")
        return words.format(n=n_chats, project=self._projects.get(project).name)

    def refresh(self) -> None:
        """Refreshes the list, the open chat and its project."""
        self._list.refresh()
        self._chat.refresh()
        self.refresh_context()
