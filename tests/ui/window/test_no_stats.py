"""Answers without stats: the overlay says so, and shows no others in their place."""

import json
from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot
from support.choices import choice_of
from support.desks import OpenScripted, Person, wait_for_pair
from support.paced_engine import PacedEngine

from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import ModelSettings, PairChoice
from specchat.ui.overlay.stats_overlay import StatsOverlay

NO_STATS = "No stats for the last answer"


def said(person: Person) -> str:
    return person.find(StatsOverlay, "acceptanceOverlay").accessibleDescription()


def imported(person: Person, file: Path) -> None:
    talk = [{"role": "user", "content": "Why tides?"}, {"role": "assistant", "content": "The moon."}]
    file.write_text(json.dumps(talk))
    person.controller.chat_files.import_from(file)
    person.qtbot.waitUntil(lambda: not person.controller.chat_files.is_busy, timeout=60_000)
    person.click("noticeAction")
    assert person.path[-1].text == "The moon."


def test_an_imported_answer_has_none(person: Person, tmp_path: Path) -> None:
    person.keep_short()
    person.ask("Tell me more.")
    assert "guesses accepted" in said(person)
    imported(person, tmp_path / "talk.json")
    assert said(person) == NO_STATS
    person.controller.chat.new_chat()
    assert said(person) == "No answer yet"


def test_an_answer_that_was_stopped_before_its_first_token_has_none(
    open_scripted: OpenScripted,
) -> None:
    pieces = iter((["One ", "two."], []))
    engine = PacedEngine(lambda _: next(pieces), holds=True)
    with open_scripted(engine) as person:
        wait_for_pair(person)
        stop_with(person, "Count", lambda: "guesses accepted" in said(person))
        stop_with(person, "Count again", lambda: len(engine.asked) == 2)
        assert said(person) == NO_STATS


def stop_with(person: Person, question: str, ready: Callable[[], bool]) -> None:
    person.write(question)
    person.click("sendButton")
    person.qtbot.waitUntil(ready, timeout=60_000)
    person.click("stopButton")
    person.qtbot.waitUntil(lambda: not person.controller.chat.is_answering, timeout=60_000)


def test_speculation_that_was_off_in_the_last_answer_and_is_on_now(
    qtbot: QtBot, person: Person, choice: PairChoice, tiny_pair: tuple[Path, Path]
) -> None:
    settings = ModelSettings(n_ctx=512, threads=1)
    load(person, choice_of(tiny_pair[0], None, settings, settings, draft_type="none"))
    person.keep_short()
    answer = person.controller.services.messages.answer(person.ask("Tell me more.").id)
    assert answer is not None
    assert str(SpeculationOff.SWITCHED_OFF) in answer.stats.speculation
    load(person, choice)
    assert said(person) == "No answer with speculation yet"


def load(person: Person, choice: PairChoice) -> None:
    person.controller.pair.load(choice)
    person.qtbot.waitUntil(lambda: not person.controller.pair.is_loading, timeout=60_000)
    person.qtbot.waitUntil(lambda: person.controller.session.pair is not None, timeout=60_000)
