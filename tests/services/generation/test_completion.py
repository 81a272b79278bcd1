"""What other programs ask, on real models: prompts, limits on the answer, and calls."""

import io
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import chat_templates
from support.choices import choice_of
from support.ggufs import ModelRecipe, make_model, make_pair
from support.pairs import DRAFT, EXACT, GREEDY, load_pair
from support.vocabularies import BpeVocab

from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask, QueryAnswered, TokenizedText, TokenizeQuery
from specchat.domain.errors import Cancelled, ContextFullError, SettingError
from specchat.domain.types import (
    FinishReason,
    GenerationEvent,
    GenerationFinished,
    Message,
    PairChoice,
    Role,
    SamplingParams,
    TokenEvent,
    ToolCall,
)
from specchat.engine.tokens import BETWEEN
from specchat.services.answers.call_derivation import UnknownCallFormatError
from specchat.services.engines import wire
from specchat.services.engines.in_process import InProcessEngine
from specchat.services.generation.completion import (
    build_completion_request,
    find_call_format,
    generate_completion,
)
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.model_queries import answer_query
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

THINKING = chat_templates.CHATML + "{% if thinking %}{{ '<think>\\n' }}{% endif %}"
SAMPLED = SamplingParams(temperature=0.9, seed=3)
VOCAB = BpeVocab(control=("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<tool_call>", "</tool_call>"))
RECIPE = ModelRecipe(vocab=VOCAB, eos_bias=1.5, chat_template=chat_templates.HERMES_TOOLS)
ASKED = (Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Is it warm?"))
SCHEMA = {
    "type": "object",
    "properties": {"city": {"enum": ["Köln", "Paris"]}, "days": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["city"],
}
WEATHER = {"type": "function", "function": {"name": "get_weather", "description": "", "parameters": SCHEMA}}
SEARCH = {"type": "function", "function": {"name": "search"}}
NOTHING = {"type": "object", "additionalProperties": False}
TIME = {"type": "function", "function": {"name": "tell_time", "parameters": NOTHING}}
JSON = CompletionTask(ASKED, SAMPLED, 200, json_schema=json.dumps(SCHEMA))
CALLING = CompletionTask(ASKED, SAMPLED, 200, tools=(WEATHER, SEARCH), tool_choice="get_weather")


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> PairChoice:
    target, draft = make_pair(tmp_path_factory.mktemp("pair"), recipe=RECIPE)
    return choice_of(target, draft, EXACT, DRAFT, "model", 5)


@pytest.fixture(scope="module")
def pair(choice: PairChoice, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadedPair]:
    with closing(load_pair(tmp_path_factory.mktemp("facts"), choice, raw=False)) as pair:
        yield pair


@pytest.fixture(scope="module")
def plain(choice: PairChoice, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadedPair]:
    alone = replace(choice, draft=None, draft_type="none")
    with closing(load_pair(tmp_path_factory.mktemp("facts"), alone, raw=False)) as pair:
        yield pair


@pytest.fixture(scope="module")
def toolless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoadedPair]:
    folder = tmp_path_factory.mktemp("toolless")
    path = make_model(folder / "model.gguf", ModelRecipe(chat_template=THINKING))
    choice = choice_of(path, target_settings=EXACT, draft_type="none")
    with closing(load_pair(folder, choice, raw=False)) as pair:
        yield pair


def answer(pair: LoadedPair, task: CompletionTask) -> tuple[str, list[tuple[str, Any]], GenerationFinished]:
    text, calls = "", list[ToolCall]()
    for event in generate_completion(pair, task, CancelToken()):
        if isinstance(event, TokenEvent | GenerationFinished):
            text += event.text
            calls += event.calls
        if isinstance(event, GenerationFinished):
            return text, [(call.name, json.loads(call.arguments)) for call in calls], event
    raise AssertionError("the answer has no end")


def answers_of(
    pair: LoadedPair, task: CompletionTask, n_seeds: int = 6
) -> Iterator[tuple[str, list[tuple[str, Any]], GenerationFinished]]:
    for seed in range(n_seeds):
        yield answer(pair, replace(task, sampling=replace(SAMPLED, seed=seed)))


# Prompts


def test_a_conversation_a_text_or_tokens(pair: LoadedPair) -> None:
    of = {
        prompt: build_completion_request(pair, CompletionTask(prompt)).prompt for prompt in (ASKED, "Once upon", (1, 2))
    }
    assert of == {ASKED: pair.prompts.build(ASKED), "Once upon": pair.prompts.tokenize("Once upon"), (1, 2): (1, 2)}


def test_markers_in_a_raw_text_are_markers(pair: LoadedPair) -> None:
    assert len(build_completion_request(pair, CompletionTask("<|im_start|>")).prompt) == 1


def test_where_an_answer_ends(toolless: LoadedPair) -> None:
    assert build_completion_request(toolless, CompletionTask("x", stop=("END",))).stop == ("END",)


def test_what_the_template_asks_for_is_handed_on(toolless: LoadedPair) -> None:
    usual = build_completion_request(toolless, CompletionTask(ASKED)).prompt
    brief = build_completion_request(
        toolless, CompletionTask(ASKED, template_variables={"enable_thinking": False})
    ).prompt
    assert brief[: len(usual)] == usual
    assert len(brief) > len(usual)


def test_more_messages_than_tokens_never_come_to_the_template(
    pair: LoadedPair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pair.template, "render", lambda *_, **__: pytest.fail("it takes its time"))
    tiny = tuple(Message((Role.USER, Role.ASSISTANT)[n % 2], "hi") for n in range(10_000))
    with pytest.raises(ContextFullError, match=r"The chat has 10,000 messages, but the context holds"):
        answer(pair, CompletionTask(tiny))


@pytest.mark.parametrize("prompt", [(), "", (-1,), (3, 10**9)])
def test_prompts_that_make_no_sense(pair: LoadedPair, prompt: tuple[int, ...] | str) -> None:
    with pytest.raises(SettingError, match="prompt"):
        answer(pair, CompletionTask(prompt))


def test_a_prompt_that_is_too_long(pair: LoadedPair) -> None:
    with pytest.raises(ContextFullError, match="context holds only 512"):
        answer(pair, CompletionTask((Message(Role.USER, "x! " * 512),)))


@pytest.mark.parametrize(
    "task",
    [
        CompletionTask((Message(Role.SYSTEM, "{{"), Message(Role.USER, "x" * (1 << 20)))),
        CompletionTask((Message(Role.ASSISTANT, "", (ToolCall("1", "f", "x" * (1 << 20)),)), *ASKED)),
        CompletionTask("x" * (1 << 20)),
        CompletionTask((0,) * (1 << 20)),
        replace(CALLING, tools=({**WEATHER, "more": "x" * (1 << 20)},)),
    ],
    ids=["message", "call", "text", "tokens", "tools"],
)
def test_a_prompt_that_is_far_too_long_is_not_looked_at(pair: LoadedPair, task: CompletionTask) -> None:
    with pytest.raises(ContextFullError, match="far longer than the context"):
        answer(pair, task)


def test_it_can_be_stopped_before_it_begins(pair: LoadedPair) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        next(generate_completion(pair, JSON, cancel))


# Answers


@pytest.mark.parametrize("sampling", [GREEDY, SAMPLED], ids=["greedy", "sampled"])
@pytest.mark.parametrize("task", [CompletionTask(ASKED, max_tokens=60, ignore_eos=True), JSON, CALLING])
def test_the_same_with_and_without_a_draft(
    pair: LoadedPair, plain: LoadedPair, task: CompletionTask, sampling: SamplingParams
) -> None:
    asked = replace(task, sampling=sampling)
    guessed, alone = answer(pair, asked), answer(plain, asked)
    assert guessed[:2] == alone[:2]
    assert guessed[2].reason is alone[2].reason
    assert guessed[2].stats.n_drafted > 0 or task is JSON  # what this draft says is no JSON: none of it is verified
    assert alone[2].stats.n_drafted == 0


def test_a_seed_is_one_answer(pair: LoadedPair) -> None:
    task = CompletionTask(ASKED, SAMPLED, 40, ignore_eos=True)
    other = replace(task, sampling=replace(SAMPLED, seed=4))
    assert answer(pair, task)[0] == answer(pair, task)[0] != answer(pair, other)[0]


def test_json_that_conforms(pair: LoadedPair) -> None:
    for seed in range(5):
        text, _, end = answer(pair, replace(JSON, sampling=replace(SAMPLED, seed=seed)))
        said = json.loads(text)
        assert said["city"] in ("Köln", "Paris")
        assert said.get("days", 1) in range(1, 10)
        assert end.reason is FinishReason.STOP


def test_any_json_and_a_grammar(pair: LoadedPair) -> None:
    assert answer(pair, CompletionTask(ASKED, SAMPLED, 30, json_schema="{}"))[0].startswith("{")
    assert answer(pair, CompletionTask("Say", SAMPLED, 30, grammar='root ::= "yes" | "no"'))[0] in ("yes", "no")


@pytest.mark.parametrize(
    "task",
    [
        CompletionTask(ASKED, json_schema="["),
        CompletionTask(ASKED, json_schema='{"type": "objekt"}'),
        CompletionTask(ASKED, grammar="root ::= <"),
        replace(CALLING, tool_choice="other"),
    ],
)
def test_limits_that_make_no_sense(pair: LoadedPair, task: CompletionTask) -> None:
    with pytest.raises(SettingError):
        answer(pair, task)


def test_what_follows_grammars_is_imported_when_there_is_one() -> None:
    script = "import sys, specchat.services.generation.completion; print('llguidance' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", script], text=True).strip() == "False"


