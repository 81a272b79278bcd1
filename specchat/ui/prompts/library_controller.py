"""Opens the prompt library, created on first use, and carries out its changes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from specchat.domain.errors import UserError
from specchat.domain.stored_prompt import StoredPrompt
from specchat.services.chat.prompt_library import PromptLibrary
from specchat.services.lazy import Lazy
from specchat.ui.window.main_window import MainWindow
from specchat.ui.window.notification_controller import NotificationController

if TYPE_CHECKING:
    from specchat.ui.prompts.library_dialog import LibraryDialog


class LibraryController(QObject):
    def __init__(self, library: PromptLibrary, notifications: NotificationController, window: MainWindow) -> None:
        super().__init__(window)
        self._library, self._notifications, self._window = library, notifications, window
        self.dialog = Lazy(self._make)
        window.composer.prompts.find = self._find
        window.composer.prompts.library_requested.connect(self.open)

    def open(self) -> None:
        dialog = self.dialog()
        self._show()
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def _make(self) -> "LibraryDialog":
        from specchat.ui.prompts.library_dialog import LibraryDialog

        dialog = LibraryDialog(self._window)
        dialog.saved.connect(self._save)
        dialog.deleted.connect(self._delete)
        dialog.finished.connect(self._window.composer.focus)
        return dialog

    def _find(self, query: str) -> Sequence[StoredPrompt]:
        """Reports no errors, which would appear again with each typed letter."""
        try:
            return self._library.find(query)
        except UserError:
            return ()

    def _show(self, current: str = "") -> None:
        with self._reporting_errors():
            self.dialog().show_prompts(self._library.list_prompts(), current)

    def _save(self, name: str, text: str, replaced: str) -> None:
        with self._reporting_errors():
            saved = self._library.save(name, text, replaced)
            self._show(saved.name)

    def _delete(self, name: str) -> None:
        with self._reporting_errors():
            gone = next((prompt for prompt in self._library.list_prompts() if prompt.name == name), None)
            if gone is not None:
                self._library.remove(name)
                words = self.tr("Prompt “{name}” deleted").format(name=name)
                self._notifications.show_undo_notice(words, partial(self._restore, gone))
        self._show()

    def _restore(self, prompt: StoredPrompt) -> None:
        self._save(prompt.name, prompt.text, "")

    @contextmanager
    def _reporting_errors(self) -> Iterator[None]:
        try:
            yield
        except UserError as error:
            self._notifications.show_error(error)
