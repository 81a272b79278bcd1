"""Lists who can answer on each side of a comparison, and settles which pairs are loaded for it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from specchat.domain.errors import UserError
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import PairChoice
from specchat.services.engines.compared_answers import engine_url
from specchat.services.engines.compared_sides import Side, default_sides, list_sides, served_sides, settled_choices
from specchat.services.models.model_library import ModelLibrary
from specchat.services.settings.pair_settings import PairSettings
from specchat.ui.comparison.page import ComparisonPage
from specchat.ui.comparison.side_text import side_label
from specchat.ui.engines.engine_list import EngineList
from specchat.ui.pair.pair_controller import PairController
from specchat.ui.session import Session
from specchat.ui.threads.task_queue import TaskQueue
from specchat.ui.window.notification_controller import NotificationController


class SideController(QObject):
    def __init__(
        self,
        library: ModelLibrary,
        pair_settings: PairSettings,
        session: Session,
        tasks: TaskQueue,
        pair: PairController,
        engines: EngineList,
        notifications: NotificationController,
        page: ComparisonPage,
    ) -> None:
        super().__init__(page)
        self._library, self._pair_settings = library, pair_settings
        self._session, self._tasks, self._pair, self._engines = session, tasks, pair, engines
        self._notifications, self._page = notifications, page
        self._local: list[Side] | None = None
        """None: the files were not read yet."""
        self._is_chosen = False
        """By the user, for whom these sides stay whatever is loaded."""
        engines.changed.connect(self._show_sides)
        session.pair_changed.connect(self._show_order)
        page.sides_changed.connect(self._change_sides)

    @property
    def is_listed(self) -> bool:
        return bool(self._local)

    def refresh(self) -> None:
        """Reads the files in the background."""
        self._engines.refresh()
        loaded = self._pair.resolved_choice or self._pair.current_choice or self._pair_settings.last_pair()
        library, settings = self._library, self._pair_settings
        self._tasks.run(lambda: list_sides(loaded, library, settings), self.show_local, self._show_failure)

    def settle(
        self, sides: Sequence[Side], done: Callable[[list[PairChoice]], None], failed: Callable[[UserError], None]
    ) -> None:
        loaded, library = self._pair.resolved_choice, self._library
        self._tasks.run(lambda: settled_choices(sides, loaded, library), done, failed)

    def show_local(self, sides: list[Side]) -> None:
        self._local = sides
        self._show_sides()

    def _show_failure(self, error: UserError) -> None:
        self._notifications.show_error(error)
        self.show_local(self._local or [])

    def _show_sides(self) -> None:
        """What was chosen stays, as long as it is there."""
        local = self._local
        if self._page.is_running or local is None:
            return
        reports = [entry.report for entry in self._engines.entries if entry.report is not None]
        sides = [*local, *(each for each in served_sides(reports) if each not in local)]
        default: Sequence[Side | None] = default_sides(sides) or (None, None)
        before = [column.side if self._is_chosen else None for column in self._page.columns]
        chosen = [kept if kept in sides else usual for kept, usual in zip(before, default, strict=True)]
        self._page.show_sides([(self._label(side), side) for side in sides], chosen)
        self._show_order()

    def _change_sides(self) -> None:
        self._is_chosen = True
        self._page.show_verdict("")
        self._show_order()

    def _label(self, side: Side) -> str:
        is_loaded = side.choice == self._pair.resolved_choice and self._session.pair is not None
        drafter = self._session.pair.guesser if is_loaded and self._session.pair is not None else ""
        target = side.choice.target
        engine = self._engines.name_of(target) if isinstance(target, ServedModel) else ""
        return side_label(side, self._pair.display_name, drafter, engine)

    def _show_order(self) -> None:
        sides = self._page.sides
        if len(sides) < 2:
            self._page.show_order("")
        elif len({engine_url(side.choice) for side in sides}) > 1:
            self._page.show_order(self.tr("Both answer at once, in different engines."))
        elif sides[0].choice.target == sides[1].choice.target and _share_models(sides):
            self._page.show_order(self.tr("They answer one after the other, so that neither slows the other down."))
        else:
            self._page.show_order(self.tr("They answer one after the other, as only one pair is loaded at a time."))


def _share_models(sides: Sequence[Side]) -> bool:
    """Both are answered by the same loaded models."""
    drafts = {str(side.choice.draft) for side in sides if side.choice.draft is not None}
    return len(drafts) < 2