def test_log_probabilities(pair: LoadedPair, plain: LoadedPair) -> None:
    task = CompletionTask(ASKED, SAMPLED, 20, ignore_eos=True, top_logprobs=2)
    told = [
        [event.logprobs for event in generate_completion(each, task, CancelToken()) if isinstance(event, TokenEvent)]
        for each in (pair, plain)
    ]
    assert told[0] == told[1]
    assert [len(logprobs.best) for logprobs in told[0] if logprobs is not None] == [2] * 20


def test_thoughts_come_apart(toolless: LoadedPair) -> None:
    """As when the template has begun them, and the answer ends within."""
    thinking = CompletionTask(ASKED, SAMPLED, 20, ignore_eos=True, template_variables={"thinking": True})
    together = answer(toolless, thinking)[0]
    events = list(generate_completion(toolless, replace(thinking, thoughts_apart=True, top_logprobs=1), CancelToken()))
    told = [event for event in events if isinstance(event, TokenEvent | GenerationFinished)]
    assert "".join(event.text for event in told) == ""
    assert "".join(event.thought for event in told) == together.strip() != ""
    assert not any(event.logprobs for event in told if isinstance(event, TokenEvent))


def test_nothing_is_remembered(pair: LoadedPair) -> None:
    before = len(pair.answer_history.index)
    answer(pair, CompletionTask(ASKED, GREEDY, 20, ignore_eos=True))
    assert len(pair.answer_history.index) == before


