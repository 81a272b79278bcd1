"""Lists, adds, verifies and removes the models on this computer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, UserError
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import LocalModel
from specchat.ui.desktop_services import open_folder
from specchat.ui.models.local_models_pane import LocalModelsPane
from specchat.ui.models.wide_card import CardNote
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_percent

if TYPE_CHECKING:  # they take their time to import
    from specchat.services.models.download_registry import DownloadRegistry
    from specchat.services.models.early_exit_store import EarlyExitStore
    from specchat.services.models.model_verification import VerificationResult


@dataclass(frozen=True, slots=True)
class _Here:
    models: Sequence[LocalModel]
    folders: Sequence[Path]


class LocalModelsController(QObject):
    changed = Signal()
    """There are other models than before."""
    _progressed = Signal(object, float)

    def __init__(
        self,
        pane: LocalModelsPane,
        library: ModelLibrary,
        owned: "Callable[[], DownloadRegistry]",
        early_exits: "Callable[[], EarlyExitStore]",
        tasks: TaskQueue,
        logs: Path,
        parent: QObject | None = None,
    ) -> None:
        """`tasks`: where the model library is changed, one after the other."""
        super().__init__(parent)
        self._pane, self._library, self._owned = pane, library, owned
        self._early_exits = early_exits
        self._tasks, self._checks = tasks, TaskQueue(logs, self)
        self._running: dict[Path, CancelToken] = {}
        self._progressed.connect(self._show_progress)
        requests = pane.requests
        requests.local_refresh_requested.connect(self.refresh)
        requests.add_file_requested.connect(self._add_file)
        requests.add_folder_requested.connect(lambda path: self._change(partial(library.add_folder, path)))
        requests.remove_folder_requested.connect(
            lambda path: self._change(partial(library.remove_folder, path, pane.loaded_models))
        )
        requests.model_removal_requested.connect(self._remove)
        requests.check_requested.connect(self._check)
        requests.stop_check_requested.connect(self._stop_check)
        requests.show_in_folder_requested.connect(self._show_in_folder)
        requests.copy_reference_requested.connect(self._copy)

    def refresh(self) -> None:
        def look() -> _Here:
            self._early_exits().delete_stale()
            return self._here()

        self._pane.show_loading()
        self._tasks.run(look, self._show, partial(self._pane.show_problem, can_retry=True))

    def close(self) -> None:
        for cancel in self._running.values():
            cancel.cancel()
        self._checks.close()

    def _here(self) -> _Here:
        return _Here(self._library.models(), self._library.folders())

    def _show(self, here: _Here) -> None:
        self._pane.show_models(here.models, here.folders)

    def _change(self, action: Callable[[], object], then: Callable[[], None] = lambda: None) -> None:
        def work() -> _Here:
            action()
            return self._here()

        def done(here: _Here) -> None:
            self._pane.problem.dismiss()
            self._show(here)
            then()
            self.changed.emit()

        self._tasks.run(work, done, self._pane.show_problem)

    def _add_file(self, path: Path) -> None:
        self._change(partial(self._library.add, path), partial(self._pane.reveal_model, path))

    def _remove(self, model: LocalModel) -> None:
        def remove() -> None:
            from specchat.services.models.model_removal import remove_model

            remove_model(model, self._library, self._owned(), self._early_exits())

        self._stop_check(model)
        self._change(remove)

    def _check(self, model: LocalModel) -> None:
        if model.path in self._running:
            return
        path, cancel = model.path, CancelToken()
        is_busy = bool(self._running)
        self._running[path] = cancel
        words = self.tr("Waiting for another file to be verified") if is_busy else self._progress(0)
        self._pane.show_note(path, CardNote(words, running=True))
        self._checks.run(
            partial(self._verified, path, cancel),
            partial(self._checked, model, cancel),
            partial(self._not_checked, path, cancel),
        )

    def _verified(self, path: Path, cancel: CancelToken) -> "VerificationResult | None":
        """None: it was stopped."""
        from specchat.services.models.model_verification import verify_model

        shown = -1

        def progress(done: int, size: int) -> None:
            nonlocal shown
            if (now := 100 * done // max(1, size)) > shown:
                shown = now
                self._progressed.emit(path, done / max(1, size))

        try:
            return verify_model(path, cancel, progress, self._owned().published_files(path))
        except Cancelled:
            return None

    def _show_progress(self, path: Path, share: float) -> None:
        cancel = self._running.get(path)
        if cancel is not None and not cancel.cancelled:
            self._pane.show_note(path, CardNote(self._progress(share), running=True))

    def _progress(self, share: float) -> str:
        return self.tr("Verifying: {percent}").format(percent=format_percent(share))

    def _checked(self, model: LocalModel, cancel: CancelToken, verified: "VerificationResult | None") -> None:
        from specchat.services.models.model_verification import VerificationVerdict

        self._forget(model.path, cancel)
        if verified is None:
            return
        words, is_bad = translate_text(verified.reason), verified.verdict is VerificationVerdict.DAMAGED
        if is_bad and model.ours:
            words += " " + self.tr("Delete it and download it again.")
        self._pane.show_note(model.path, CardNote(words, bad=is_bad))

    def _not_checked(self, path: Path, cancel: CancelToken, error: UserError) -> None:
        self._forget(path, cancel)
        self._pane.show_note(path, CardNote(f"{translate_text(error.message)} {translate_text(error.hint)}", bad=True))

    def _forget(self, path: Path, cancel: CancelToken) -> None:
        if self._running.get(path) is cancel:
            del self._running[path]

    def _stop_check(self, model: LocalModel) -> None:
        cancel = self._running.pop(model.path, None)
        if cancel is not None:
            cancel.cancel()
            self._pane.show_note(model.path, CardNote(self.tr("Verification stopped.")))

    def _show_in_folder(self, model: LocalModel) -> None:
        folder = model.path.parent
        if not open_folder(folder):
            self._pane.show_problem(
                UserError(self.tr("Couldn't open a file manager."), self.tr("The file is in {folder}."), folder=folder)
            )

    def _copy(self, model: LocalModel) -> None:
        reference = model.reference or str(model.path)
        QGuiApplication.clipboard().setText(reference)
        self._pane.show_note(model.path, CardNote(self.tr("Copied: {reference}").format(reference=reference)))
