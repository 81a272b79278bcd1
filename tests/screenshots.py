"""Pictures of the window in each of its states, light and dark, small and large.

python tests/screenshots.py [OUT_FOLDER] [--only SCENE,...] [--language CODE]

Some scenes are taken with twice the pixels as well: those that show something fine.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from unittest.mock import patch

import numpy as np
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage, QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from support import sample_chats
from support.choices import choice_of
from support.hub import LocalHub
from support.manager_scenes import stocked_hub
from support.paced_engine import PacedEngine, pieces_of
from support.scenes import SCENES, WRITTEN
from support.stage import Scene, Stage, settle
from support.talks import store
from support.windows import empty_pair, home, opened, wait_for_pair

from specchat.services.chat.conversation_service import ConversationService
from specchat.services.chat.message_service import MessageService
from specchat.services.models.demo_pair import demo_files
from specchat.services.settings.application_settings import ThemeChoice
from specchat.store.chat_store import open_chat_store
from specchat.ui.start.application import Mode, ThemeManager, make_application
from specchat.ui.words.installed_languages import install_translation
from specchat.window_bootstrap import build_services

SCREEN = (2560, 1600)
COLOURS = 256
BEHIND = {"light": "#d8d8d4", "dark": "#0c0c0d"}


def main() -> None:
    options = arguments()
    if options.pixels:
        take_all(options)
        return
    options.out.mkdir(parents=True, exist_ok=True)
    for pixels in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([*command(options), str(pixels)], env=environment(Path(folder), pixels), check=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, nargs="?", default=Path("screenshots"))
    parser.add_argument("--only", type=lambda names: names.split(","), default=list(SCENES))
    parser.add_argument("--language", default="en")
    parser.add_argument("--pixels", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if unknown := set(options.only) - SCENES.keys():
        parser.error(f"no scene is called {', '.join(unknown)}")
    return options


def command(options: argparse.Namespace) -> list[str]:
    scenes = ",".join(options.only)
    return [sys.executable, __file__, str(options.out), "--only", scenes, "--language", options.language, "--pixels"]


def environment(folder: Path, pixels: int) -> dict[str, str]:
    """A screen with room for the largest window, and a day that is the same everywhere."""
    width, height = (pixels * length for length in SCREEN)
    screen = {"name": "one", "x": 0, "y": 0, "width": width, "height": height, "logicalDpi": 96, "dpr": 1}
    (folder / "screen.json").write_text(json.dumps({"screens": [screen]}))
    platform = f"offscreen:configfile={folder / 'screen.json'}"
    return os.environ | {"QT_QPA_PLATFORM": platform, "QT_SCALE_FACTOR": str(pixels), "TZ": "UTC"}


def take_all(options: argparse.Namespace) -> None:
    application = make_application()
    application.setCursorFlashTime(0)
    install_translation(application, options.language)
    scenes = {name: SCENES[name] for name in options.only if options.pixels == 1 or SCENES[name].twice}
    with ExitStack() as opened:
        hub = opened.enter_context(stocked_hub()) if any(scene.at_the_hub for scene in scenes.values()) else None
        for name, scene in scenes.items():
            for size, mode in product(scene.sizes[: 1 if options.pixels > 1 else None], scene.modes):
                shot = of_few_colours(take(application, scene, size, mode, hub).toImage())
                shot.save(str(options.out / file_name(name, scene, size, mode)), quality=0)


def of_few_colours(image: QImage) -> QImage:
    """The most frequent ones: a fifth of the bytes, and no difference to the eye."""
    pixels = image.convertToFormat(QImage.Format.Format_RGB32)
    colours, counts = np.unique(np.frombuffer(pixels.constBits(), np.uint32), return_counts=True)
    frequent = colours[np.argsort(counts)[-COLOURS:]].tolist()
    return pixels.convertToFormat(QImage.Format.Format_Indexed8, frequent, Qt.ImageConversionFlag.ThresholdDither)


def file_name(name: str, scene: Scene, size: tuple[int, int], mode: Mode) -> str:
    of_size = "" if scene.subject is Stage.dialog else f"-{size[0]}x{size[1]}"
    return f"{name}{of_size}-{mode}{'@2x' if QApplication.primaryScreen().devicePixelRatio() > 1 else ''}.png"


def take(
    application: QApplication, scene: Scene, size: tuple[int, int], mode: Mode, hub: LocalHub | None = None
) -> QPixmap:
    with patch("time.time", lambda: sample_chats.NOW), staged(application, scene, mode, hub) as stage:
        stage.controller.window.resize(*size)
        settle()
        scene.set_up(stage)
        settle()
        return picture(stage.controller.window, scene.subject(stage), mode)


@contextmanager
def staged(application: QApplication, scene: Scene, mode: Mode, hub: LocalHub | None) -> Iterator[Stage]:
    """A window whose clock stands still, with conversations and with a pair that only looks like one."""
    with home(**(hub.environment() if hub else {})) as places:
        chats = [] if scene.demo else store(places, sample_chats.conversations())
        services = build_services(places)
        services.ui_settings.save(replace(services.ui_settings.load(), theme=ThemeChoice(mode)))
        if not scene.demo:
            services.pair_settings.save(empty_pair(places, sample_chats.TARGET, sample_chats.DRAFT))
        with closing(open_chat_store(places.data / "chats.db")) as kept:
            conversations = ConversationService(kept, lambda: sample_chats.NOW)
            for chat in store(places, sample_chats.deleted_conversations()):
                conversations.delete(chat)
            services = replace(
                services,
                conversations=conversations,
                messages=MessageService(kept, lambda: sample_chats.NOW),
                make_engine=lambda: PacedEngine(
                    lambda _: pieces_of(sample_chats.PROSE)[:WRITTEN],
                    holds=True,
                    n_ctx=scene.n_ctx,
                    n_slots=scene.n_slots,
                ),
            )
            with opened(services, ThemeManager(application, mode)) as controller:
                target, draft = demo_files()
                if scene.demo and not target.is_file():  # it is not in this checkout
                    demo = choice_of(target, draft, draft_type="model")
                    controller.window.first_painted.connect(lambda: controller.pair.load(demo))
                wait_for_pair(controller)
                yield Stage(controller, chats, hub)
        if hub:
            hub.clear_faults()


def picture(window: QWidget, subject: QWidget, mode: Mode) -> QPixmap:
    if isinstance(subject, QDialog) or subject is window:
        return subject.grab()
    place = QRect(subject.mapToGlobal(QPoint()) - window.mapToGlobal(QPoint()), subject.size())
    whole = window.rect().united(place)
    ratio = window.devicePixelRatio()
    picture = QPixmap(whole.size() * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(BEHIND[mode])
    painter = QPainter(picture)
    for widget, at in ((window, QPoint()), (subject, place.topLeft())):
        painter.drawPixmap(at - whole.topLeft(), widget.grab())
    painter.end()
    return picture


if __name__ == "__main__":
    main()