def test_what_the_window_remembers_is_not_guessed_from(choice: PairChoice, tmp_path: Path) -> None:
    looking_back = replace(choice, draft=None, draft_type="ngram", draft_max=4)
    task = CompletionTask(ASKED, SAMPLED, 40, ignore_eos=True)
    with closing(load_pair(tmp_path, looking_back, raw=False)) as pair:

        def own_guesses(events: Iterable[GenerationEvent]) -> int:
            return next(event.stats.n_accepted for event in events if isinstance(event, GenerationFinished))

        def by_the_window() -> int:
            return own_guesses(pair.generate(build_completion_request(pair, task), CancelToken()))

        alone = answer(pair, task)[2].stats.n_accepted
        assert by_the_window() == alone
        assert by_the_window() > alone, "the window remembers its first answer"
        assert answer(pair, task)[2].stats.n_accepted == alone


# Calls


def test_a_tool_that_must_be_called(pair: LoadedPair) -> None:
    text, calls, end = answer(pair, CALLING)
    ((name, arguments),) = calls
    assert (text, name) == ("", "get_weather")
    assert arguments["city"] in ("Köln", "Paris")
    assert end.reason is FinishReason.STOP


def test_any_tool_must_be_called(pair: LoadedPair) -> None:
    """An object without limits would be written for as long as there is room."""
    task = replace(CALLING, tools=(WEATHER, TIME), tool_choice="required", max_tokens=300)
    text, calls, _ = next(each for each in answers_of(pair, task, n_seeds=24) if each[2].reason is FinishReason.STOP)
    assert text == ""
    assert calls
    assert {name for name, _ in calls} <= {"get_weather", "tell_time"}


