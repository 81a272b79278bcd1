"""Opens documents of a chat at the places that links, chips and answers refer to."""

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from specchat.domain.conversations import Attachment, StoredMessage
from specchat.domain.documents import DocumentSource, find_place
from specchat.services.chat.message_service import MessageService
from specchat.services.chat.titles import one_line
from specchat.services.lazy import Lazy
from specchat.ui.documents.document_links import linked_answer, linked_document
from specchat.ui.session import Session
from specchat.ui.transcript.transcript_view import TranscriptView
from specchat.ui.window.main_window import MainWindow
from specchat.ui.window.notification_controller import NotificationController

if TYPE_CHECKING:
    from specchat.ui.documents.viewer import DocumentViewer


class DocumentLauncher(QObject):
    def __init__(
        self,
        session: Session,
        messages: MessageService,
        transcript: TranscriptView,
        notifications: NotificationController,
        window: MainWindow,
    ) -> None:
        super().__init__(window)
        self._session, self._messages = session, messages
        self._notifications, self._window = notifications, window
        self.viewer = Lazy(self._make)
        transcript.link_requested.connect(self.open_link)
        window.composer.document_requested.connect(self.open)

    def open(self, document: Attachment) -> None:
        self.viewer().show_document(document)

    def open_link(self, link: str) -> None:
        """Ignores links that don't lead to documents."""
        if (cited := linked_document(link)) is not None:
            self._open_place(cited)
        elif (message := linked_answer(link)) is not None:
            answer = self._messages.readable_answer(message)
            self._open_sources(message, answer.sources if answer is not None else ())

    def _open_place(self, cited: str) -> None:
        name, _, label = cited.rpartition(", ")
        whole = self._find(self._session.path, cited)
        if whole is not None:
            self.open(whole)
            return
        document = self._find(self._session.path, name)
        if document is None:
            self._say_missing(name or cited)
            return
        place = find_place(document.text, label)
        note = "" if place is not None else self.tr("{place} isn't in this document.").format(place=label)
        self.viewer().show_document(document, place, note=note)

    def _open_sources(self, answer: int, sources: tuple[DocumentSource, ...]) -> None:
        above = list(takewhile(lambda message: message.id != answer, self._session.path))
        found = {document: each.passages for each in sources if (document := self._find(above, each.name)) is not None}
        if found:
            self.viewer().show_passages(found)
        elif sources:
            self._say_missing(sources[0].name)

    def _say_missing(self, name: str) -> None:
        self._notifications.show_notice(self.tr("{name} isn't attached to this chat.").format(name=name))

    def _find(self, path: Sequence[StoredMessage], name: str) -> Attachment | None:
        """Returns the last document with this name; those of the project count as first."""
        files = [*self._session.project_context.files, *(file for message in path for file in message.attachments)]
        return next((file for file in reversed(files) if one_line(file.name) == one_line(name)), None)

    def _make(self) -> "DocumentViewer":
        from specchat.ui.documents.viewer import DocumentViewer

        return DocumentViewer(self._window)
