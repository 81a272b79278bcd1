"""Runs the window from startup to shutdown."""

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
from specchat.services.chat.chat_salvage import ChatSalvage, SalvageResult
from specchat.services.program.run_tracker import RunTracker
from specchat.services.settings.application_settings import ApplicationSettings
from specchat.ui.app_controller import AppController
from specchat.ui.instance.file_open_queue import FileOpenQueue
from specchat.ui.instance.mac_application import MacApplication
from specchat.ui.instance.single_instance import SingleInstance, bring_to_front
from specchat.ui.services import Services
from specchat.ui.start.application import ThemeManager, make_application
from specchat.ui.start.damaged_chats_box import RecoveryChoice, ask_recovery_choice, show_error
from specchat.ui.start.damaged_chats_controller import DamagedChatsController, try_salvage
from specchat.ui.start.exception_reporter import ExceptionReporter
from specchat.ui.start.last_run_reporter import LastRunReporter
from specchat.ui.start.signal_handlers import interrupts_handled
from specchat.ui.start.smoke_test import SmokeResult, SmokeTest
from specchat.ui.window.menu_actions import MenuActions
from specchat.ui.words.installed_languages import install_translation

if TYPE_CHECKING:  # seldom needed
    from specchat.services.program.run_ending import RunEnding

log = logging.getLogger(__name__)


def run_window(
    settings: ApplicationSettings,
    data: Path,
    make_services: Callable[[], Services],
    set_aside: Callable[[], Path],
    chats: ChatSalvage,
    runs: RunTracker,
    given: Sequence[Path] = (),
    untold: "RunEnding | None" = None,
) -> int:
    """`given`: models to open; `untold`: a crash that was taken from `runs` already."""
    application = make_application(sys.argv[:1])
    install_translation(application, settings.language)
    theme = ThemeManager(application, settings.theme.value, settings.text_size.pixels)
    files = FileOpenQueue(given, application)
    if isinstance(application, MacApplication):
        application.file_open_requested.connect(lambda file: files.add_files([file]))
    instance = SingleInstance(data, application)
    instance.activation_requested.connect(files.add_files)
    application.aboutToQuit.connect(instance.stop_listening)
    if not instance.claim(given, lambda: _require_use(given)):
        return 0
    last = untold or runs.claim_last_run()
    start = _Start(make_services, set_aside, chats)
    while True:
        services = start.services()
        if services is None:
            return 1
        controller = _opened(services, theme, load_last=last is None or not last.may_recur)
        controller.window.first_painted.connect(LastRunReporter(controller, runs, last).start)
        damage = DamagedChatsController(controller, chats, start.salvage)
        controller.window.first_painted.connect(damage.start)
        files.set_handler(partial(_open_files, controller))
        code = _until_closed(application, controller, services.logs)
        damage.close()
        if not damage.is_salvage_requested:
            return code
        start.salvage_now()
        last = None
        theme.deleteLater()
        theme = ThemeManager(application, settings.theme.value, settings.text_size.pixels)
        instance.listen()


def run_smoke_test(make_services: Callable[[], Services]) -> SmokeResult:
    application = make_application(sys.argv[:1])
    services = make_services()
    controller = _opened(services, ThemeManager(application), load_last=False)
    test = SmokeTest(controller)
    _until_closed(application, controller, services.logs)
    return test.result


def _opened(services: Services, theme: ThemeManager, *, load_last: bool = True) -> AppController:
    controller = AppController(services, theme)
    controller.window.first_painted.connect(lambda: controller.start(load_last=load_last))
    controller.window.first_painted.connect(gc.enable)
    MenuActions(controller)
    controller.window.show()
    return controller


def _require_use(files: Sequence[Path]) -> None:
    """Whoever started this for a window that is open already looks here for what is wrong, not there."""
    if files:
        from specchat.services.models.opened_models import (
            require_usable_model,
        )  # needs numpy, which takes its time to import

        for file in files:
            require_usable_model(file)


def _open_files(controller: AppController, files: Sequence[Path]) -> None:
    bring_to_front(controller.window)
    controller.file_opener.open(files)


def _until_closed(application: QApplication, controller: AppController, logs: Path) -> int:
    mistakes = ExceptionReporter(logs)
    mistakes.error_reported.connect(controller.notifications.show_error)
    application.commitDataRequest.connect(controller.close_unasked)
    with mistakes.hooks_installed(), interrupts_handled(lambda number: _interrupt(application, controller, number)):
        code = application.exec()
    controller.close()
    shiboken6.delete(controller.window)  # before Python forgets what it overrode
    controller.services.close()
    return code


def _interrupt(application: QApplication, controller: AppController, number: int) -> None:
    controller.close_unasked()
    application.closeAllWindows()
    application.exit(128 + number)  # as shells count


class _Start:
    """A file that cannot be read stops the start; of a damaged one the readable chats can be salvaged."""

    def __init__(
        self, make_services: Callable[[], Services], set_aside: Callable[[], Path], chats: ChatSalvage
    ) -> None:
        self._make_services, self._set_aside, self._chats = make_services, set_aside, chats
        self.salvage: SalvageResult | None = None
        """The last one."""

    def services(self) -> Services | None:
        while True:
            try:
                return self._make_services()
            except UserError as error:
                log.error("%s %s", error.message, error.hint)  # noqa: TRY400 - it is no mistake of ours
                match ask_recovery_choice(error):
                    case RecoveryChoice.SALVAGE:
                        self.salvage_now()
                    case RecoveryChoice.START_EMPTY:
                        self._set_aside()
                    case RecoveryChoice.QUIT:
                        return None

    def salvage_now(self) -> None:
        self.salvage = try_salvage(self._chats, show_error)
