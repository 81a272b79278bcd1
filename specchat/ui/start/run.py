"""From nothing to a window, and to its end."""

import gc
import logging
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtWidgets import QApplication

from specchat.domain.errors import UserError
from specchat.services.chat.damaged_chats import DamagedChats, Salvage
from specchat.services.program.runs import Runs
from specchat.services.settings.ui_settings import UiSettings
from specchat.ui.deeds import Deeds
from specchat.ui.desk import Desk, Services
from specchat.ui.instance.apple import AppleApplication
from specchat.ui.instance.files_to_open import FilesToOpen
from specchat.ui.instance.single_instance import SingleInstance, bring_forward
from specchat.ui.start.aftermath import Aftermath
from specchat.ui.start.application import Look, make_application
from specchat.ui.start.damage import Damage, salvaged
from specchat.ui.start.damaged_box import Wish, asked_what_to_do, show_error
from specchat.ui.start.interrupt import interrupts_heard
from specchat.ui.start.mistakes import Mistakes
from specchat.ui.start.smoke_test import SmokeResult, SmokeTest
from specchat.ui.words.translation import install_translation

if TYPE_CHECKING:  # seldom needed
    from specchat.services.program.last_run import LastRun

log = logging.getLogger(__name__)


def run_window(
    settings: UiSettings,
    data: Path,
    make_services: Callable[[], Services],
    set_aside: Callable[[], Path],
    chats: DamagedChats,
    runs: Runs,
    given: Sequence[Path] = (),
    untold: "LastRun | None" = None,
) -> int:
    """`given`: models to open; `untold`: a crash that was taken from `runs` already."""
    application = make_application(sys.argv[:1])
    install_translation(application, settings.language)
    files = FilesToOpen(given, application)
    if isinstance(application, AppleApplication):
        application.given.connect(lambda file: files.come([file]))
    instance = SingleInstance(data, application)
    instance.called.connect(files.come)
    application.aboutToQuit.connect(instance.stop_hearing)
    if not instance.claim(given, lambda: _require_use(given)):
        return 0
    last = untold or runs.take_last()
    look = Look(application, settings.theme.value, settings.text_size.pixels)
    start = _Start(make_services, set_aside, chats)
    while True:
        services = start.services()
        if services is None:
            return 1
        desk = _opened(services, look, load_last=last is None or not last.may_repeat_itself)
        desk.window.first_painted.connect(Aftermath(desk, runs, last).begin)
        damage = Damage(desk, chats, start.salvage)
        desk.window.first_painted.connect(damage.begin)
        files.give_to(partial(_open_files, desk))
        code = _until_closed(application, desk, services.logs)
        damage.close()
        if not damage.is_salvage_wanted:
            return code
        start.salvage_now()
        last = None
        look.deleteLater()
        look = Look(application, settings.theme.value, settings.text_size.pixels)
        instance.hear()


def run_smoke_test(make_services: Callable[[], Services]) -> SmokeResult:
    application = make_application(sys.argv[:1])
    services = make_services()
    desk = _opened(services, Look(application), load_last=False)
    test = SmokeTest(desk)
    _until_closed(application, desk, services.logs)
    return test.result


def _opened(services: Services, look: Look, *, load_last: bool = True) -> Desk:
    desk = Desk(services, look)
    desk.window.first_painted.connect(lambda: desk.start(load_last=load_last))
    desk.window.first_painted.connect(gc.enable)
    Deeds(desk)
    desk.window.show()
    return desk


def _require_use(files: Sequence[Path]) -> None:
    """Whoever started this for a window that is open already looks here for what is wrong, not there."""
    if files:
        from specchat.services.models.opened_models import require_use  # needs numpy, which takes its time to import

        for file in files:
            require_use(file)


def _open_files(desk: Desk, files: Sequence[Path]) -> None:
    bring_forward(desk.window)
    desk.opener.open(files)


def _until_closed(application: QApplication, desk: Desk, logs: Path) -> int:
    mistakes = Mistakes(logs)
    mistakes.happened.connect(desk.notices.tell)
    with mistakes.caught(), interrupts_heard(lambda number: _interrupt(application, number)):
        code = application.exec()
    desk.close()
    shiboken6.delete(desk.window)  # before Python forgets what it overrode
    desk.services.close()
    return code


def _interrupt(application: QApplication, number: int) -> None:
    application.closeAllWindows()
    application.exit(128 + number)  # as shells count


class _Start:
    """A file that cannot be read stops the start; of a damaged one the readable chats can be salvaged."""

    def __init__(
        self, make_services: Callable[[], Services], set_aside: Callable[[], Path], chats: DamagedChats
    ) -> None:
        self._make_services, self._set_aside, self._chats = make_services, set_aside, chats
        self.salvage: Salvage | None = None
        """The last one."""

    def services(self) -> Services | None:
        while True:
            try:
                return self._make_services()
            except UserError as error:
                log.error("%s %s", error.message, error.hint)  # noqa: TRY400 - it is no mistake of ours
                match asked_what_to_do(error):
                    case Wish.SALVAGE:
                        self.salvage_now()
                    case Wish.BEGIN_ANEW:
                        self._set_aside()
                    case Wish.QUIT:
                        return None

    def salvage_now(self) -> None:
        self.salvage = salvaged(self._chats, show_error)
