import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from support.choices import choice_of
from support.measured import device, report, row

from specchat.domain.benchmark import BenchMethod
from specchat.domain.hub import HubReference
from specchat.domain.types import Device, PairChoice
from specchat.services.bench.advice import best_row
from specchat.services.bench.measured_pairs import MeasuredPairs, ObservedSpeed, plain_speed
from specchat.services.drafts.draft_candidates import SpeedupEstimate
from specchat.services.drafts.speedup import apply_measurement
from specchat.store.json_cache import JsonCache

CPU, CARD = device("cpu", "A processor"), device("gpu", "A card")


class Place:
    """Files, and what was measured with them."""

    def __init__(self, folder: Path) -> None:
        self.target, self.draft = (folder / f"{name}.gguf" for name in ("target", "draft"))
        for path in (self.target, self.draft):
            path.write_bytes(b"GGUF")
        self.facts = folder / "measured.json"
        self.devices = [CPU]
        self.pairs = self.anew()
        self.auto = BenchMethod(self.target, self.draft, "model", None)
        self.fixed = replace(self.auto, draft_max=3)
        self.ngram = BenchMethod(self.target, None, "ngram", None)

    def anew(self) -> MeasuredPairs:
        return MeasuredPairs(JsonCache(self.facts), self._devices, lambda: 5.0)

    def speedups(self, methods: Sequence[BenchMethod]) -> list[float | None]:
        found = [self.pairs.get_speed(method.target, method.draft) for method in methods]
        return [measured.speedup if measured else None for measured in found]

    def _devices(self) -> Sequence[Device]:
        return self.devices


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_the_method_that_is_advised_is_remembered_with_its_guesses(place: Place) -> None:
    assert place.pairs.get_speed(place.target, place.draft) is None
    plain, of_one_workload = row(BenchMethod(place.target), None), replace(row(place.auto, 9.0), workload="chat")
    rows = plain, of_one_workload, row(place.fixed, 1.8), row(place.auto, 1.6)
    place.pairs.record(report(*rows))
    advised = best_row(rows)
    assert advised is not None
    assert advised.method == place.fixed
    found = place.anew().get_speed(place.target, place.draft)
    assert found is not None
    assert (found.speedup, found.draft_type, found.guesses) == (1.8, "model", 3)
    assert (found.acceptance_rate, found.tokens_per_s, found.when, found.device) == (0.7, 50.0, 5.0, "A processor")
    assert place.pairs.get_speed(place.target, None) is None


def test_as_many_guesses_as_pay_are_no_number(place: Place) -> None:
    place.pairs.record(report(row(place.fixed, 1.2), row(place.auto, 1.4)))
    found = place.pairs.get_speed(place.target, place.draft)
    assert found is not None
    assert (found.speedup, found.guesses) == (1.4, None)


def test_a_method_that_is_sure_counts(place: Place) -> None:
    """As in the advice, which says of the others that they are not remembered."""
    place.pairs.record(report(row(place.fixed, 1.2), row(place.auto, 1.8, spread=1.0)))
    assert place.speedups([place.fixed]) == [1.2]
    place.pairs.record(report(row(place.fixed, 0.9), row(place.auto, 1.1, spread=0.3)))
    assert place.speedups([place.fixed]) == [1.2]


def test_what_an_earlier_version_kept_is_not_said_to_be_of_the_guesses_it_named(place: Place) -> None:
    """It kept the best number of guesses beside the speed of "auto"."""
    place.pairs.record(report(row(place.fixed, 1.2)))
    kept = json.loads(place.facts.read_text())
    for record in kept.values():
        for measured in record["by_device"].values():
            measured["draft_max"] = measured.pop("guesses")
    place.facts.write_text(json.dumps(kept))
    found = place.anew().get_speed(place.target, place.draft)
    assert found is not None
    assert (found.speedup, found.guesses) == (1.2, None)


def test_each_pair_by_itself_and_others_not_at_all(place: Place) -> None:
    other = replace(place.auto, draft=place.target)
    of_server = replace(place.auto, target=place.draft, draft=None, peer=Path("llama-server"))
    rows = row(place.auto, 1.6), row(place.ngram, 1.1), row(other, 2.0, n=2), row(of_server, 3.0)
    place.pairs.record(report(*rows))
    assert place.speedups([place.auto, place.ngram, other, of_server]) == [1.6, 1.1, None, None]


def test_what_was_measured_last_counts(place: Place) -> None:
    for speedup in (1.6, 0.88):
        place.pairs.record(report(row(place.auto, speedup)))
    assert place.speedups([place.auto]) == [0.88]


def test_figures_that_tell_nothing_leave_what_was_known(place: Place) -> None:
    wide = row(place.auto, 1.8, n=8, spread=1.0)
    place.pairs.record(report(wide, row(place.ngram, 1.3)))
    assert place.speedups([place.auto, place.ngram]) == [None, 1.3]
    place.pairs.record(report(row(place.auto, 1.6)))
    for report_ in (report(wide, row(place.fixed, 1.2, n=2)), report(row(place.auto, 2.0, n=2))):
        place.pairs.record(report_)
        assert place.speedups([place.auto]) == [1.6]


def test_a_gain_with_one_kind_of_prompts_is_worth_remembering(place: Place) -> None:
    kinds = [replace(row(place.auto, speedup), workload=kind) for kind, speedup in (("chat", 0.9), ("code", 2.4))]
    place.pairs.record(report(row(place.auto, 1.6, n=8, spread=0.9), *kinds))
    assert place.speedups([place.auto]) == [1.6]