@pytest.mark.parametrize(
    "asked", [{"tool_choice": "required"}, {"tool_choice": "auto", "json_schema": json.dumps(SCHEMA)}]
)
def test_one_call_alone(pair: LoadedPair, asked: dict[str, Any]) -> None:
    task = replace(CALLING, max_tokens=300, **asked)
    assert any(len(calls) > 1 for _, calls, _ in answers_of(pair, task))
    assert all(len(calls) <= 1 for _, calls, _ in answers_of(pair, replace(task, one_call=True), n_seeds=2))


@pytest.mark.parametrize("cut", [{"max_tokens": n} for n in range(1, 60, 7)] + [{"stop": ("a",)}, {"stop": ("l_",)}])
def test_a_call_that_is_cut_off_is_no_text(pair: LoadedPair, cut: dict[str, Any]) -> None:
    text, _, end = answer(pair, replace(CALLING, tool_choice="required", **cut))
    assert text == ""
    assert end.reason is FinishReason.LENGTH or end.stop_text


def test_control_tokens_of_calls_are_heard(pair: LoadedPair) -> None:
    """They are the model's way to say it; spelled out they are the same."""
    (begin,) = pair.target.vocabulary.tokenize("<tool_call>", add_special=False, parse_special=True)
    assert pair.target.piece(begin) == b""
    heard = pair.find_marker_tokens(["<tool_call>", "</tool_call>", "two words"])
    assert heard == {begin: b"<tool_call>", begin + 1: b"</tool_call>"}


def test_tools_are_shown_unless_none_may_be_called(pair: LoadedPair) -> None:
    def prompt_of(choice: str) -> int:
        events = generate_completion(pair, replace(CALLING, tool_choice=choice, max_tokens=0), CancelToken())
        return next(event.stats.n_prompt for event in events if isinstance(event, GenerationFinished))

    assert prompt_of("auto") == prompt_of("get_weather") > prompt_of("none") == len(pair.prompts.build(ASKED))


def test_json_or_calls(pair: LoadedPair) -> None:
    either = replace(CALLING, tool_choice="auto", json_schema=json.dumps(SCHEMA))
    for seed in range(4):
        text, calls, end = answer(pair, replace(either, sampling=replace(SAMPLED, seed=seed)))
        if end.reason is FinishReason.STOP:
            assert bool(calls) != bool(text)
            assert calls or json.loads(text)


def test_a_template_without_tools(toolless: LoadedPair) -> None:
    with pytest.raises(SettingError, match="doesn't tell the model about tools"):
        answer(toolless, CALLING)
    answer(toolless, replace(CALLING, tool_choice="none", max_tokens=1))


def test_a_template_that_writes_no_calls_is_asked_for_them_once(tmp_path: Path) -> None:
    source = "{{ tools | tojson }}" + chat_templates.CHATML
    path = make_model(tmp_path / "model.gguf", ModelRecipe(chat_template=source))
    with closing(load_pair(tmp_path, choice_of(path, target_settings=EXACT, draft_type="none"), raw=False)) as pair:
        refusals = []
        for _ in range(2):
            with pytest.raises(UnknownCallFormatError, match="doesn't write tool calls") as refused:
                answer(pair, CALLING)
            refusals.append(refused.value)
    assert refusals[0] is refusals[1]


