"""Medusa heads compute what their file says, from what their target's output matrix gets."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.gguf_reader import read_gguf
from support.ggufs import ModelRecipe, make_model, quieten
from support.head_labs import HEAD, HEAD_CASES, GreedyContext, Lab, evaluate_text, head_lab, proposal_after
from support.medusa import N_HEADS, Floats, bfloats, medusa_tensors, write_safetensors
from support.pairs import EXACT, Runner, loaded, random_prompts

from specchat.backends import ggml_device
from specchat.backends.llama_model import LlamaModel
from specchat.backends.medusa_head import MedusaHeads
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, ComputeError, DrafterError, ModelFileError
from specchat.domain.heads import HeadKind
from specchat.domain.types import OUTPUT_STATE
from specchat.engine.selftest import run_selftest
from specchat.gguf.medusa import read_stored_heads

(CASE, BORROWING) = (case for case in HEAD_CASES if case.kind is HeadKind.MEDUSA)
RECIPE = quieten(ModelRecipe(), 0, 0.05)
NEAR = 0.03
"""Of the largest: weights are kept in 8 bits."""


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    with head_lab(CASE, tmp_path) as lab:
        yield lab


def heads_of(lab: Lab) -> MedusaHeads:
    assert isinstance(lab.head, MedusaHeads)
    return lab.head


def silu(values: Floats) -> Floats:
    result: Floats = values / (1 + np.exp(-values))
    return result


@pytest.mark.parametrize("arch", ["llama", "qwen2", "qwen3", "qwen35"])
def test_the_states_are_those_that_the_logits_come_from(arch: str, tmp_path: Path) -> None:
    file = make_model(tmp_path / "target.gguf", ModelRecipe(arch=arch, dtype="F32"))
    weights = read_gguf(file).tensors
    output = weights.get("output.weight", weights["token_embd.weight"])
    with loaded(file, replace(EXACT, exact=False)) as target:
        target.capture_layers([OUTPUT_STATE])
        target.evaluate(np.arange(40, 60, dtype=np.int32), 0, CancelToken())
        for tokens in ([70], [71, 72, 73], [74, 75]):
            logits = target.evaluate(np.array(tokens, dtype=np.int32), len(tokens), CancelToken())
            assert target.states is not None
            states = target.states.rows(target.states.end - len(tokens), target.states.end)
            assert np.abs(states @ output.T - logits).max() < 1e-3 * np.abs(logits).max()


def test_states_change_no_logits(tmp_path: Path) -> None:
    file = make_model(tmp_path / "target.gguf", ModelRecipe())
    found = []
    for layers in ([], [OUTPUT_STATE]):
        with loaded(file) as target:
            target.capture_layers(layers)
            target.evaluate(np.arange(40, 140, dtype=np.int32), 1, CancelToken())
            found.append(target.evaluate(np.arange(50, 54, dtype=np.int32), 4, CancelToken()).copy())
    assert np.array_equal(found[0], found[1])


def test_a_prompt_leaves_none(lab: Lab) -> None:
    """llama.cpp would compute the logits of all its tokens: the first pass after it gives the first state."""
    lab.target.evaluate(np.arange(40, 60, dtype=np.int32), 1, CancelToken())
    states = lab.target.states
    assert states is not None
    assert not states.rows(0, 20).any()
    assert not lab.drafter.propose(GreedyContext(lab.target, range(40, 61)), 4).tokens
    lab.target.evaluate(np.array([60], dtype=np.int32), 1, CancelToken())
    assert states.rows(20, 21).any()
    assert lab.drafter.propose(GreedyContext(lab.target, range(40, 62)), 4).tokens


@pytest.mark.parametrize("n_blocks", [1, 2])
@pytest.mark.parametrize("kind", ["F32", "F16", "BF16"])
def test_heads_compute_what_the_file_says(kind: str, n_blocks: int, tmp_path: Path) -> None:
    tensors = medusa_tensors(RECIPE, n_blocks=n_blocks)
    as_stored = {"F32": lambda values: values, "F16": lambda values: values.astype(np.float16), "BF16": bfloats}[kind]
    file = write_safetensors(
        tmp_path / "medusa.safetensors", {name: as_stored(values) for name, values in tensors.items()}
    )
    states = np.random.default_rng(1).normal(0, 1, (5, 128)).astype(np.float32)
    with loaded(make_model(tmp_path / "target.gguf", RECIPE)) as target:
        head = MedusaHeads(file, read_stored_heads(file, target.weights.path), target, HEAD)
        assert head.n_guesses == N_HEADS
        for ahead in range(N_HEADS):
            changed = states
            for block in range(n_blocks):
                name = f"{ahead}.{block}.linear"
                changed = changed + silu(changed @ tensors[f"{name}.weight"].T + tensors[f"{name}.bias"])
            expected = changed @ tensors[f"{ahead}.{n_blocks}.weight"].T
            found = head.logits(ahead, states, CancelToken())
            assert np.abs(found - expected).max() < NEAR * np.abs(expected).max()
            one = head.logits(ahead, states[:1], CancelToken())
            assert np.abs(one - expected[:1]).max() < NEAR * np.abs(expected).max()
        head.close()


def test_without_outputs_they_use_their_targets(tmp_path: Path) -> None:
    with head_lab(BORROWING, tmp_path) as lab:
        weights = read_gguf(lab.target.weights.path).tensors
        output = weights.get("output.weight", weights["token_embd.weight"])
        tensors = medusa_tensors(BORROWING.recipe, borrows=True)
        states = np.random.default_rng(1).normal(0, 1, (2, 128)).astype(np.float32)
        changed = states + silu(states @ tensors["1.0.linear.weight"].T + tensors["1.0.linear.bias"])
        found = heads_of(lab).logits(1, states, CancelToken())
        assert np.abs(found - changed @ output.T).max() < NEAR * np.abs(found).max()


def test_guesses_hold_where_heads_were_fitted(lab: Lab) -> None:
    lab.target.max_batch = run_selftest(lab.target, CancelToken()).max_batch
    runner = Runner(lab.target)
    drafted = accepted = 0
    for prompt in random_prompts(lab.target.n_vocab, 4):
        found = runner.answer(lab.drafter, prompt)
        assert found.tokens == runner.answer(None, prompt).tokens
        assert {origin for origin in found.origins} <= {"target", "medusa"}
        drafted, accepted = drafted + found.stats.n_drafted, accepted + found.stats.n_accepted
    assert accepted / drafted > 0.4


def test_each_head_guesses_one_token(lab: Lab) -> None:
    text = [int(token) for token in np.random.default_rng(0).integers(32, 120, 30)]
    found = proposal_after(lab, text, 8)
    assert len(found.tokens) == N_HEADS
    assert lab.target.states is not None
    state = lab.target.states.rows(len(text) - 2, len(text) - 1).copy()
    logits = [heads_of(lab).logits(ahead, state, CancelToken())[0] for ahead in range(N_HEADS)]
    assert found.tokens == tuple(int(row.argmax()) for row in logits)


def test_a_rehearsal_tells_what_would_have_been_guessed(lab: Lab) -> None:
    runner = Runner(lab.target)
    (prompt,) = random_prompts(lab.target.n_vocab, 1)
    text = [*prompt, *runner.answer(None, prompt, n=30).tokens]
    guessed = []
    for length in range(len(text) - 12, len(text)):
        guessed.append(proposal_after(lab, text[:length], 1).tokens[0] == text[length])
    for token in text[len(lab.target.cached) : -1]:
        evaluate_text(lab.target, [token])
    rehearsed = lab.drafter.rehearse(GreedyContext(lab.target, text), 12)
    assert [held for _, held in rehearsed] == guessed[-len(rehearsed) :]
    assert len(rehearsed) == 12


def test_a_file_that_shrinks_while_it_is_read(tmp_path: Path) -> None:
    assert CASE.make is not None
    with loaded(make_model(tmp_path / "target.gguf", RECIPE)) as target:
        file = CASE.make(tmp_path / "head", RECIPE)
        stored = read_stored_heads(file, target.weights.path)
        file.write_bytes(file.read_bytes()[:-5000])
        with pytest.raises(ModelFileError, match=rf"^{file.name} is shorter"):
            MedusaHeads(file, stored, target, HEAD)


def test_a_file_that_is_gone_when_it_is_loaded(tmp_path: Path) -> None:
    assert CASE.make is not None
    with loaded(make_model(tmp_path / "target.gguf", RECIPE)) as target:
        file = CASE.make(tmp_path / "head", RECIPE)
        stored = read_stored_heads(file, target.weights.path)
        file.unlink()
        with pytest.raises(ModelFileError, match="Can't read"):
            MedusaHeads(file, stored, target, HEAD)


def test_a_device_that_fails(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    text = [int(token) for token in np.random.default_rng(0).integers(32, 120, 30)]
    expected = proposal_after(lab, text).tokens
    with monkeypatch.context() as broken:
        broken.setattr(ggml_device, "function", failing_to_compute)
        states = np.ones((1, heads_of(lab).state_width), dtype=np.float32)
        with pytest.raises(ComputeError, match="code -1"):
            heads_of(lab).logits(0, states, CancelToken())
        with pytest.raises(DrafterError):
            lab.drafter.propose(GreedyContext(lab.target, text), 4)
    assert proposal_after(lab, text).tokens == expected


def failing_to_compute(name: str, found: Callable[[str], Any] = ggml_device.function) -> Any:
    return (lambda *_: -1) if name == "ggml_backend_graph_compute" else found(name)


def test_loading_can_be_cancelled(tmp_path: Path) -> None:
    assert CASE.make is not None
    cancelled = CancelToken()
    cancelled.cancel()
    with loaded(make_model(tmp_path / "target.gguf", RECIPE)) as target:
        file = CASE.make(tmp_path / "head", RECIPE)
        with pytest.raises(Cancelled):
            MedusaHeads(file, read_stored_heads(file, target.weights.path), target, HEAD, cancelled)
        assert_answers(target)


def assert_answers(target: LlamaModel) -> None:
    assert Runner(target).answer(None, [40, 41, 42], n=4).tokens
