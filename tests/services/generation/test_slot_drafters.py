"""Drafters of other packages, and lookahead, where several answers are wanted at once."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from support.slots import N_SLOTS, Asked, alone, answer, answer_all, check, load, make_choice, requests

from specchat.domain.errors import SettingError
from specchat.domain.speculation_status import ON, SpeculationOff, speculation_text
from specchat.domain.types import PairChoice

MADE_ONCE_AND_AGAIN = """
from specchat.domain.proposal import Proposal
made = []
class Silent:
    name = "only-two"
    def propose(self, context, budget):
        return Proposal((), (), ())
    def observe(self, accepted, proposal):
        pass
def make_drafter(setup):
    made.append(setup)
    if len(made) == 2:
        raise ValueError("once is enough")
    return Silent()
"""
OWN_TEXT = """
from specchat.domain.proposal import Proposal
import numpy as np
class OwnText:
    name = "own-text"
    def __init__(self, setup):
        self.target = setup.target
    def propose(self, context, budget):
        assert context.target is self.target
        if not budget:
            return Proposal((), (), ())
        missing = context.tokens[len(self.target.cached):]
        logits = self.target.evaluate(missing, 1, context.cancel)
        token = int(np.argmax(logits[0]))
        return Proposal((token,), ("own-text",), (0.9,))
    def observe(self, accepted, proposal):
        pass
def make_drafter(setup):
    return OwnText(setup)
"""


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> PairChoice:
    return make_choice(tmp_path_factory.mktemp("pair"))


def install(site: Path, name: str, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = name.replace("-", "_")
    (site / f"{module}.py").write_text(source)
    about = site / f"{module}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[specchat.drafters]\n{name} = {module}:make_drafter\n")
    monkeypatch.syspath_prepend(site)


def test_drafters_of_other_packages_are_one_for_each_answer(
    choice: PairChoice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This one asks the target itself, between the passes of the others."""
    install(tmp_path, "own-text", OWN_TEXT, monkeypatch)
    pair = load(replace(choice, draft=None, draft_type="own-text", draft_max=2))
    try:
        assert pair.n_slots == N_SLOTS
        asked = requests(51, 12)
        answer_all(pair, asked, random.Random(51))
        check(asked, list(alone(choice, asked)))
        stats = [one.end.stats for one in asked if one.end is not None]
        assert not any("failed" in each.speculation for each in stats)
        assert sum(each.drafted_per_source.get("own-text", 0) for each in stats)
    finally:
        pair.close()


def test_a_drafter_that_cannot_be_made_keeps_no_slot(
    choice: PairChoice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "only-two", MADE_ONCE_AND_AGAIN, monkeypatch)
    pair = load(replace(choice, draft=None, draft_type="only-two", draft_max=2))
    request = replace(requests(0, 1)[0].request, max_tokens=40)
    try:
        with pytest.raises(SettingError, match="once is enough"):
            answer(pair, Asked(request))
        answer(pair, again := Asked(request))
        assert len(again.tokens) == request.max_tokens
    finally:
        pair.close()


def test_lookahead_guesses_for_an_answer_that_is_alone(choice: PairChoice) -> None:
    settings = replace(choice.target_settings, exact=False, n_ctx=1024)
    pair = load(replace(choice, target_settings=settings, draft=None, draft_type="lookahead", draft_max=15))
    request = replace(requests(0, 1)[0].request, max_tokens=40)
    longer, shorter = Asked(request), Asked(replace(request, max_tokens=10))
    try:
        assert pair.n_slots == N_SLOTS
        for one in (longer, shorter):
            pair.scheduler.start(lambda one=one: answer(pair, one))  # type: ignore[misc]
        pair.scheduler.run()
        assert longer.end is not None
        assert shorter.end is not None
        assert longer.end.stats.speculation == ON
        assert longer.end.stats.drafted_per_source.keys() == {"lookahead"}
        assert shorter.end.stats.speculation == speculation_text(SpeculationOff.SHARED)
        assert not shorter.end.stats.drafted_per_source
    finally:
        pair.close()


def test_lookahead_has_one_slot_in_exact_mode(choice: PairChoice) -> None:
    pair = load(replace(choice, draft=None, draft_type="lookahead", draft_max=15))
    try:
        reason = "in exact mode, lookahead uses all branches of the cache"
        assert (pair.n_slots, pair.slots_reason) == (1, reason)
    finally:
        pair.close()
