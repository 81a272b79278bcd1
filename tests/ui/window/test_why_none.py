"""An answer without guesses: the same reason wherever the window tells of it."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView
from support.choices import choice_of
from support.desks import Person

from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import ModelSettings, PairChoice
from specchat.ui.overlay.stats_overlay import StatsOverlay
from specchat.ui.overlay.stats_text import answer_footer

WHY = str(SpeculationOff.ENDED_FIRST)
_DRAFTER = 8
"""The column."""


@pytest.fixture(params=["auto", "model", "ngram"])
def choice(tiny_pair: tuple[Path, Path], request: pytest.FixtureRequest) -> PairChoice:
    target, draft = tiny_pair
    settings = ModelSettings(n_ctx=512, threads=1)
    length = 3 if request.param == "model" else None
    return choice_of(target, draft, settings, settings, draft_type=request.param, draft_max=length)


def test_line_overlay_and_details_say_the_same(person: Person) -> None:
    person.keep_short(1)
    kept = person.controller.services.messages.answer(person.ask("Tell me more.").id)
    assert kept is not None
    assert (kept.stats.n_drafted, kept.stats.speculation) == (0, f"off: {WHY}")
    overlay = person.find(StatsOverlay, "acceptanceOverlay")
    assert answer_footer(kept).startswith(f"no guesses: {WHY}")
    assert f"No guesses: {WHY}" in " ".join(overlay.toolTip().split())
    person.controller.stats_overlay.show_details()
    table = person.window.findChild(QTableView, "replyTable")
    assert table is not None
    said = table.model().index(1, _DRAFTER)
    assert f"no guesses: {WHY}" in said.data()
    assert " ".join(said.data(Qt.ItemDataRole.ToolTipRole).split()) == said.data()