def test_calls_and_results_of_before_are_part_of_the_prompt(pair: LoadedPair) -> None:
    called = Message(Role.ASSISTANT, "", (ToolCall("1", "get_weather", '{"city": "Paris"}'),))
    talk = (*ASKED, called, Message(Role.TOOL, "31 degrees", tool_call_id="1"))
    said = b"".join(pair.target.piece(token) for token in build_completion_request(pair, CompletionTask(talk)).prompt)
    assert b'{"name": "get_weather", "arguments": {"city": "Paris"}}' in said
    assert b"31 degrees" in said


# The engine


def test_the_engine_answers_and_can_be_stopped(choice: PairChoice, tmp_path: Path) -> None:
    loader = PairLoader(JsonCache(tmp_path / "loads.json"), JsonCache(tmp_path / "tests.json"))
    with closing(InProcessEngine(loader)) as engine:
        with pytest.raises(SettingError, match="No model is loaded"):
            next(engine.generate(JSON, CancelToken()))
        engine.load(choice, CancelToken(), lambda *_: None)
        cancel = CancelToken()
        found = []
        for event in engine.generate(CompletionTask(ASKED, SAMPLED, 100, ignore_eos=True), cancel):
            found.append(event)
            if isinstance(event, TokenEvent):
                cancel.cancel()
        assert isinstance(found[-1], GenerationFinished)
        assert found[-1].reason is FinishReason.CANCELLED
        events = engine.generate(JSON, CancelToken())
        next(events)
        events.close()
        assert "".join(e.text for e in engine.generate(JSON, CancelToken()) if isinstance(e, TokenEvent))


# Guesses


@pytest.mark.parametrize(("task", "keys"), [(JSON, b'"days": '), (CALLING, b'{"name": "get_weather", "arguments": ')])
def test_what_an_answer_will_look_like_is_guessed_from(pair: LoadedPair, task: CompletionTask, keys: bytes) -> None:
    request = build_completion_request(pair, task, find_call_format(pair, task))
    assert request.text_before is not None
    outlines = request.text_before[: -len(request.prompt)]
    assert request.text_before[len(outlines) :] == request.prompt
    assert keys in b"".join(pair.target.piece(token) for token in outlines if token != BETWEEN)
    assert build_completion_request(pair, CompletionTask(ASKED)).text_before is None


@pytest.mark.parametrize("task", [JSON, CALLING], ids=["json", "call"])
def test_what_is_guessed_from_a_grammar_changes_nothing(pair: LoadedPair, task: CompletionTask) -> None:
    said = []
    for draft_type in ("none", "ngram"):
        request = build_completion_request(pair, task, find_call_format(pair, task))
        events = pair.generate(request, CancelToken(), pair.create_speculation(draft_type, None))
        said.append([event.token for event in events if isinstance(event, TokenEvent)])
    assert said[0] == said[1]


def test_many_tokens_are_passed_on_without_an_object_for_each(pair: LoadedPair) -> None:
    """That would take seconds, in which no other answer goes on."""
    plain = answer_query(pair, TokenizeQuery("ha" * 50_000))
    assert isinstance(plain, TokenizedText)
    assert len(plain.tokens) > 10_000
    sent = io.BytesIO()
    wire.write(sent, wire.Events((QueryAnswered(plain),)))
    assert len(sent.getvalue()) < 4 * len(plain.tokens)
    with_pieces = answer_query(pair, TokenizeQuery("haha 世", with_pieces=True))
    assert isinstance(with_pieces, TokenizedText)
    assert b"".join(with_pieces.pieces[token] for token in with_pieces.tokens).decode() == "haha 世"
    assert not plain.pieces
