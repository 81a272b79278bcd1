"""Reasoning that is turned on and off, with real models."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support import chat_templates
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_model

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import Capability
from specchat.domain.engine import ChatTask, PromptPrepared
from specchat.domain.types import Message, ModelSettings, Reasoning, Role
from specchat.services.engines.in_process import InProcessEngine
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

ASKED = (Message(Role.USER, "Why?"),)
SETTINGS = ModelSettings(n_ctx=512, threads=1)


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[InProcessEngine]:
    loader = PairLoader(JsonCache(tmp_path / "loads.json"), JsonCache(tmp_path / "tests.json"))
    with closing(InProcessEngine(loader)) as engine:
        yield engine


def lacks(engine: InProcessEngine, folder: Path, template: str) -> set[Capability]:
    model = make_model(folder / "model.gguf", ModelRecipe(chat_template=template))
    choice = choice_of(model, target_settings=SETTINGS, draft_type="none")
    return set(engine.load(choice, CancelToken(), lambda *_: None).lacks)


def prepared(engine: InProcessEngine, reasoning: Reasoning, *, begun: str = "", prefill: str = "") -> PromptPrepared:
    task = ChatTask(ASKED, max_tokens=1, begun=begun, prefill=prefill, reasoning=reasoning)
    first = next(iter(engine.generate(task, CancelToken())))
    assert isinstance(first, PromptPrepared)
    return first


def test_a_template_with_a_switch(engine: InProcessEngine, tmp_path: Path) -> None:
    assert lacks(engine, tmp_path, chat_templates.CHATML) == {Capability.REASONING_EFFORT}
    auto, on, off = (prepared(engine, each).n_tokens for each in (Reasoning.AUTO, Reasoning.ON, Reasoning.OFF))
    assert auto == on < off
    begun = "<think>\nHm.\n</think>\n\nSo"
    counts = [prepared(engine, each, begun=begun).n_tokens for each in (Reasoning.AUTO, Reasoning.OFF)]
    assert counts[0] == counts[1]
    assert prepared(engine, Reasoning.AUTO, prefill="So").begun == "<think>\n\n</think>\n\nSo"
    assert prepared(engine, Reasoning.OFF, prefill="So").begun == "So"


def test_a_template_with_an_effort(engine: InProcessEngine, tmp_path: Path) -> None:
    template = f"Reasoning: {{{{ reasoning_effort | default('medium') }}}}\n{chat_templates.CHATML}"
    template = template.replace("enable_thinking", "no_name")
    assert lacks(engine, tmp_path, template) == {Capability.REASONING}
    assert prepared(engine, Reasoning.LOW).n_tokens < prepared(engine, Reasoning.MEDIUM).n_tokens


def test_a_template_without_either(engine: InProcessEngine, tmp_path: Path) -> None:
    both = {Capability.REASONING, Capability.REASONING_EFFORT}
    assert lacks(engine, tmp_path, chat_templates.MISTRAL) == both
