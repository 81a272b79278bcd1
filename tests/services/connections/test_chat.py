"""All of the chat with real engines: the same twenty cases for each of them."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from support.engine_servers import N_CTX, Served

from specchat.domain.answer_tasks import CountTask, PairInfo
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask
from specchat.domain.connections import Capability
from specchat.domain.engine import ChatTask, EngineEvent, EngineTask, PromptPrepared
from specchat.domain.errors import BugError, Cancelled, ContextFullError, SettingError
from specchat.domain.loading import LoadStage
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import (
    NO_TOKEN,
    UNKNOWN,
    FinishReason,
    GenerationFinished,
    Message,
    PairChoice,
    Role,
    SamplingParams,
    TokenEvent,
    ToolCall,
)
from specchat.services.connections.remote_engine import RemoteEngine
from specchat.services.engines.pair_session import PairSession
from specchat.services.engines.routing_engine import RoutingEngine
from specchat.sources.engine_http import EngineHttp

ASKED = (Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Is it warm?"))
GREEDY, SAMPLED = SamplingParams(temperature=0.0, seed=1), SamplingParams(temperature=0.9, seed=3)
SCHEMA = json.dumps({"type": "object", "properties": {"n": {"type": "boolean"}}, "required": ["n"]})
TOOL = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Tells the weather",
        "parameters": {"type": "object", "properties": {"warm": {"type": "boolean"}}, "required": ["warm"]},
    },
}


@pytest.fixture
def loaded(engine: RemoteEngine, served: Served) -> PairInfo:
    return load(engine, served)


def load(engine: RemoteEngine, served: Served, name: str = "") -> PairInfo:
    return engine.load(PairChoice(ServedModel(served.url, name)), CancelToken(), lambda *_: None)


def told(engine: RemoteEngine, task: EngineTask) -> tuple[list[EngineEvent], list[TokenEvent], GenerationFinished]:
    *events, end = engine.generate(task, CancelToken())
    assert isinstance(end, GenerationFinished)
    return events, [event for event in events if isinstance(event, TokenEvent)], end


def text_of(engine: RemoteEngine, task: EngineTask) -> str:
    _, tokens, end = told(engine, task)
    return "".join(token.text for token in tokens) + end.text


def test_what_is_loaded_is_told(engine: RemoteEngine, served: Served) -> None:
    stages: list[LoadStage] = []
    choice = PairChoice(ServedModel(served.url))
    loaded = engine.load(choice, CancelToken(), lambda stage, _: stages.append(stage))
    assert (loaded.target, loaded.n_ctx) == (served.model, N_CTX)
    assert loaded.engine in ("specchat", "llama-server", "vLLM")
    assert loaded.drafting == "not reported"
    assert set(stages) == {LoadStage.LOADING_TARGET}
    assert engine.is_loaded


def test_models_go_by_their_ids_or_shorter(engine: RemoteEngine, served: Served) -> None:
    assert load(engine, served, served.model).target == served.model
    with pytest.raises(SettingError, match="has no model nobody.gguf") as refused:
        load(engine, served, "nobody.gguf")
    assert served.model in refused.value.hint
    assert not engine.is_loaded


def test_an_answer_comes_in_pieces(engine: RemoteEngine, loaded: PairInfo) -> None:
    events, tokens, end = told(engine, ChatTask(ASKED, GREEDY, 24))
    assert isinstance(events[0], PromptPrepared)
    assert len(tokens) > 3
    assert (end.reason, end.stats.n_generated) == (FinishReason.LENGTH, 24)
    assert end.stats.n_prompt > 10
    assert end.stats.tokens_per_s > 0
    assert {(token.token, token.origin) for token in tokens} == {(NO_TOKEN, UNKNOWN)}


def test_a_seed_gives_the_same_answer(engine: RemoteEngine, loaded: PairInfo) -> None:
    task = ChatTask(ASKED, SAMPLED, 24)
    assert text_of(engine, task) == text_of(engine, task)
    assert text_of(engine, task) != text_of(engine, replace(task, sampling=replace(SAMPLED, seed=4)))


def test_settings_are_honoured(engine: RemoteEngine, loaded: PairInfo) -> None:
    first = replace(SAMPLED, top_k=1)
    assert text_of(engine, ChatTask(ASKED, first, 16)) == text_of(engine, ChatTask(ASKED, GREEDY, 16))
    penalised = replace(GREEDY, repeat_penalty=1.5, penalty_last_n=64)
    assert text_of(engine, ChatTask(ASKED, penalised, 40)) != text_of(engine, ChatTask(ASKED, GREEDY, 40))


def test_a_stop_string_ends_it(engine: RemoteEngine, loaded: PairInfo) -> None:
    whole = text_of(engine, ChatTask(ASKED, GREEDY, 24))
    stop = whole[5:8]
    text = text_of(engine, ChatTask(ASKED, GREEDY, 24, stop=(stop,)))
    assert text == whole[: whole.index(stop)]


def test_an_answer_is_continued(engine: RemoteEngine, loaded: PairInfo) -> None:
    whole = text_of(engine, ChatTask(ASKED, GREEDY, 24))
    begun = whole[: whole.index(" ", 8)]
    assert text_of(engine, ChatTask(ASKED, GREEDY, 4, begun=begun)).startswith(whole[len(begun) :][:4])


def test_a_message_is_edited_and_its_branch_left_again(engine: RemoteEngine, loaded: PairInfo) -> None:
    """What the engine remembers of the other branch changes nothing."""
    task = ChatTask(ASKED, GREEDY, 24)
    answered = text_of(engine, task)
    edited = replace(task, messages=(*ASKED[:1], Message(Role.USER, "Is it cold and windy?")))
    assert text_of(engine, edited) != answered
    assert text_of(engine, task) == answered
    further = (*ASKED, Message(Role.ASSISTANT, answered), Message(Role.USER, "And now?"))
    assert text_of(engine, replace(task, messages=further)) == text_of(engine, replace(task, messages=further))


def test_an_answer_is_cancelled_and_the_next_one_is_not(engine: RemoteEngine, loaded: PairInfo) -> None:
    cancel = CancelToken()
    for event in engine.generate(ChatTask(ASKED, GREEDY), cancel):
        if isinstance(event, TokenEvent):
            cancel.cancel()
    assert isinstance(event, GenerationFinished)
    assert event.reason is FinishReason.CANCELLED
    assert event.stats.n_generated > 0
    *_, end = engine.generate(ChatTask(ASKED, GREEDY), cancel)  # it is still cancelled
    assert isinstance(end, GenerationFinished)
    assert (end.reason, end.stats.n_generated) == (FinishReason.CANCELLED, 0)
    assert told(engine, ChatTask(ASKED, GREEDY, 4))[2].stats.n_generated == 4


def test_an_answer_that_nobody_reads_on(engine: RemoteEngine, loaded: PairInfo) -> None:
    events = engine.generate(ChatTask(ASKED, GREEDY), CancelToken())
    while not isinstance(next(events), TokenEvent):
        pass
    events.close()
    assert told(engine, ChatTask(ASKED, GREEDY, 4))[2].stats.n_generated == 4


def test_the_context_is_counted_or_estimated(engine: RemoteEngine, loaded: PairInfo) -> None:
    count = engine.count(CountTask(ASKED, "And now?", ("a file",), 64))
    assert count.n_ctx == N_CTX
    assert min(count.system, count.conversation, count.question, *count.attachments) > 0
    assert count.is_estimate == (Capability.COUNT in loaded.lacks)
    asked = (Message(Role.USER, "the rain and the sun " * 20),)
    end = told(engine, ChatTask(asked, GREEDY, 1))[2]
    count = engine.count(CountTask(asked))
    assert abs(count.conversation - end.stats.n_prompt) <= 0.1 * end.stats.n_prompt


def test_the_oldest_messages_are_left_out(engine: RemoteEngine, loaded: PairInfo) -> None:
    turn = (Message(Role.USER, "the rain " * 60), Message(Role.ASSISTANT, "the sun " * 60))
    told(engine, ChatTask(turn[:1], GREEDY, 1))
    events, _, end = told(engine, ChatTask((*ASKED[:1], *turn * 8, *ASKED[1:]), GREEDY, 8))
    assert isinstance(events[0], PromptPrepared)
    assert events[0].n_left_out >= 2
    assert events[0].n_left_out % 2 == 0
    assert 100 < end.stats.n_prompt < N_CTX


def test_a_message_that_is_too_long(engine: RemoteEngine, loaded: PairInfo) -> None:
    asked = (Message(Role.USER, "the rain " * 4000),)
    with pytest.raises(ContextFullError):
        told(engine, ChatTask(asked, GREEDY, 8))
    with pytest.raises(ContextFullError):
        told(engine, CompletionTask(asked, GREEDY, 8))
    assert engine.is_loaded


def test_a_text_goes_on(engine: RemoteEngine, loaded: PairInfo) -> None:
    _, tokens, end = told(engine, CompletionTask("Once upon", GREEDY, 12, ignore_eos=True))
    assert end.stats.n_generated == 12
    assert end.stats.n_prompt < 10
    assert "".join(token.text for token in tokens)
    assert told(engine, CompletionTask((5, 6, 7), GREEDY, 4, ignore_eos=True))[2].stats.n_prompt in (3, 4)


def test_probabilities(engine: RemoteEngine, loaded: PairInfo) -> None:
    _, tokens, _ = told(engine, CompletionTask(ASKED, SAMPLED, 8, top_logprobs=3))
    scored = [token.logprobs for token in tokens if token.logprobs is not None]
    assert scored if loaded.engine == "llama-server" else len(scored) == 8  # it tells none of guesses
    assert all(each.chosen.logprob <= 0 and len(each.best) == 3 for each in scored)
    _, tokens, _ = told(engine, ChatTask(ASKED, SAMPLED, 8, probabilities=True))
    probabilities = [token.probability for token in tokens if token.probability is not None]
    assert probabilities
    assert all(0 < probability <= 1 for probability in probabilities)


def test_an_answer_of_a_given_form(engine: RemoteEngine, loaded: PairInfo) -> None:
    text = text_of(engine, CompletionTask(ASKED, GREEDY, 60, json_schema=SCHEMA))
    assert set(json.loads(text)) == {"n"}


def test_tools_are_told_called_and_answered(engine: RemoteEngine, loaded: PairInfo) -> None:
    """A model of noise calls one where nothing else may be written; llama-server lets it write before the call."""
    asked = CompletionTask(ASKED, GREEDY, 200, tools=(TOOL,), tool_choice="required", one_call=True)
    end = told(engine, asked)[2]
    assert len(end.calls) == 1 or loaded.engine != "specchat"
    assert end.stats.n_prompt > told(engine, CompletionTask(ASKED, GREEDY, 1))[2].stats.n_prompt + 20
    call = end.calls[0] if end.calls else ToolCall("a", "weather", '{"warm": true}')
    assert call.name == "weather"
    assert isinstance(json.loads(call.arguments)["warm"], bool)
    said = (*ASKED, Message(Role.ASSISTANT, "", (call,)), Message(Role.TOOL, "It is.", (), call.id))
    assert told(engine, CompletionTask(said, GREEDY, 8, tools=(TOOL,), tool_choice="none"))[2].stats.n_generated == 8


def test_what_was_accepted_is_told(engine: RemoteEngine, loaded: PairInfo) -> None:
    _, tokens, end = told(engine, ChatTask(ASKED, GREEDY, 48))
    stats = end.stats
    assert 0 < stats.n_accepted <= stats.n_drafted
    assert stats.acceptance_rate == stats.n_accepted / stats.n_drafted
    assert stats.speculation == "on"
    assert "acceptance_rate" not in stats.unreported
    assert ("saved_s" in stats.unreported) == (loaded.engine != "specchat")
    steps = [token.step for token in tokens if token.step is not None]
    if loaded.engine == "llama-server":
        assert 0 <= stats.n_drafted - sum(step.drafted for step in steps) <= 4
        assert 0 <= stats.n_accepted - sum(step.accepted for step in steps) <= 4
    else:
        assert not sum(step.drafted for step in steps)


def test_nothing_is_loaded_any_more(engine: RemoteEngine, served: Served, loaded: PairInfo) -> None:
    engine.unload()
    assert not engine.is_loaded
    with pytest.raises(SettingError, match="No model is loaded"):
        engine.count(CountTask(ASKED))
    with pytest.raises(SettingError, match="No model is loaded"):
        next(engine.generate(ChatTask(ASKED), CancelToken()))
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        engine.load(PairChoice(ServedModel(served.url)), cancel, lambda *_: cancel.cancel())
    assert not engine.is_loaded


def test_a_session_uses_it_as_any_other(served: Served) -> None:
    def never() -> RemoteEngine:
        raise BugError("nothing lies here")

    with closing(PairSession(lambda: RoutingEngine(never, lambda: RemoteEngine(EngineHttp())))) as session:
        pair = session.load(PairChoice(ServedModel(served.url)), CancelToken())
        assert pair.target == served.model
        session.unload()
        events: Iterator[EngineEvent] = session.generate(ChatTask(ASKED, GREEDY, 4), CancelToken())
        assert isinstance(list(events)[-1], GenerationFinished)
