"""What every engine must do: the same tokens, whoever computes them."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from support import chat_templates
from support.choices import choice_of, files_of
from support.ggufs import ModelRecipe, make_pair
from support.model_homes import REPO, put_into_hub_cache
from support.pairs import DRAFT, EXACT
from support.vocabularies import BpeVocab

from specchat.container import Container
from specchat.domain.answer_tasks import Compared, CountTask, PairInfo
from specchat.domain.benchmark import BenchMethod, BenchPlan, BenchProgress, BenchPrompt
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask
from specchat.domain.engine import ChatTask, Engine, EngineEvent, EngineTask, PromptPrepared
from specchat.domain.errors import Cancelled, ContextFullError, ModelFileError, ModelLoadError, SettingError, UserError
from specchat.domain.hub import HubReference
from specchat.domain.loading import LoadStage
from specchat.domain.speculation_status import SpeculationOff, speculation_text
from specchat.domain.types import (
    FinishReason,
    GenerationFinished,
    GenerationStats,
    Message,
    ModelSettings,
    PairChoice,
    Role,
    SamplingParams,
    TokenEvent,
)
from specchat.store.paths import Paths

RECIPE = ModelRecipe(
    vocab=BpeVocab(control=("<|endoftext|>", "<|im_start|>", "<|im_end|>")), chat_template=chat_templates.CHATML
)
ASKED = (Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Is it warm?"))
GREEDY, SAMPLED = SamplingParams(temperature=0.0), SamplingParams(temperature=0.9, seed=3)
PENALISED = replace(SAMPLED, repeat_penalty=1.2, presence_penalty=0.3)
SCHEMA = json.dumps({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
TASKS: dict[str, EngineTask] = {
    "greedy": ChatTask(ASKED, GREEDY, 64),
    "sampled": ChatTask(ASKED, SAMPLED, 64, probabilities=True),
    "penalised": ChatTask(ASKED, PENALISED, 64),
    "continued": ChatTask(ASKED, GREEDY, 32, begun="It is"),
    "prefilled": ChatTask(ASKED, GREEDY, 32, prefill="It is"),
    "logprobs": CompletionTask(ASKED, SAMPLED, 32, top_logprobs=4),
    "raw": CompletionTask("Once upon", SAMPLED, 48, ignore_eos=True),
    "grammar": CompletionTask(ASKED, SAMPLED, 48, json_schema=SCHEMA),
    "stop": CompletionTask(ASKED, SAMPLED, 64, stop=("e",)),
}


def silently(*_: object) -> None:
    pass


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Container:
    home = tmp_path_factory.mktemp("home")
    return Container(Paths(*(home / name for name in ("data", "config", "cache", "logs"))))


@pytest.fixture(scope="module")
def choice(tmp_path_factory: pytest.TempPathFactory) -> PairChoice:
    target, draft = make_pair(tmp_path_factory.mktemp("pair"), recipe=RECIPE)
    return choice_of(target, draft, EXACT, DRAFT, "model", 5)


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The Hub's cache, from before a process is started."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("hub")
        patch.setenv("HF_HUB_CACHE", str(folder))
        yield folder


@pytest.fixture(scope="module", params=["in process", "process"])
def engine(parts: Container, choice: PairChoice, hub: Path, request: pytest.FixtureRequest) -> Iterator[Engine]:
    make: Callable[[], Engine] = parts.engine if request.param == "in process" else parts.engine_process
    with closing(make()) as engine:
        yield engine


@pytest.fixture
def pair(engine: Engine, choice: PairChoice) -> PairInfo:
    return engine.load(choice, CancelToken(), silently)


def told(engine: Engine, task: EngineTask) -> tuple[list[EngineEvent], GenerationFinished]:
    """Without what differs each time."""
    *events, end = engine.generate(task, CancelToken())
    assert isinstance(end, GenerationFinished)
    return [replace(event, step=None) if isinstance(event, TokenEvent) else event for event in events], replace(
        end, stats=GenerationStats()
    )


@pytest.fixture(scope="module")
def expected(parts: Container, choice: PairChoice) -> dict[str, tuple[list[EngineEvent], GenerationFinished]]:
    """Of the engine in this process, without guesses."""
    plain = replace(choice, draft_type="none")
    with closing(parts.engine()) as engine:
        engine.load(plain, CancelToken(), silently)
        return {name: told(engine, task) for name, task in TASKS.items()}


def test_the_pair_is_told(pair: PairInfo, choice: PairChoice, engine: Engine) -> None:
    assert (pair.target, pair.draft, pair.drafting) == ("target.gguf", "draft.gguf", "on")
    assert pair.exact == "passed"
    assert pair.pass_s > 0
    assert engine.is_loaded


@pytest.mark.parametrize("name", TASKS)
def test_the_same_tokens_as_plain_decoding(
    engine: Engine, pair: PairInfo, name: str, expected: dict[str, tuple[list[EngineEvent], GenerationFinished]]
) -> None:
    events, end = told(engine, TASKS[name])
    tokens, plain = ([e for e in each if isinstance(e, TokenEvent)] for each in (events, expected[name][0]))
    assert [(e.token, e.text, e.logprobs, e.probability) for e in tokens] == [
        (e.token, e.text, e.logprobs, e.probability) for e in plain
    ]
    assert end == expected[name][1]
    assert isinstance(events[0], PromptPrepared) == isinstance(TASKS[name], ChatTask)


@pytest.mark.parametrize(("draft_type", "draft_max"), [("auto", None), ("model", None), ("ngram", 4), ("none", None)])
def test_the_same_tokens_with_every_way_of_guessing(
    engine: Engine,
    choice: PairChoice,
    draft_type: str,
    draft_max: int | None,
    expected: dict[str, tuple[list[EngineEvent], GenerationFinished]],
) -> None:
    engine.load(replace(choice, draft_type=draft_type, draft_max=draft_max), CancelToken(), silently)
    for name, task in TASKS.items():
        events, _ = told(engine, task)
        tokens = [event.token for event in events if isinstance(event, TokenEvent)]
        assert tokens == [event.token for event in expected[name][0] if isinstance(event, TokenEvent)], name


def test_compared_answers_are_the_same_and_profit_from_none(engine: Engine, pair: PairInfo) -> None:
    """Only one of them guesses, and neither from the text of the other."""
    stats: list[GenerationStats] = []
    texts: list[list[int]] = []
    for compared in (Compared.PAIR, Compared.TARGET_ONLY, Compared.PAIR):
        *events, end = engine.generate(ChatTask(ASKED, GREEDY, 48, compared=compared), CancelToken())
        assert isinstance(end, GenerationFinished)
        stats.append(end.stats)
        texts.append([event.token for event in events if isinstance(event, TokenEvent)])
    assert texts[0] == texts[1] == texts[2]
    assert [each.n_drafted > 0 for each in stats] == [True, False, True]
    assert {each.n_prompt_reused for each in stats} == {0}
    assert stats[0].drafted_per_source == stats[2].drafted_per_source
    assert stats[1].speculation == speculation_text(SpeculationOff.SWITCHED_OFF)


def test_stages_of_loading_are_told_in_order(engine: Engine, choice: PairChoice) -> None:
    stages: list[tuple[LoadStage, float]] = []
    engine.load(choice, CancelToken(), lambda *stage: stages.append(stage))
    shares = [share for _, share in stages]
    assert shares == sorted(shares)
    assert {LoadStage.LOADING_TARGET, LoadStage.LOADING_DRAFT} <= {stage for stage, _ in stages}


def test_an_answer_is_cancelled_and_the_next_one_is_not(engine: Engine, pair: PairInfo) -> None:
    cancel = CancelToken()
    task = ChatTask(ASKED, GREEDY)
    for event in engine.generate(task, cancel):
        if isinstance(event, TokenEvent):
            cancel.cancel()
    assert isinstance(event, GenerationFinished)
    assert event.reason is FinishReason.CANCELLED
    *_, end = engine.generate(replace(task, max_tokens=4), CancelToken())
    assert isinstance(end, GenerationFinished)
    assert end.stats.n_generated == 4


def test_an_answer_that_was_cancelled_before_it_began(engine: Engine, pair: PairInfo) -> None:
    cancel = CancelToken()
    cancel.cancel()
    *_, end = engine.generate(ChatTask(ASKED, GREEDY), cancel)
    assert isinstance(end, GenerationFinished)
    assert (end.reason, end.stats.n_generated) == (FinishReason.CANCELLED, 0)


def test_an_answer_that_nobody_reads_on(engine: Engine, pair: PairInfo) -> None:
    events = engine.generate(ChatTask(ASKED, GREEDY), CancelToken())
    while not isinstance(next(events), TokenEvent):
        pass
    events.close()
    assert engine.count(CountTask(ASKED, "More?")).question > 0


def test_a_load_is_cancelled(engine: Engine, choice: PairChoice) -> None:
    cancel = CancelToken()
    with pytest.raises(Cancelled):
        engine.load(choice, cancel, lambda *_: cancel.cancel())
    assert not engine.is_loaded


def test_models_of_the_hub_are_found_by_who_loads_them(engine: Engine, choice: PairChoice, hub: Path) -> None:
    for name, file in zip(("target.gguf", "draft.gguf"), files_of(choice), strict=True):
        put_into_hub_cache(hub, name, file.read_bytes())
    target, draft, gone = (HubReference(REPO, name) for name in ("target.gguf", "draft.gguf", "gone.gguf"))
    loaded = engine.load(replace(choice, target=target, draft=draft), CancelToken(), silently)
    assert (loaded.target, loaded.draft) == ("target.gguf", "draft.gguf")
    with pytest.raises(ModelFileError, match="gone.gguf is not on this computer"):
        engine.load(replace(choice, draft=gone), CancelToken(), silently)


def test_what_goes_wrong_is_told_in_the_same_words(engine: Engine, choice: PairChoice, tmp_path: Path) -> None:
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(b"no model")
    with pytest.raises(UserError, match="bad.gguf") as failed:
        engine.load(choice_of(bad), CancelToken(), silently)
    assert isinstance(failed.value, UserError)
    assert not engine.is_loaded
    with pytest.raises(SettingError, match="No model is loaded"):
        next(engine.generate(ChatTask(ASKED), CancelToken()))
    with pytest.raises(ModelLoadError):
        engine.load(replace(choice, target_settings=ModelSettings(n_ctx=1 << 40)), CancelToken(), silently)


def test_a_prompt_that_is_too_long_leaves_the_pair_loaded(engine: Engine, pair: PairInfo) -> None:
    with pytest.raises(ContextFullError):
        list(engine.generate(CompletionTask("word " * 9000), CancelToken()))
    assert engine.is_loaded


def test_the_context_is_counted(engine: Engine, pair: PairInfo) -> None:
    count = engine.count(CountTask(ASKED, "And now?", ("a file",), 64))
    assert count.n_ctx == pair.n_ctx
    assert min(count.system, count.conversation, count.question, *count.attachments) > 0


def test_passages_are_counted_where_the_whole_does_not_fit(engine: Engine, pair: PairInfo) -> None:
    passages = CountTask((*ASKED, Message(Role.USER, "A passage.")), "And now?", max_tokens=64, searched=("book.pdf",))
    whole = CountTask((*ASKED, Message(Role.USER, "word " * 9000)), "And now?", max_tokens=64, condensed=passages)
    first = engine.count(whole)
    assert first.searched == ("book.pdf",)
    assert engine.count(passages) == first
    assert engine.count(whole) == first
    assert engine.count(replace(whole, condensed=None)).n_left_out


def test_a_benchmark_is_run_and_the_pair_is_gone(engine: Engine, pair: PairInfo, choice: PairChoice) -> None:
    target, draft = files_of(choice)
    plan = BenchPlan(
        (BenchMethod(target), BenchMethod(target, draft, "model", 2)),
        (BenchPrompt("code", "def f"),),
        repeat=1,
        max_tokens=8,
        n_ctx=512,
        exact=True,
    )
    seen: list[BenchProgress] = []
    report = engine.bench(plan, seen.append, CancelToken())
    assert report.complete
    assert len(report.runs) == 2
    assert all(run.same_as_plain for run in report.runs[1:])
    assert seen[-1].done == seen[-1].total
    assert not engine.is_loaded


def test_unloaded_it_loads_again(engine: Engine, pair: PairInfo, choice: PairChoice) -> None:
    engine.unload()
    assert not engine.is_loaded
    with pytest.raises(SettingError):
        engine.count(CountTask(ASKED))
    engine.load(choice, CancelToken(), silently)
    assert engine.is_loaded
