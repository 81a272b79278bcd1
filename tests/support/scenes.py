"""The states of the window of which pictures are taken."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu, QWidget
from support import (
    about_scenes,
    bench_scenes,
    comparison_scenes,
    composer_scenes,
    crash_scenes,
    dialog_scenes,
    document_scenes,
    engine_scenes,
    manager_scenes,
    picture_scenes,
    project_scenes,
    sample_chats,
    tool_scenes,
    transcript_scenes,
)
from support.choices import choice_of
from support.probes import run_event_loop
from support.stage import ONE, Scene, Stage, settle
from support.windows import tokens_shown, wait_until

from specchat.domain.errors import EngineStoppedError, MemoryShortageError
from specchat.domain.translatable_text import group_digits
from specchat.services.models.demo_pair import demo_choice
from specchat.ui.app_controller import AppController
from specchat.ui.pair.pair_text import missing_last_pair_error

WRITTEN = 112
"""Tokens that are there when the picture of an answer being written is taken."""
_SETTLED_S = 0.3


def how(stage: Stage) -> None:
    stage.open(0)


def streaming(stage: Stage) -> None:
    """The engine has stopped amid its answer; the pace shown is not that of this machine."""
    controller = stage.controller
    controller.window.sidebar.new_chat_requested.emit()
    controller.window.composer.sent.emit(sample_chats.HOW, ())
    wait_until(lambda: tokens_shown(controller) == WRITTEN, "nothing is written")
    running = controller.answers.current()
    assert running is not None
    settle()
    figures = replace(running.stats.snapshot(), tokens_per_s=31.4, speedup=1.9, saved_s=4.3)
    controller.window.overlay.show_stats(figures)


def busy(stage: Stage) -> None:
    """Other programs slow the answer down."""
    controller = stage.controller
    streaming(stage)
    running = controller.answers.current()
    assert running is not None
    figures = replace(running.stats.snapshot(), tokens_per_s=11.2, saved_s=4.3, is_saving_rough=True)
    controller.window.overlay.show_stats(figures)


def two_chats(stage: Stage) -> None:
    """Two are answered, and a third one waits."""
    controller = stage.controller
    streaming(stage)
    controller.window.sidebar.new_chat_requested.emit()
    controller.window.composer.sent.emit("What did they decide about the harbour?", ())
    shown = controller.session.conversation
    assert shown is not None
    running = controller.answers.of_conversation(shown.id)
    assert running is not None
    wait_until(lambda: len(running.streamed.marks) == WRITTEN, "nothing is written")
    controller.window.sidebar.new_chat_requested.emit()
    controller.window.composer.sent.emit("Who waters the tomatoes?", ())
    controller.chat.open(shown.id)
    settle()
    figures = replace(running.stats.snapshot(), tokens_per_s=22.7, speedup=1.6, saved_s=3.1)
    controller.window.overlay.show_stats(figures)


def unfolded(stage: Stage) -> None:
    stage.open(1)
    stage.controller.window.overlay.set_folded(False)


def welcome_unfolded(stage: Stage) -> None:
    stage.controller.window.overlay.set_folded(False)


def serving(stage: Stage) -> None:
    stage.open(0)
    stage.controller.window.header.show_serving("API: answering “Continue”, 2 waiting", "")


def menu(stage: Stage) -> None:
    stage.open(0)
    more = stage.controller.window.header.more
    stage.find(QMenu, "moreMenu").popup(more.mapToGlobal(more.rect().bottomLeft()))


def about(set_up: Callable[[AppController], None]) -> Scene:
    return Scene(lambda stage: set_up(stage.controller), Stage.dialog, ONE)


def aftermath(set_up: Callable[[AppController], object]) -> Scene:
    def prepare(stage: Stage) -> None:
        set_up(stage.controller)

    return Scene(prepare, sizes=ONE)


def error(stage: Stage) -> None:
    stage.open(0)
    shortage = MemoryShortageError(
        "{name}: a context of {n} tokens needs {needed} GB of memory, but this computer has only {total} GB.",
        "Use a smaller context (-c), or a smaller cache type.",
        name="Qwen2.5-7B",
        n=group_digits(131_072),
        needed=61,
        total=16,
    )
    crash_scenes.leave_nothing_loaded(stage.controller)
    stage.controller.notifications.show_error(shortage, lambda: None)


def engine_stopped(stage: Stage) -> None:
    how(stage)
    error = EngineStoppedError(
        "llama.cpp stopped: {reason}.",
        "Continue the answer, or ask again.",
        reason="vk::Queue::submit: ErrorDeviceLost",
    )
    error.used_gpu = True
    stage.controller.notifications.show_error(error, lambda: None, "Continue")


def unloaded(stage: Stage) -> None:
    how(stage)
    button = stage.controller.window.header.pair
    spoken = button.accessibleName()
    stage.controller.pair.unload()
    wait_until(lambda: button.accessibleName() != spoken, "nothing is unloaded")


def waiting(stage: Stage) -> None:
    streaming(stage)
    stage.controller.window.sidebar.new_chat_requested.emit()
    stage.controller.window.composer.sent.emit("What did they decide about the harbour?", ())
    settle()


def pair_gone(stage: Stage) -> None:
    last = choice_of(Path("/home/ada/models/Llama-3.2-3B-Instruct-Q4_K_M.gguf"))
    pair = stage.controller.pair
    pair.show_problem(missing_last_pair_error(last, demo_choice()), lambda: None)


def exporting(stage: Stage) -> None:
    stage.open(0)
    notifications, translate = stage.controller.notifications, QCoreApplication.translate
    words = translate("ChatFiles", "Exporting to {name}…").format(name="specchat.json")
    notifications.show_progress(words, translate("ChatFiles", "Stop"), lambda: None)


def imported(stage: Stage) -> None:
    stage.open(0)
    notifications, translate = stage.controller.notifications, QCoreApplication.translate
    words = translate("ChatFiles", "{n} chats imported").format(n=500)
    notifications.show_action_notice(words, translate("ChatFiles", "Show"), lambda: None)


def deleted(stage: Stage) -> None:
    stage.open(0)
    stage.controller.window.transcript.delete_requested.emit(stage.controller.session.path[-1].id)


def models(set_up: Callable[[manager_scenes.Shop], None]) -> Scene:
    def at_the_hub(stage: Stage) -> None:
        assert stage.hub is not None
        set_up(manager_scenes.Shop(stage.controller, stage.hub))
        run_event_loop(_SETTLED_S)

    return Scene(at_the_hub, sizes=ONE, twice=set_up is manager_scenes.pair, demo=True, at_the_hub=True)


def partly_imported(stage: Stage) -> None:
    """One chat of a file is in disorder."""
    talk = [{"role": "user", "content": sample_chats.HOW}, {"role": "assistant", "content": sample_chats.PROSE}]
    circle = {"title": "Circle", "messages": [{"role": "tool", "content": "none"}]}
    file = stage.controller.services.config / "exported.json"
    file.write_text(json.dumps([{"title": "Drafts", "messages": talk}, circle]), encoding="utf-8")
    files = stage.controller.chat_files
    files.import_from(file)
    wait_until(lambda: not files.is_busy, "nothing is imported")
    settle()


def comparison(set_up: Callable[[AppController], None]) -> Scene:
    return Scene(lambda stage: set_up(stage.controller), twice=set_up is comparison_scenes.done)


def bench(set_up: Callable[[AppController], None]) -> Scene:
    return Scene(lambda stage: set_up(stage.controller), sizes=ONE, twice=set_up is bench_scenes.done)


def small(set_up: Callable[[Stage], None], subject: Callable[[Stage], QWidget]) -> Scene:
    """As on a small screen."""

    def prepare(stage: Stage) -> None:
        set_up(stage)
        settle()
        subject(stage).resize(*_SMALLEST)

    return Scene(prepare, subject, ONE, twice=True)


_SMALLEST = (640, 330)
_SMALL: Mapping[str, tuple[Callable[[Stage], None], Callable[[Stage], QWidget]]] = {
    "settings": (dialog_scenes.settings, Stage.window),
    "shortcuts": (dialog_scenes.shortcuts_dialog, Stage.dialog),
    "details": (dialog_scenes.details, Stage.window),
    "help": (dialog_scenes.help_page, Stage.window),
    "picker": (dialog_scenes.picker_with_a_card, Stage.picker),
    "models": (lambda stage: stage.controller.models.open(), Stage.window),
    "bench": (lambda stage: bench_scenes.done(stage.controller), Stage.window),
}
SCENES: Mapping[str, Scene] = {
    "first-start": Scene(lambda _: None, demo=True, twice=True),
    "empty": Scene(lambda _: None, sizes=ONE),
    "streaming": Scene(streaming, twice=True),
    "busy": Scene(busy),
    "answer": Scene(how),
    "unfolded": Scene(unfolded, sizes=ONE),
    "welcome-unfolded": Scene(welcome_unfolded, sizes=((800, 600), (640, 480)), demo=True),
    "serving": Scene(serving, twice=True),
    "menu": Scene(menu, lambda stage: stage.find(QMenu, "moreMenu"), ONE),
    **dialog_scenes.SCENES,
    **document_scenes.SCENES,
    **transcript_scenes.SCENES,
    **composer_scenes.SCENES,
    **{f"{name}-small": small(set_up, subject) for name, (set_up, subject) in _SMALL.items()},
    **engine_scenes.SCENES,
    **picture_scenes.SCENES,
    **project_scenes.SCENES,
    **tool_scenes.SCENES,
    "error": Scene(error),
    "engine-stopped": Scene(engine_stopped, sizes=ONE),
    "unloaded": Scene(unloaded, sizes=ONE),
    "waiting": Scene(waiting, sizes=ONE),
    "two-chats": Scene(two_chats, n_slots=2, twice=True),
    "pair-gone": Scene(pair_gone, sizes=ONE, demo=True),
    "deleted": Scene(deleted, sizes=ONE, modes=("light",)),
    "exporting": Scene(exporting, sizes=ONE),
    "imported": Scene(imported, sizes=ONE),
    **{name: aftermath(set_up) for name, set_up in crash_scenes.SCENES.items()},
    "fatal": Scene(lambda stage: crash_scenes.fatal(stage.controller), Stage.dialog, ONE),
    **{name: about(set_up) for name, set_up in about_scenes.SCENES.items()},
    "partly-imported": Scene(partly_imported, sizes=ONE),
    **{f"comparison-{name}": comparison(set_up) for name, set_up in comparison_scenes.SCENES.items()},
    **{f"bench-{name}": bench(set_up) for name, set_up in bench_scenes.SCENES.items()},
    **{f"models-{name}": models(set_up) for name, set_up in manager_scenes.SCENES.items()},
}
