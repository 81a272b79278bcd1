"""Model files that are to be opened: from the desktop, by another start of the program, or dropped on the window."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from specchat.domain.errors import UserError
from specchat.domain.types import PairChoice
from specchat.services.memory.pair_memory import devices_here, fit
from specchat.services.models.found_models import is_same
from specchat.services.models.pair_values import Fit
from specchat.ui.chat.answers import Answers
from specchat.ui.chat.pair_control import PairControl
from specchat.ui.model_services import ModelServices
from specchat.ui.threads.tasks import Tasks


@dataclass(frozen=True, slots=True)
class _Opened:
    choice: PairChoice
    """As it was used last, else with the best draft that is here."""
    fits: bool


class FileOpener(QObject):
    failed = Signal(UserError)
    noticed = Signal(str)

    def __init__(
        self, services: ModelServices, tasks: Tasks, pair: PairControl, answers: Answers, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._services, self._tasks, self._pair, self._answers = services, tasks, pair, answers
        self._has_started = self._may_load_last = False
        self._waiting: list[Path] = []
        """What is to be opened first."""
        self._expected: PairChoice | None = None
        """What the window says it loads, while the file is looked at."""

    def start(self, *, load_last: bool = True) -> None:
        """What is to be opened is loaded, else what was used last."""
        self._has_started, self._may_load_last = True, load_last
        if self._waiting:
            self._expected = self._pair.expect(self._waiting[0])
            self.open(self._waiting)
        else:
            self._load_last()

    def open(self, files: Sequence[Path]) -> None:
        if not self._has_started:
            self._waiting += files
        elif files:
            self._tasks.run(lambda: self._looked_at(files), self._take, self._refuse)

    def _looked_at(self, files: Sequence[Path]) -> _Opened:
        from specchat.services.models.opened_models import opened  # needs numpy, which takes its time to import

        choice = self._services.pair_settings.of_target(opened(files, self._services.shelf).path)
        return _Opened(choice, self._fits(choice))

    def _fits(self, choice: PairChoice) -> bool:
        """Roughly: the picker, which opens where this is in doubt, asks llama.cpp."""
        try:
            found = fit(self._services.shelf.settled(choice), devices_here(), self._pair.choice)
        except UserError:
            return False
        return found.verdict is not Fit.DOES_NOT_FIT

    def _take(self, opened: _Opened) -> None:
        """Nothing that is being written is interrupted: then the picker asks."""
        expected, self._expected = self._expected, None
        if expected is not None and self._pair.wanted is not expected:
            return  # it was stopped, or another model was chosen meanwhile
        if expected is None and self._is_wanted_already(opened.choice.target):
            return
        if opened.fits and self._answers.current() is None:
            self._pair.load(opened.choice)
            self._pair.refresh()
        else:
            self._end(expected)
            self._pair.add_file(opened.choice.target)

    def _refuse(self, error: UserError) -> None:
        expected, self._expected = self._expected, None
        self._end(expected)
        self.failed.emit(error)

    def _end(self, expected: PairChoice | None) -> None:
        """What is loaded stays; at the start what was used last takes the place of what cannot be opened."""
        if expected is not None and self._pair.wanted is expected:
            self._pair.stop()
            self._load_last()

    def _load_last(self) -> None:
        if self._may_load_last:
            self._pair.load_last()

    def _is_wanted_already(self, target: Path) -> bool:
        wanted = self._pair.wanted
        if wanted is None or not is_same(wanted.target, target):
            return False
        if not self._pair.is_loading:
            self.noticed.emit(self.tr("{name} is loaded already").format(name=self._pair.name_of(target.name)))
        return True
