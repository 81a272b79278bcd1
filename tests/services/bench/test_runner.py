"""Real models answer with all methods, taking turns."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from support.benches import PROMPTS
from support.ggufs import ModelRecipe, make_pair
from support.known_loads import knowing_loader

from specchat.domain.benchmark import BenchMethod, BenchPlan, BenchProgress, BenchPrompt
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ContextFullError, ModelFileError
from specchat.domain.loading import LoadStage
from specchat.domain.types import SamplingParams
from specchat.services.bench.plan import plan_methods
from specchat.services.bench.runner import Benchmark, rotate_methods
from specchat.services.generation.pair_loader import PairLoader

PLENTY = 1 << 40
Pair = tuple[Path, Path]


@pytest.fixture
def loader() -> PairLoader:
    return knowing_loader()


def plan(pair: Pair, *lengths: int | None, prompts: tuple[BenchPrompt, ...] = PROMPTS) -> BenchPlan:
    greedy = SamplingParams(temperature=0)
    return BenchPlan(plan_methods([pair], lengths), prompts, 2, 12, greedy, n_ctx=512, threads=1, ignore_eos=True)


class Watched:
    """Runs, and what was told meanwhile; cancels after `stop_after` answers."""

    def __init__(self, plan: BenchPlan, loader: PairLoader, free: int = PLENTY, stop_after: int = -1) -> None:
        self.told: list[BenchProgress] = []
        self._stop_after = stop_after
        self._cancel = CancelToken()
        self.report = Benchmark(plan, loader, self._cancel, self._tell, lambda _: free).run()

    def _tell(self, progress: BenchProgress) -> None:
        self.told.append(progress)
        if progress.done == self._stop_after:
            self._cancel.cancel()


def test_trees_answer_as_chains_do(loader: PairLoader, tiny_pair: Pair) -> None:
    found = plan_methods([tiny_pair], (3,), policies=("auto", "tree"))
    report = Watched(replace(plan(tiny_pair), methods=found, exact=True), loader).report
    assert {run.same_as_plain for run in report.runs} == {True}
    chains, trees = ([run for run in report.runs if run.method == method] for method in found[1:])
    assert sum(run.stats.n_drafted for run in trees) > sum(run.stats.n_drafted for run in chains)
    assert all(len(run.stats.accepted_per_position) <= 3 for run in trees)


def test_every_method_answers_every_prompt(loader: PairLoader, tiny_pair: Pair) -> None:
    asked = plan(tiny_pair, 0, 3, None)
    report = Watched(asked, loader).report
    assert report.complete
    assert report.problems == ()
    assert {(run.method, run.prompt, run.round) for run in report.runs} == {
        (method, prompt, number) for method in asked.methods for prompt in (0, 1) for number in (0, 1)
    }
    assert {run.stats.n_generated for run in report.runs} == {12}
    assert {run.stats.n_prompt_reused for run in report.runs} == {0}
    assert {run.same_as_plain for run in report.runs if run.method.is_plain} == {True}
    assert report.peak_memory
    assert report.peak_memory > 1 << 20
    fixed = [run for run in report.runs if run.method.draft_max == 3]
    for run in fixed:
        assert sum(step.drafted for step in run.steps) == run.stats.n_drafted
        assert sum(step.accepted for step in run.steps) == run.stats.n_accepted
        assert len(run.steps) == run.stats.n_verify_steps
        assert [step.at for step in run.steps] == sorted({step.at for step in run.steps})
    assert sum(run.stats.n_drafted for run in fixed)


def test_that_exact_mode_cannot_promise_it_is_said(loader: PairLoader, tmp_path: Path, tiny_pair: Pair) -> None:
    floats = make_pair(tmp_path, recipe=ModelRecipe(dtype="F16"))
    said = [Watched(replace(plan(pair, 0, 3), exact=True), loader).report.problems for pair in (floats, tiny_pair)]
    assert said == [(f"{floats[0].name} failed the exact-mode self-test here: answers may differ.",), ()]


def test_the_order_is_turned_round(loader: PairLoader, tiny_pair: Pair) -> None:
    asked = plan(tiny_pair, 0, 3)
    plain, three = asked.methods
    order = [run.method for run in Watched(asked, loader).report.runs]
    assert order == [plain, three, three, plain, three, plain, plain, three]


@pytest.mark.parametrize("count", range(1, 9))
def test_each_method_follows_each_other_equally_often(count: int) -> None:
    all_methods = plan_methods([(Path("target.gguf"), None)], range(count))
    turns = [rotate_methods(all_methods, turn) for turn in range(2 * count)]
    assert all(sorted(turn, key=all_methods.index) == list(all_methods) for turn in turns)
    follows = Counter(pair for turn in turns for pair in pairwise(turn))
    assert len(follows) == count * (count - 1)
    assert set(follows.values()) <= {2}


def test_progress(loader: PairLoader, tiny_pair: Pair) -> None:
    watched = Watched(plan(tiny_pair, 0, 3), loader)
    assert watched.told[0] == BenchProgress(0, 8, None, None)
    ended = [progress for progress in watched.told if progress.run is not None]
    assert LoadStage.LOADING_TARGET in [progress.stage for progress in watched.told if progress.method is None]
    assert [progress.done for progress in ended] == list(range(1, 9))
    assert all(progress.seconds_left is not None for progress in ended)
    assert ended[-1].seconds_left == 0


def test_cancelled_it_keeps_what_was_measured(loader: PairLoader, tiny_pair: Pair) -> None:
    report = Watched(plan(tiny_pair, 0, 3), loader, stop_after=3).report
    assert not report.complete
    assert len(report.runs) == 3
    assert report.rows


def test_cancelled_before_anything_was_measured(loader: PairLoader, tiny_pair: Pair) -> None:
    report = Watched(plan(tiny_pair, 0), loader, stop_after=0).report
    assert (report.complete, report.runs, report.rows) == (False, (), ())


def test_several_targets_and_drafts(loader: PairLoader, tiny_pair: Pair, bad_pair: Pair) -> None:
    pairs = [(target, draft) for target in (tiny_pair[0], bad_pair[0]) for draft in (tiny_pair[1], None)]
    asked = replace(plan(tiny_pair), methods=plan_methods(pairs, (2,)))
    report = Watched(asked, loader).report
    compared = {row.method for row in report.rows if row.workload is None and row.ratio is not None}
    assert compared == {method for method in asked.methods if not method.is_plain}
    assert len(asked.methods) == 2 * 3


def test_without_room_for_all_they_take_turns(loader: PairLoader, tiny_pair: Pair, bad_pair: Pair) -> None:
    asked = replace(plan(tiny_pair), methods=plan_methods([tiny_pair, bad_pair], (2,)))
    report = Watched(asked, loader, free=0).report
    assert report.complete
    assert len(report.runs) == 4 * 2 * 2
    assert {run.same_as_plain for run in report.runs if run.method.is_plain} == {True}
    assert report.problems == ("The models don't fit in memory together, so they were loaded one at a time.",)


def test_a_prompt_that_is_too_long_is_left_out(loader: PairLoader, tiny_pair: Pair) -> None:
    asked = plan(tiny_pair, 0, 3, prompts=(PROMPTS[0], BenchPrompt("long", "word " * 600)))
    report = Watched(asked, loader).report
    assert report.complete
    assert {run.prompt for run in report.runs} == {0}
    (problem,) = report.problems
    assert problem.startswith("Prompt 2: The prompt has ")
    with pytest.raises(ContextFullError):
        Watched(plan(tiny_pair, 0, prompts=(asked.prompts[1],)), loader)


def test_a_file_that_is_missing_is_told_at_once(loader: PairLoader, tiny_pair: Pair) -> None:
    with pytest.raises(ModelFileError):
        Watched(replace(plan(tiny_pair), methods=(BenchMethod(tiny_pair[0].with_name("absent.gguf")),)), loader)


def test_a_model_that_disappears_is_a_problem_of_its_own_only(
    loader: PairLoader, tiny_pair: Pair, tmp_path: Path
) -> None:
    """It is loaded anew in each round, as there is no room for both."""
    passing = tmp_path / "passing.gguf"
    passing.write_bytes(tiny_pair[1].read_bytes())
    asked = replace(plan(tiny_pair), methods=(BenchMethod(tiny_pair[0]), BenchMethod(passing)))
    cancel = CancelToken()

    def vanish(progress: BenchProgress) -> None:
        if progress.done == 4 and progress.run is not None:
            passing.write_bytes(b"GGUF")

    report = Benchmark(asked, loader, cancel, vanish, lambda _: 0).run()
    assert report.complete
    assert [run.method.target for run in report.runs].count(passing) == 2
    assert [run.method.target for run in report.runs].count(tiny_pair[0]) == 4
    assert report.problems[1].startswith("plain decoding (passing): ")
