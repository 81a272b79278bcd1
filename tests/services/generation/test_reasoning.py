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
from specchat.domain.types import Message, ModelSettings, Role
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


def lacks_reasoning(engine: InProcessEngine, model: Path) -> bool:
    choice = choice_of(model, target_settings=SETTINGS, draft_type="none")
    return Capability.REASONING in engine.load(choice, CancelToken(), lambda *_: None).lacks


def prepared(engine: InProcessEngine, reasoning: bool | None, *, begun: str = "", prefill: str = "") -> PromptPrepared:
    task = ChatTask(ASKED, max_tokens=1, begun=begun, prefill=prefill, reasoning=reasoning)
    first = next(iter(engine.generate(task, CancelToken())))
    assert isinstance(first, PromptPrepared)
    return first


def test_a_template_with_a_switch(engine: InProcessEngine, models_dir: Path) -> None:
    recipe = ModelRecipe(chat_template=chat_templates.CHATML)
    assert not lacks_reasoning(engine, make_model(models_dir / "switch.gguf", recipe))
    usual, on, off = (prepared(engine, reasoning).n_tokens for reasoning in (None, True, False))
    assert usual == on < off
    thought = "<think>\nHm.\n</think>\n\nSo"
    assert prepared(engine, False, begun=thought).n_tokens == prepared(engine, None, begun=thought).n_tokens
    assert prepared(engine, None, prefill="So").begun == "<think>\n\n</think>\n\nSo"
    assert prepared(engine, False, prefill="So").begun == "So"


def test_a_template_without_one(engine: InProcessEngine, models_dir: Path) -> None:
    recipe = ModelRecipe(chat_template=chat_templates.MISTRAL)
    assert lacks_reasoning(engine, make_model(models_dir / "no-switch.gguf", recipe))
