"""The states of the dialog about specchat of which pictures are taken."""

from collections.abc import Callable

from PySide6.QtWidgets import QPlainTextEdit, QTabBar
from support.parts import PARTS, write_parts
from support.windows import wait_until

from specchat.domain.errors import UserError
from specchat.services.program.licences import Licences
from specchat.services.program.update_checker import ADDRESS, Update, UpdateChecker
from specchat.ui.about.controller import AboutController
from specchat.ui.about.dialog import AboutDialog
from specchat.ui.app_controller import AppController

NEWER = Update(
    "0.2.0",
    "https://github.com/specchat/specchat/releases/tag/v0.2.0",
    "A server that other programs can ask.\nBenchmarks with plots.\nAnswers begin sooner after a long prompt.",
)


def opened(controller: AppController, address: str = ADDRESS) -> AboutDialog:
    folder = controller.services.config / "licences"
    licences = Licences(write_parts(folder, *PARTS))
    about = AboutController(UpdateChecker(address), licences, controller.services.logs, controller.window)
    about.dialog.open_first_page()
    return about.dialog


def plain(controller: AppController) -> None:
    opened(controller)


def asking(controller: AppController) -> None:
    opened(controller).specchat_page.update_box.show_checking()


def newest(controller: AppController) -> None:
    opened(controller).specchat_page.update_box.show_update(None)


def newer(controller: AppController) -> None:
    opened(controller).specchat_page.update_box.show_update(NEWER)


def offline(controller: AppController) -> None:
    error = UserError("Can't reach github.com.", "Check your connection, then try again.")
    opened(controller).specchat_page.update_box.show_error(error)


def switched_off(controller: AppController) -> None:
    opened(controller, address="")


def licences(controller: AppController) -> None:
    dialog = opened(controller)
    turn_to_licences(dialog)
    text = dialog.findChild(QPlainTextEdit, "licenceText")
    assert text is not None
    wait_until(lambda: bool(text.toPlainText()), "no licence is shown")


def no_licences(controller: AppController) -> None:
    turn_to_licences(controller.about.open())


def turn_to_licences(dialog: AboutDialog) -> None:
    tabs = dialog.findChild(QTabBar, "aboutTabs")
    assert tabs is not None
    tabs.setCurrentIndex(1)


SCENES: dict[str, Callable[[AppController], None]] = {
    "about": plain,
    "about-asking": asking,
    "about-newest": newest,
    "about-newer": newer,
    "about-offline": offline,
    "about-switched-off": switched_off,
    "licences": licences,
    "no-licences": no_licences,
}
