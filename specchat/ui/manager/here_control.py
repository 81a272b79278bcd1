"""Lists the models on this computer, adds to them, checks them and lets them go."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import Cancelled, UserError
from specchat.services.models.model_shelf import ModelShelf
from specchat.services.models.pair_values import ShelfModel
from specchat.ui.manager.here_pane import HerePane
from specchat.ui.manager.note import Note
from specchat.ui.opened_outside import open_folder
from specchat.ui.threads.tasks import Tasks
from specchat.ui.words.amounts import percent
from specchat.ui.words.said import in_words

if TYPE_CHECKING:  # they take their time to import
    from specchat.services.models.model_verifying import Verified
    from specchat.services.models.owned import Owned


@dataclass(frozen=True, slots=True)
class _Here:
    models: Sequence[ShelfModel]
    folders: Sequence[Path]


class HereControl(QObject):
    changed = Signal()
    """There are other models than before."""
    _progressed = Signal(object, float)

    def __init__(
        self,
        pane: HerePane,
        shelf: ModelShelf,
        owned: "Callable[[], Owned]",
        tasks: Tasks,
        logs: Path,
        parent: QObject | None = None,
    ) -> None:
        """`tasks`: where the shelf is changed, one after the other."""
        super().__init__(parent)
        self._pane, self._shelf, self._owned = pane, shelf, owned
        self._tasks, self._checks = tasks, Tasks(logs, self)
        self._running: dict[Path, CancelToken] = {}
        self._progressed.connect(self._show_progress)
        pane.refreshWanted.connect(self.refresh)
        pane.fileAdded.connect(self._add_file)
        pane.folderAdded.connect(lambda path: self._change(partial(shelf.add_folder, path)))
        pane.folderRemoved.connect(lambda path: self._change(partial(shelf.remove_folder, path, pane.loaded)))
        pane.removeWanted.connect(self._remove)
        pane.checkWanted.connect(self._check)
        pane.checkStopped.connect(self._stop_check)
        pane.showWanted.connect(self._show_in_folder)
        pane.copyWanted.connect(self._copy)

    def refresh(self) -> None:
        self._pane.show_loading()
        self._tasks.run(self._here, self._show, partial(self._pane.show_problem, can_retry=True))

    def close(self) -> None:
        for cancel in self._running.values():
            cancel.cancel()
        self._checks.close()

    def _here(self) -> _Here:
        return _Here(self._shelf.models(), self._shelf.folders())

    def _show(self, here: _Here) -> None:
        self._pane.show_models(here.models, here.folders)

    def _change(self, deed: Callable[[], object], then: Callable[[], None] = lambda: None) -> None:
        def work() -> _Here:
            deed()
            return self._here()

        def done(here: _Here) -> None:
            self._pane.clear_problem()
            self._show(here)
            then()
            self.changed.emit()

        self._tasks.run(work, done, self._pane.show_problem)

    def _add_file(self, path: Path) -> None:
        self._change(partial(self._shelf.add, path), partial(self._pane.point_at, path))

    def _remove(self, model: ShelfModel) -> None:
        def remove() -> None:
            from specchat.services.models.removing import remove

            remove(model, self._shelf, self._owned())

        self._stop_check(model)
        self._change(remove)

    def _check(self, model: ShelfModel) -> None:
        if model.path in self._running:
            return
        path, cancel = model.path, CancelToken()
        is_busy = bool(self._running)
        self._running[path] = cancel
        words = self.tr("Waits until another file is checked") if is_busy else self._progress(0)
        self._pane.show_note(path, Note(words, running=True))
        self._checks.run(
            partial(self._verified, path, cancel),
            partial(self._checked, model, cancel),
            partial(self._not_checked, path, cancel),
        )

    def _verified(self, path: Path, cancel: CancelToken) -> "Verified | None":
        """None: it was stopped."""
        from specchat.services.models.model_verifying import verify

        shown = -1

        def progress(done: int, size: int) -> None:
            nonlocal shown
            if (now := 100 * done // max(1, size)) > shown:
                shown = now
                self._progressed.emit(path, done / max(1, size))

        try:
            return verify(path, cancel, progress, self._owned().files(path))
        except Cancelled:
            return None

    def _show_progress(self, path: Path, share: float) -> None:
        cancel = self._running.get(path)
        if cancel is not None and not cancel.cancelled:
            self._pane.show_note(path, Note(self._progress(share), running=True))

    def _progress(self, share: float) -> str:
        return self.tr("Checking the file: {percent}").format(percent=percent(share))

    def _checked(self, model: ShelfModel, cancel: CancelToken, verified: "Verified | None") -> None:
        from specchat.services.models.model_verifying import Verdict

        self._forget(model.path, cancel)
        if verified is None:
            return
        words, is_bad = in_words(verified.reason), verified.verdict is Verdict.DAMAGED
        if is_bad and model.ours:
            words += " " + self.tr("Delete it, and download it again.")
        self._pane.show_note(model.path, Note(words, bad=is_bad))

    def _not_checked(self, path: Path, cancel: CancelToken, error: UserError) -> None:
        self._forget(path, cancel)
        self._pane.show_note(path, Note(f"{in_words(error.message)} {in_words(error.hint)}", bad=True))

    def _forget(self, path: Path, cancel: CancelToken) -> None:
        if self._running.get(path) is cancel:
            del self._running[path]

    def _stop_check(self, model: ShelfModel) -> None:
        cancel = self._running.pop(model.path, None)
        if cancel is not None:
            cancel.cancel()
            self._pane.show_note(model.path, Note(self.tr("The file was not checked: you stopped it.")))

    def _show_in_folder(self, model: ShelfModel) -> None:
        folder = model.path.parent
        if not open_folder(folder):
            self._pane.show_problem(
                UserError(self.tr("No program here shows folders."), self.tr("The file is in {folder}."), folder=folder)
            )

    def _copy(self, model: ShelfModel) -> None:
        reference = model.reference or str(model.path)
        QGuiApplication.clipboard().setText(reference)
        self._pane.show_note(model.path, Note(self.tr("Copied: {reference}").format(reference=reference)))
