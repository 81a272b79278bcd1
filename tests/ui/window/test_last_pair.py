"""What is loaded at the start, where files of the last pair are gone."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QTextEdit
from pytestqt.qtbot import QtBot
from support.choices import choice_of
from support.desks import Person, wait_for_pair
from support.windows import opened

from specchat.domain.types import PairChoice
from specchat.services.models import demo_pair
from specchat.services.models.model_refs import path_for_ref
from specchat.store.paths import Paths
from specchat.ui.start.application import ThemeManager
from specchat.ui.window.error_remedies import Remedy
from specchat.window_bootstrap import build_services


def wait_for_last(person: Person) -> tuple[str, str]:
    """What is loaded in place of the last pair, and what is said of it."""
    loaded = wait_for_pair(person)[0]
    assert person.window.problem.isVisible()
    said = (person.find(QTextEdit, name).toPlainText() for name in ("problemMessage", "problemHint"))
    return loaded, " ".join(said)


def test_a_last_pair_whose_target_is_gone(qtbot: QtBot, qapp: QApplication, places: Paths, missing: PairChoice) -> None:
    services = build_services(places)
    services.pair_settings.save(missing)
    with opened(services, ThemeManager(qapp)) as controller:
        person = Person(qtbot, controller)
        assert wait_for_last(person) == (
            "demo-target.gguf",
            f"{missing.target.name} wasn't found. The demo was loaded instead. Put the file back in "
            f"{path_for_ref(missing.target).parent} or connect its disk, or choose another model.",
        )
        person.click_remedy(Remedy.OTHER_MODEL)
        assert controller.picker.isVisible()


def test_a_last_pair_whose_draft_is_gone(
    qtbot: QtBot, qapp: QApplication, places: Paths, choice: PairChoice, missing: PairChoice
) -> None:
    services = build_services(places)
    services.pair_settings.save(replace(choice, draft=missing.target))
    with opened(services, ThemeManager(qapp)) as controller:
        person = Person(qtbot, controller)
        assert wait_for_last(person) == (
            choice.target.name,
            f"{missing.target.name} wasn't found. {choice.target.name} was loaded without it. Put the file back in "
            f"{path_for_ref(missing.target).parent} or connect its disk, or choose another model.",
        )
        assert controller.pair.choice is not None
        assert controller.pair.choice.target_settings == choice.target_settings


def test_a_last_target_that_came_from_the_hub(
    qtbot: QtBot, qapp: QApplication, places: Paths, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    file = tmp_path / "models--sea--fish-GGUF" / "snapshots" / ("a" * 40) / "fish-Q8_0.gguf"
    services = build_services(places)
    services.pair_settings.save(choice_of(file, draft_type="none"))
    with opened(services, ThemeManager(qapp)) as controller:
        assert wait_for_last(Person(qtbot, controller))[1] == (
            "sea/fish-GGUF:fish-Q8_0.gguf wasn't found. The demo was loaded instead. Download it again from "
            "Hugging Face, or choose another model."
        )


def test_a_last_pair_that_is_gone_where_there_is_no_demo(
    qtbot: QtBot,
    qapp: QApplication,
    places: Paths,
    missing: PairChoice,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demo_pair, "resources", lambda: tmp_path / "nothing")
    services = build_services(places)
    services.pair_settings.save(missing)
    with opened(services, ThemeManager(qapp)) as controller:
        qtbot.waitUntil(controller.window.problem.isVisible)
        hint = Person(qtbot, controller).find(QTextEdit, "problemHint").toPlainText()
        assert hint.startswith("Put the file back in ")
