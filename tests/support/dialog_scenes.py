"""The states of the picker, the settings and the other dialogs of which pictures are taken."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QTabBar
from support import sample_chats
from support.stage import ONE, Scene, Stage, settle
from support.windows import wait_until

from specchat.domain.embeddings import Purpose
from specchat.domain.errors import UserError
from specchat.services.models.pair_fit import DraftOption, DraftVerdict, LocalModel
from specchat.ui.chat.trash_dialog import TrashDialog
from specchat.ui.server.server_state import ServerPhase, ServerState
from specchat.ui.window import shortcuts


def pair_picker(stage: Stage) -> None:
    """With models that are too large to lie about here."""
    stage.open(0)
    controller, models = stage.controller, sample_chats.library(stage.controller.services.config)
    picker, choice = controller.picker, sample_chats.choice(models)
    picker.blockSignals(True)
    picker.show_models(models)
    picker.show_choice(choice, sample_chats.draft_options(models))
    picker.show_fit(choice, sample_chats.fit())
    picker.open_below(controller.window.header.pair)


def picker_with_a_card(stage: Stage) -> None:
    stage.controller.picker.show_devices(sample_chats.devices())
    pair_picker(stage)


def picker_with_machines(stage: Stage) -> None:
    pair_picker(stage)
    picker, models = stage.controller.picker, sample_chats.library(stage.controller.services.config)
    choice = sample_chats.choice_on_machines(models)
    picker.show_choice(choice, sample_chats.draft_options(models))
    picker.show_fit(choice, sample_chats.fit_on_machines())
    picker.show_machines(choice.target_settings.rpc)


def picker_with_heads(stage: Stage) -> None:
    """A target with MTP layers of its own, and an EAGLE-3 head beside it."""
    pair_picker(stage)
    picker, models = stage.controller.picker, sample_chats.library(stage.controller.services.config)
    head = sample_chats.head(stage.controller.services.config)
    picker.show_models([*models, head])
    automatic, *others = sample_chats.draft_options(models)
    automatic, eagle = replace(automatic, model=None), DraftOption("model", head, DraftVerdict.IDENTICAL)
    choice = replace(sample_chats.choice(models), draft=head.ref)
    picker.show_choice(choice, [automatic, DraftOption("mtp"), eagle, *others])
    picker.show_fit(choice, sample_chats.fit_with_head())


def settings(stage: Stage) -> None:
    stage.open(0)
    stage.controller.window.sidebar.settings_requested.emit()


def preset_deleted(stage: Stage) -> None:
    settings(stage)
    stage.controller.notifications.show_undo_notice("Preset “Captain” deleted", lambda: None)


def application_settings(stage: Stage) -> None:
    settings(stage)
    stage.find(QTabBar, "settingsTabs").setCurrentIndex(1)
    settle()
    embedder = LocalModel(
        Path("/models/nomic-embed-text-v1.5.Q8_0.gguf"), "Nomic Embed Text v1.5", purpose=Purpose.EMBEDDINGS
    )
    page, settings_model = stage.controller.settings.page(), stage.controller.settings_model
    page.application_page.show_models([embedder])
    settings_model.change(replace(settings_model.value, embedding_model=str(embedder.path)))


def server_settings(stage: Stage) -> None:
    stage.open(0)
    controller = stage.controller
    controller.settings.open("server")
    settle()
    stage.find(QCheckBox, "serveOthers").setChecked(True)
    where = stage.find(QLabel, "serverKeyHome")
    wait_until(lambda: "keyring…" not in where.text(), "the key is not known")
    controller.server.blockSignals(True)  # the scene's state is not the server's own
    controller.settings.page().server_page.show_state(ServerState(ServerPhase.SERVING, "http://127.0.0.1:8080/v1"))


def server_refused(stage: Stage) -> None:
    server_settings(stage)
    message = "The server can't start: another program is using port 8080."
    error = UserError(message, "Choose another port (--port), or close that program and try again.")
    refused = ServerState(ServerPhase.FAILED, error=error, can_retry=True)
    stage.controller.settings.page().server_page.show_state(refused)


def details(stage: Stage) -> None:
    stage.open(2)
    stage.controller.window.overlay.clicked.emit()


def trash(stage: Stage) -> None:
    for chat, place in ((1, -1), (2, 0)):
        stage.open(chat)
        stage.controller.window.transcript.delete_requested.emit(stage.controller.session.path[place].id)
    dialog = stage.controller.window.findChildren(TrashDialog)[0]
    dialog.show_trash(stage.controller.trash.contents())
    dialog.show()


def shortcuts_dialog(stage: Stage) -> None:
    stage.controller.window.findChildren(QAction, shortcuts.SHORTCUTS.id)[0].trigger()


def help_page(stage: Stage) -> None:
    """In the topic with the most kinds of text."""
    stage.open(0)
    stage.controller.help.open()
    stage.controller.help.page().show_topic("commands.md")


def help_search(stage: Stage) -> None:
    help_page(stage)
    stage.find(QLineEdit, "helpFilter").setText("overlay")


SCENES: Mapping[str, Scene] = {
    "picker": Scene(pair_picker, Stage.picker, twice=True),
    "picker-with-heads": Scene(picker_with_heads, Stage.picker),
    "picker-with-machines": Scene(picker_with_machines, Stage.picker, twice=True),
    "picker-with-a-card": Scene(picker_with_a_card, Stage.picker),
    "settings": Scene(settings),
    "preset-deleted": Scene(preset_deleted, sizes=ONE),
    "application-settings": Scene(application_settings, sizes=ONE),
    "server-settings": Scene(server_settings, sizes=ONE),
    "server-refused": Scene(server_refused, sizes=ONE),
    "details": Scene(details, sizes=ONE),
    "help": Scene(help_page),
    "help-search": Scene(help_search, sizes=ONE),
    "trash": Scene(trash, Stage.dialog, ONE),
    "shortcuts": Scene(shortcuts_dialog, Stage.dialog, ONE),
}