def test_another_file_in_its_place_inherits_nothing(place: Place) -> None:
    place.pairs.record(report(row(place.auto, 1.6), row(place.ngram, 1.2)))
    place.draft.write_bytes(b"GGUF!")
    assert place.speedups([place.auto, place.ngram]) == [None, 1.2]
    place.target.unlink()
    place.pairs.record(report(row(place.ngram, 1.3)))
    assert place.speedups([place.auto, place.ngram]) == [None, None]


def test_a_link_leads_to_the_same_pair(place: Place) -> None:
    place.pairs.record(report(row(place.auto, 1.6)))
    link = place.target.with_name("link.gguf")
    link.symlink_to(place.target)
    assert place.speedups([replace(place.auto, target=link)]) == [1.6]


def test_each_device_by_itself(place: Place) -> None:
    place.devices = [CPU, CARD]
    place.pairs.record(report(row(place.auto, 1.1), gpu_layers=0))
    assert place.speedups([place.auto]) == [1.1]
    place.pairs.record(report(row(place.auto, 2.1)))
    assert place.speedups([place.auto]) == [2.1]
    place.devices = [CPU]
    assert place.speedups([place.auto]) == [1.1]
    place.devices = [device("cpu", "Another processor")]
    assert place.speedups([place.auto]) == [None]


@pytest.mark.parametrize("content", ["[]", '{"by_device": 5}', '{"by_device": {"A processor": {}}}'])
def test_what_cannot_be_read_was_never_measured(place: Place, content: str) -> None:
    place.pairs.record(report(row(place.auto, 1.6)))
    text = place.facts.read_text()
    begin = text.index("{", 1)
    place.facts.write_text(f"{text[:begin]}{content}}}")
    assert place.speedups([place.auto]) == [None]
    place.pairs.record(report(row(place.auto, 1.7)))
    assert place.speedups([place.auto]) == [1.7]


def test_what_the_target_does_alone(place: Place) -> None:
    drafts = (place.draft,)
    assert plain_speed(place.pairs.get_speed, place.target, drafts) is None
    place.pairs.record(report(row(place.auto, 1.25)))
    assert plain_speed(place.pairs.get_speed, place.target, ()) is None
    assert plain_speed(place.pairs.get_speed, place.target, drafts) == pytest.approx(40.0)
    place.pairs.record(report(row(place.ngram, 2.0)))
    assert plain_speed(place.pairs.get_speed, place.target, ()) == pytest.approx(25.0)


def test_what_chats_taught_counts_until_a_benchmark_was_run(place: Place) -> None:
    """Without asking for devices, which would load llama.cpp."""
    choice = choice_of(place.target, place.draft)
    gone = HubReference("someone/small-GGUF", "deleted.gguf")
    for other in (choice_of(place.target), PairChoice(gone, gone)):
        place.pairs.record_observed(other, ObservedSpeed(1.5, 0.8, 15.0))
    assert not place.facts.exists()
    for speedup in (1.5, 1.52, 1.0):
        place.pairs.record_observed(choice, ObservedSpeed(speedup, 0.8, 10 * speedup))
    found = MeasuredPairs(JsonCache(place.facts), lambda: pytest.fail("asked")).get_speed(place.target, place.draft)
    assert found is not None
    assert (found.speedup, found.plain_tokens_per_s, found.in_chats) == (1.0, 10.0, True)
    place.pairs.record(report(row(place.auto, 1.6)))
    place.pairs.record_observed(choice, ObservedSpeed(1.2, 0.8, 12.0))
    found = place.pairs.get_speed(place.target, place.draft)
    assert found is not None
    assert (found.speedup, found.in_chats) == (1.6, False)


def test_small_changes_are_no_news(place: Place) -> None:
    choice = choice_of(place.target, place.draft)
    place.pairs.record_observed(choice, ObservedSpeed(1.5, 0.8, 15.0))
    place.pairs.record_observed(choice, ObservedSpeed(1.52, 0.8, 15.2))
    assert place.speedups([place.auto]) == [1.5]


def test_what_was_worked_out_counts_until_something_was_answered(place: Place) -> None:
    place.pairs.record_trial(place.target, place.draft, ObservedSpeed(1.2, 0.7, 12.0))
    found = place.pairs.get_speed(place.target, place.draft)
    assert found is not None
    assert (found.speedup, found.is_trial, found.in_chats) == (1.2, True, False)
    estimate = apply_measurement(SpeedupEstimate(2.0, 4, 0.9, is_known=False, tiny=True), found)
    assert (estimate.speedup, estimate.acceptance, estimate.is_known) == (1.2, 0.7, True)
    assert (estimate.measured, estimate.in_chats, estimate.tiny) == (False, False, False)
    place.pairs.record_observed(choice_of(place.target, place.draft), ObservedSpeed(0.9, 0.6, 9.0))
    found = place.pairs.get_speed(place.target, place.draft)
    assert found is not None
    assert (found.speedup, found.is_trial, found.in_chats) == (0.9, False, True)


def test_what_was_worked_out_counts_where_benchmarks_ran_on_other_devices(place: Place) -> None:
    place.pairs.record_trial(place.target, place.draft, ObservedSpeed(1.2, 0.7, 12.0))
    place.pairs.record(report(row(place.auto, 1.6)))
    place.devices = [device("cpu", "Another processor")]
    assert place.speedups([place.auto]) == [1.2]
