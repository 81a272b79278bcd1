"""The states of the dialog about specchat of which pictures are taken."""

from collections.abc import Callable

from PySide6.QtWidgets import QPlainTextEdit, QTabBar
from support.parts import PARTS, write_parts
from support.windows import wait_until

from specchat.domain.errors import UserError
from specchat.services.program.licences import Licences
from specchat.services.program.updates import ADDRESS, Update, Updates
from specchat.ui.about.about import About
from specchat.ui.about.dialog import AboutDialog
from specchat.ui.desk import Desk

NEWER = Update(
    "0.2.0",
    "https://github.com/specchat/specchat/releases/tag/v0.2.0",
    "A server that other programs can ask.\nBenchmarks with plots.\nAnswers begin sooner after a long prompt.",
)


def opened(desk: Desk, address: str = ADDRESS) -> AboutDialog:
    folder = desk.services.config / "licences"
    licences = Licences(write_parts(folder, *PARTS))
    about = About(Updates(address), licences, desk.services.logs, desk.look.theme, desk.window)
    about.dialog.open_again()
    return about.dialog


def plain(desk: Desk) -> None:
    opened(desk)


def asking(desk: Desk) -> None:
    opened(desk).specchat.updates.show_asking()


def newest(desk: Desk) -> None:
    opened(desk).specchat.updates.show_update(None)


def newer(desk: Desk) -> None:
    opened(desk).specchat.updates.show_update(NEWER)


def offline(desk: Desk) -> None:
    error = UserError("github.com is not found: is there a network?", "Check the connection, then try again.")
    opened(desk).specchat.updates.show_error(error)


def switched_off(desk: Desk) -> None:
    opened(desk, address="")


def licences(desk: Desk) -> None:
    dialog = opened(desk)
    turn_to_licences(dialog)
    text = dialog.findChild(QPlainTextEdit, "licenceText")
    assert text is not None
    wait_until(lambda: bool(text.toPlainText()), "no licence is shown")


def no_licences(desk: Desk) -> None:
    turn_to_licences(desk.about.open())


def turn_to_licences(dialog: AboutDialog) -> None:
    tabs = dialog.findChild(QTabBar, "aboutTabs")
    assert tabs is not None
    tabs.setCurrentIndex(1)


SCENES: dict[str, Callable[[Desk], None]] = {
    "about": plain,
    "about-asking": asking,
    "about-newest": newest,
    "about-newer": newer,
    "about-offline": offline,
    "about-switched-off": switched_off,
    "licences": licences,
    "no-licences": no_licences,
}
