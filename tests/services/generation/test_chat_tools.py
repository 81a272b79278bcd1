"""Tools in chats with real models."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from support import chat_templates
from support.call_formats import WITH_TOOLS
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_model, make_pair

from specchat.domain.answer_tasks import CountTask, PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.engine import ChatTask, PromptPrepared
from specchat.domain.types import (
    GenerationFinished,
    Message,
    ModelSettings,
    PairChoice,
    Role,
    SamplingParams,
    TokenEvent,
    Tool,
    ToolCall,
)
from specchat.services.engines.in_process import InProcessEngine
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

SETTINGS = ModelSettings(n_ctx=1024, threads=1)
LOOK = ToolCall("call00001", "raw__look", '{"at": "the sky"}')
ASKED = Message(Role.USER, "Which color has the sky?")
RESULT = (
    ASKED,
    Message(Role.ASSISTANT, "", (LOOK,)),
    Message(Role.TOOL, "blue", tool_call_id=LOOK.id, name=LOOK.name),
)


def tool(name: str = "raw__look", description: str = "Looks.") -> Tool:
    schema = {"type": "object", "properties": {"at": {"type": "string"}}}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessEngine]:
    folder = tmp_path_factory.mktemp("facts")
    loader = PairLoader(JsonCache(folder / "loads.json"), JsonCache(folder / "tests.json"))
    with closing(InProcessEngine(loader)) as engine:
        yield engine


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> PairChoice:
    target, draft = make_pair(tmp_path_factory.mktemp("pair"), recipe=ModelRecipe(chat_template=WITH_TOOLS))
    return choice_of(target, draft, SETTINGS, SETTINGS, draft_type="model", draft_max=3)


def load(engine: InProcessEngine, choice: PairChoice) -> PairInfo:
    return engine.load(choice, CancelToken(), lambda *_: None)


def write(engine: InProcessEngine, *messages: Message, tools: tuple[Tool, ...] = ()) -> tuple[PromptPrepared, str, int]:
    task = ChatTask(messages, SamplingParams(temperature=0), max_tokens=24, tools=tools)
    prepared, *events = engine.generate(task, CancelToken())
    assert isinstance(prepared, PromptPrepared)
    text = "".join(event.text for event in events if isinstance(event, TokenEvent | GenerationFinished))
    finished = events[-1]
    assert isinstance(finished, GenerationFinished)
    return prepared, text, finished.stats.n_drafted


def test_the_model_reads_tools_and_answers_as_without_a_draft(engine: InProcessEngine, choice: PairChoice) -> None:
    assert load(engine, choice).calls_tools
    without, _, _ = write(engine, ASKED)
    prepared, guessed, n_drafted = write(engine, ASKED, tools=(tool(),))
    assert prepared.n_tokens > without.n_tokens
    assert n_drafted
    after, with_result, _ = write(engine, *RESULT, tools=(tool(),))
    assert after.n_tokens > prepared.n_tokens
    plain = choice_of(choice.target.path, target_settings=SETTINGS, draft_type="none")  # type: ignore[union-attr]
    load(engine, plain)
    assert write(engine, ASKED, tools=(tool(),))[1] == guessed
    assert write(engine, *RESULT, tools=(tool(),))[1] == with_result


def test_tools_without_room_are_left_out(engine: InProcessEngine, choice: PairChoice) -> None:
    load(engine, choice)
    tools = (tool(), tool("raw__long", "word " * 2000), tool("raw__more"))
    prepared, _, _ = write(engine, ASKED, tools=tools)
    assert prepared.n_tools_left_out == 2
    counts = [engine.count(CountTask((ASKED,), tools=given)).system for given in ((), (tool(),), tools)]
    assert counts[0] < counts[1] == counts[2]


def test_a_model_that_knows_no_tools_reads_results_as_text(
    engine: InProcessEngine, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = make_model(tmp_path_factory.mktemp("toolless") / "model.gguf", ModelRecipe())
    assert not load(engine, choice_of(path, target_settings=SETTINGS, draft_type="none")).calls_tools
    flat = write(engine, ASKED, Message(Role.ASSISTANT, f"\n\nResult of {LOOK.name}:\nblue"), tools=(tool(),))
    assert write(engine, *RESULT, tools=(tool(),)) == flat


def test_an_answer_begins_as_asked_where_questions_and_results_have_to_be_merged_first(
    engine: InProcessEngine, tmp_path_factory: pytest.TempPathFactory
) -> None:
    recipe = ModelRecipe(chat_template=chat_templates.MISTRAL)
    path = make_model(tmp_path_factory.mktemp("strict") / "model.gguf", recipe)
    load(engine, choice_of(path, target_settings=SETTINGS, draft_type="none"))
    for messages in ((ASKED, ASKED), (*RESULT, ASKED)):
        prepared = next(iter(engine.generate(ChatTask(messages, max_tokens=1, prefill="It is"), CancelToken())))
        assert isinstance(prepared, PromptPrepared)
        assert prepared.begun == "It is"
