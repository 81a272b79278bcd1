"""Several branches in one pass: in exact mode the tokens are those of plain decoding, whichever branch wins."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray
from support.ggufs import ModelRecipe, make_model, make_pair
from support.head_labs import HEAD_CASES, GreedyContext, HeadCase, fresh_proposal, head_lab, proposal_after
from support.pairs import DRAFT, EXACT, GREEDY, Runner, exact_target, loaded, random_prompts
from support.timed_pair import GPU, Clock, Scripted
from support.vocabularies import SpmVocab

from specchat.backends.llama_model import LlamaModel
from specchat.backends.tree_batch import branches_through
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled
from specchat.domain.heads import HeadKind
from specchat.domain.ports import DraftContext, Drafter
from specchat.domain.proposal import Proposal, count_branches, main_length
from specchat.domain.types import SamplingParams, StepStats, TokenEvent
from specchat.drafters import head_drafter
from specchat.drafters.head_drafter import HeadDrafter
from specchat.drafters.model_drafter import ModelDrafter
from specchat.drafters.plugin_drafter import PluginDrafter
from specchat.engine.selftest import run_selftest

TREES = replace(EXACT, branches=8)
SAMPLINGS = [GREEDY, SamplingParams(temperature=0.8, seed=12, repeat_penalty=1.1, presence_penalty=0.1)]
RECIPES = [ModelRecipe(), ModelRecipe(arch="qwen2", vocab=SpmVocab(), dtype="Q4_0"), ModelRecipe(arch="qwen3")]
HEADS = [case for case in HEAD_CASES if case.recipe.arch in ("llama", "qwen3")]


class RandomTree:
    """Knows the answer and hides it in a tree of any form."""

    name = "dice"

    def __init__(self, answer: Sequence[int], n_prompt: int, n_vocab: int) -> None:
        self._rng = np.random.default_rng(5)
        self._answer, self._n_prompt, self._n_vocab = answer, n_prompt, n_vocab

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        rng, parents = self._rng, list[int]()
        right = self._answer[len(context.tokens) - self._n_prompt :]
        on_path, tokens = {-1: 0}, list[int]()
        for i in range(budget):
            parent = int(rng.integers(-1, i)) if i else -1
            token, depth = int(rng.integers(0, self._n_vocab)), on_path.get(parent)
            if depth is not None and depth < len(right) and rng.random() < 0.7:
                token = right[depth]
                on_path[i] = depth + 1
            parents.append(parent)
            tokens.append(token)
        return Proposal(tuple(tokens), (self.name,) * budget, (0.5,) * budget, tuple(parents))

    def observe(self, accepted: int, proposal: Proposal) -> None:
        pass


@pytest.fixture(params=RECIPES, ids=lambda recipe: recipe.arch)
def models(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[LlamaModel, LlamaModel]]:
    target, draft = make_pair(tmp_path, "bad", recipe=request.param)
    with exact_target(target, TREES) as t, loaded(draft, DRAFT) as d:
        yield t, d


def steps_of(
    runner: Runner, drafter: Drafter | None, prompt: list[int], sampling: SamplingParams, n: int
) -> list[StepStats]:
    runner.target.keep(0)
    events = runner.start(drafter, prompt, sampling, n)
    return [event.step for event in events if isinstance(event, TokenEvent) and event.step]


def n_beside(steps: Sequence[StepStats]) -> int:
    """Steps in which a branch beside the main one won."""
    return sum(any(held for _, held in step.tree[step.reach :]) for step in steps)


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=["greedy", "sampled"])
def test_tokens_equal_plain_decoding(models: tuple[LlamaModel, LlamaModel], sampling: SamplingParams) -> None:
    target, draft = models
    runner, beside = Runner(target, 3, branches=True), 0
    for prompt in random_prompts(target.n_vocab, 4):
        plain = runner.answer(None, prompt, sampling, 48)
        assert runner.answer(ModelDrafter(draft), prompt, sampling, 48).tokens == plain.tokens
        beside += n_beside(steps_of(runner, ModelDrafter(draft), prompt, sampling, 48))
        tree = RandomTree(plain.tokens, len(prompt), target.n_vocab)
        assert runner.answer(tree, prompt, sampling, 48).tokens == plain.tokens
    assert beside > 0


class KnowingSecond:
    """A head whose second best for the first place is always right."""

    def __init__(self, head: HeadDrafter, answer: Sequence[int], n_prompt: int) -> None:
        self._head, self._answer, self._n_prompt = head, answer, n_prompt
        self.name = head.name

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        found, at = self._head.propose(context, budget), len(context.tokens) - self._n_prompt
        return replace(found, seconds=(self._answer[at], *found.seconds[1:])) if found.tokens else found

    def observe(self, accepted: int, proposal: Proposal) -> None:
        self._head.observe(accepted, proposal)


@pytest.mark.parametrize("is_installed", [False, True], ids=["ours", "installed"])
@pytest.mark.parametrize("case", HEADS, ids=lambda case: case.name)
def test_heads_go_on_from_the_branch_that_won(case: HeadCase, is_installed: bool, tmp_path: Path) -> None:
    with head_lab(case, tmp_path, TREES) as lab:
        lab.target.max_batch = run_selftest(lab.target, CancelToken()).max_batch
        runner = Runner(lab.target, 3, branches=True)
        for prompt in random_prompts(lab.target.n_vocab, 2):
            plain = runner.answer(None, prompt, n=40).tokens
            knowing = KnowingSecond(lab.drafter, plain, len(prompt))
            drafter = PluginDrafter(knowing.name, knowing) if is_installed else knowing
            assert runner.answer(drafter, prompt, n=40).tokens == plain
            steps = steps_of(runner, drafter, prompt, GREEDY, 40)
            is_fitted = case.kind is HeadKind.MEDUSA  # mostly the best guess holds, and a prompt leaves it no state
            assert n_beside(steps) > (0 if is_fitted else 10)
            assert all(step.drafted for step in steps[1 + is_fitted : -1]), "there are guesses in each step"


@pytest.mark.parametrize("case", HEADS, ids=lambda case: case.name)
def test_heads_guess_as_if_the_branch_had_been_a_chain(case: HeadCase, tmp_path: Path) -> None:
    text = np.random.default_rng(0).integers(32, 120, 63).tolist()
    with head_lab(case, tmp_path, TREES) as lab:
        expected = fresh_proposal(lab, text)
        lab.drafter = head_drafter(lab.head)
        proposal_after(lab, text[:58])
        lab.target.keep(57)
        tree = np.array([text[57], text[58], 50, 51, text[59], text[60], text[61]], dtype=np.int32)
        lab.target.evaluate_tree(tree, [-1, 0, 1, 0, 3, 4], CancelToken())
        lab.target.keep(59)
        lab.target.adopt_states([3, 4, 5])
        assert lab.drafter.propose(GreedyContext(lab.target, text), 4).tokens == expected.tokens
        lab.target.evaluate(np.array(text[59:], dtype=np.int32), 1, CancelToken())
        assert lab.target.states is not None
        assert lab.target.states.has(10), "nothing that was read before is forgotten"


def test_a_branch_sees_what_it_follows_and_nothing_else() -> None:
    assert branches_through([-1, 0, 1, 0, -1]) == [[0, 1], [0], [0], [1], [2]]
    assert branches_through([-1, 0, 0, 1]) == [[0, 1], [0], [1], [0]], "the main branch comes first, and goes on"


def test_the_cache_has_the_main_branch_afterwards(tmp_path: Path) -> None:
    with loaded(make_model(tmp_path / "m.gguf"), TREES) as model:
        text = np.array([40, 41, 42, 43], dtype=np.int32)
        model.evaluate(text[:3], 0, CancelToken())
        tree = np.array([43, 50, 51, 60, 61], dtype=np.int32)
        logits = model.evaluate_tree(tree, [-1, 0, -1, 2], CancelToken()).copy()
        assert model.cached.tolist() == [40, 41, 42, 43, 50, 51]
        for rows, branch in (((0, 1, 2), [50, 51]), ((0, 3, 4), [60, 61])):
            model.keep(3)
            chain = np.array([43, *branch], dtype=np.int32)
            assert np.array_equal(model.evaluate(chain, 3, CancelToken()), logits[list(rows)])


def test_cancelling_leaves_nothing_behind(tmp_path: Path) -> None:
    with loaded(make_model(tmp_path / "m.gguf"), TREES) as model:
        model.evaluate(np.arange(40, 60, dtype=np.int32), 1, CancelToken())
        tree = np.array([43, 50, 51, 60, 61], dtype=np.int32)
        before = model.evaluate_tree(tree, [-1, 0, -1, 2], CancelToken()).copy()
        model.keep(20)
        cancelled = CancelToken()
        cancelled.cancel()
        with pytest.raises(Cancelled):
            model.evaluate_tree(tree, [-1, 0, -1, 2], cancelled)
        assert len(model.cached) == 20
        assert np.array_equal(model.evaluate_tree(tree, [-1, 0, -1, 2], CancelToken()), before)


class SeenInside(CancelToken):
    """Only llama.cpp looks at it."""

    def check(self) -> None:
        pass


def test_cancelling_inside_a_pass_leaves_nothing_behind(tmp_path: Path) -> None:
    with loaded(make_model(tmp_path / "m.gguf"), TREES) as model:
        model.evaluate(np.arange(40, 60, dtype=np.int32), 1, CancelToken())
        tree = np.array([43, 50, 51, 60, 61], dtype=np.int32)
        before = model.evaluate_tree(tree, [-1, 0, -1, 2], CancelToken()).copy()
        model.keep(20)
        cancelled = SeenInside()
        cancelled.cancel()
        with pytest.raises(Cancelled):
            model.evaluate_tree(tree, [-1, 0, -1, 2], cancelled)
        assert model.cached.tolist() == list(range(40, 60))
        assert np.array_equal(model.evaluate_tree(tree, [-1, 0, -1, 2], CancelToken()), before)


@pytest.mark.parametrize("arch", ["gemma3", "qwen35"])
def test_caches_of_other_kinds_take_chains_alone(arch: str, tmp_path: Path) -> None:
    with loaded(make_model(tmp_path / "m.gguf", ModelRecipe(arch=arch)), TREES) as model:
        assert model.max_branches == 1
        runner = Runner(model, branches=True)
        tree = RandomTree([1] * 8, 4, model.n_vocab)
        assert all(not step.tree for step in steps_of(runner, tree, [40, 41, 42, 43], GREEDY, 8))


def test_memory_is_the_same_with_branches(tmp_path: Path) -> None:
    path = make_model(tmp_path / "m.gguf")
    found = []
    for settings in (EXACT, TREES):
        with loaded(path, settings) as model:
            found.append({device: (each.weights, each.kv, each.compute) for device, each in model.allocated.items()})
            assert model.n_ctx == EXACT.n_ctx
    assert found[0] == found[1]


class Beside(RandomTree):
    """Wrong on its main branch, right beside it."""

    n_passes = 0

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        right = tuple(self._answer[len(context.tokens) - self._n_prompt :][:2])
        if len(right) < 2 or budget < 3:
            return Proposal()
        return Proposal((right[0] ^ 1, *right), (self.name,) * 3, (0.5,) * 3, (-1, -1, 1))


class BesideUsingTarget(Beside):
    def propose(self, context: DraftContext, budget: int) -> Proposal:
        self.n_passes += 1
        context.target.evaluate(np.array([40, 41], dtype=np.int32), 1, context.cancel)
        return super().propose(context, budget)


@pytest.mark.parametrize("kind", [Beside, BesideUsingTarget])
def test_an_installed_tree_takes_no_further_passes(
    kind: type[Beside], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with exact_target(make_model(tmp_path / "m.gguf"), TREES) as target:
        (prompt,), passes = random_prompts(target.n_vocab, 1), list[int]()
        plain = Runner(target).answer(None, prompt, n=31).tokens
        run = target.shared.run

        def counted(batch: object, cancel: CancelToken) -> None:
            passes.append(1)
            run(batch, cancel)

        monkeypatch.setattr(target.shared, "run", counted)
        beside = kind(plain, len(prompt), 0)
        found = Runner(target).answer(PluginDrafter("beside", beside), prompt, n=31)
        assert found.tokens == plain
        assert found.stats.n_verify_steps == 1 + 9 + 3, "three tokens in each pass, but for the first and the last ones"
        assert len(passes) == found.stats.n_verify_steps + beside.n_passes


def test_second_bests_of_an_installed_drafter() -> None:
    class Seconds(RandomTree):
        def propose(self, context: DraftContext, budget: int) -> Proposal:
            return Proposal((40, 41), ("x",) * 2, (0.5,) * 2, seconds=self._seconds)

        def __init__(self, seconds: tuple[int | None, ...]) -> None:
            self._seconds = seconds

    def found(*seconds: int | None) -> tuple[int | None, ...]:
        context = GreedyContext(cast("LlamaModel", Scripted(Clock(), GPU, 1)), [])
        return PluginDrafter("seconds", Seconds(seconds)).propose(context, 4).seconds

    assert found(50, None) == (50, None)
    assert found(50) == ()


class RoundsOtherwise:
    """What a target says of certain trees is not what it says of chains."""

    def __init__(self, target: LlamaModel, is_odd: Callable[[Sequence[int]], bool]) -> None:
        self._evaluate, self._is_odd = target.evaluate_tree, is_odd

    def __call__(self, tokens: NDArray[np.int32], parents: Sequence[int], cancel: CancelToken) -> NDArray[np.float32]:
        logits = self._evaluate(tokens, parents, cancel).copy()
        return logits + np.float32(self._is_odd(parents))


def test_the_self_test_tries_trees_of_many_forms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forms: list[Callable[[Sequence[int]], bool]] = [
        lambda parents: False,
        lambda parents: len(parents) == 2,
        lambda parents: len(parents) == 5,
        lambda parents: parents[-1] >= main_length(parents),
        lambda parents: count_branches(parents) > 3,
        lambda parents: main_length(parents) > 2,
    ]
    with loaded(make_model(tmp_path / "m.gguf"), TREES) as target:
        odd = [RoundsOtherwise(target, is_odd) for is_odd in forms]
        found = list[int]()
        for evaluate in odd:
            monkeypatch.setattr(target, "evaluate_tree", evaluate)
            found.append(run_selftest(target, CancelToken()).max_branches)
    assert found == [5, *[1] * (len(forms) - 1)]


@pytest.mark.parametrize("parents", [(0, 0, 1), (-1, 5, 1), (-1, -2, 0), (-1, 0)])
def test_no_tree_of_an_installed_drafter_is_trusted(parents: tuple[int, ...], tmp_path: Path) -> None:
    class Careless(RandomTree):
        def propose(self, context: DraftContext, budget: int) -> Proposal:
            return Proposal((40, 41, 42)[:budget], ("x",) * 3, (0.5,) * 3, parents)

    with exact_target(make_model(tmp_path / "m.gguf"), TREES) as target:
        (prompt,) = random_prompts(target.n_vocab, 1)
        plain, runner = Runner(target).answer(None, prompt, n=12), Runner(target)
        found = runner.answer(PluginDrafter("careless", Careless([], 0, 1)), prompt, n=12)
        assert (found.tokens, found.stats.speculation) == (plain.tokens, "on")
