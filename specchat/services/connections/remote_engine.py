"""Engine that asks another one over HTTP: llama-server, vLLM, Ollama and others."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TypeVar

from specchat.domain.answer_tasks import ContextCount, CountTask, PairInfo
from specchat.domain.benchmark import BenchPlan, BenchReport, OnProgress
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask, InfillPrompt
from specchat.domain.compute_settings import USUAL_SLOTS
from specchat.domain.connections import Capability, ListedModel
from specchat.domain.engine import AnswerTask, ChatTask, EngineEvent, EngineTask, PromptPrepared, ToolsRefused
from specchat.domain.engine_address import EngineAddress, parse_engine_address
from specchat.domain.errors import (
    NO_MODEL,
    BugError,
    Cancelled,
    EngineLoadingError,
    IncapableError,
    RemoteEngineError,
    SettingError,
)
from specchat.domain.http_client import HttpClient
from specchat.domain.loading import LoadStage, OnLoading
from specchat.domain.model_ref import ServedModel
from specchat.domain.printable_text import printable_text
from specchat.domain.speculation_status import NOT_REPORTED
from specchat.domain.types import FinishReason, GenerationEvent, Message, PairChoice, PromptProgress
from specchat.services.connections.answer_request import build_chat_body, build_text_body
from specchat.services.connections.chat_messages import without_calls
from specchat.services.connections.dialects import detect_dialect
from specchat.services.connections.dialects.openai import NO_CONTEXT, OpenAiDialect
from specchat.services.connections.engine_api import EngineApi, JsonObject
from specchat.services.connections.prompt_room import PromptRoom
from specchat.services.connections.remote_answer import RemoteAnswer, cut_off_error
from specchat.services.connections.tool_refusals import may_be_for_tools, no_tools_error

FindKey = Callable[[EngineAddress], str]
"""Empty: it has none."""
_POLL_S = 0.5
_MOST_NAMES = 20
T = TypeVar("T")


@dataclass(slots=True)
class _Loaded:
    api: EngineApi
    dialect: OpenAiDialect
    model: str
    room: PromptRoom
    takes_tools: bool
    """As far as is known."""


class RemoteEngine:
    """An engine that loads models elsewhere; unloading here keeps them loaded there. Of several answers at once, it may
    have some wait.
    """

    def __init__(self, http: HttpClient, find_key: FindKey = lambda _: "", *, reuses_prompts: bool = True) -> None:
        self._http = http
        self._find_key = find_key
        self._reuses_prompts = reuses_prompts
        self._loaded: _Loaded | None = None

    @property
    def is_loaded(self) -> bool:
        return self._loaded is not None

    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        self.unload()
        target = choice.target
        if not isinstance(target, ServedModel):
            raise BugError(f"{target} is not on another engine")
        address = parse_engine_address(target.url)
        api = EngineApi(self._http, address, self._find_key(address))
        progress(LoadStage.LOADING_TARGET, 0.0)
        cancel.check()
        dialect, model = _when_loaded(lambda: _prepare(api, target.id, cancel, progress), cancel)
        room = PromptRoom(
            model.n_ctx,
            lambda text: dialect.count_tokens(api, model.id, text, CancelToken()),
            lambda messages: dialect.count_prompt(api, model.id, messages, CancelToken()),
        )
        room.note_template()
        able = dialect.abilities(api, model.id, cancel)
        self._loaded = _Loaded(api, dialect, model.id, room, takes_tools=able.calls_tools)
        return replace(
            _info(ServedModel(str(address), model.id), model, dialect),
            sees_pictures=able.senses.sees,
            hears_recordings=able.senses.hears,
            calls_tools=able.calls_tools,
            n_slots=choice.target_settings.slots or USUAL_SLOTS,
        )

    def generate(self, task: EngineTask, cancel: CancelToken) -> Generator[EngineEvent, None, None]:
        loaded = self._require_loaded()
        if not isinstance(task, ChatTask | CompletionTask):
            raise IncapableError(
                "specchat doesn't forward such requests to {engine}.",
                "Send the request directly to the engine.",
                engine=loaded.dialect.name,
            )
        answer = RemoteAnswer(
            loaded.dialect,
            loaded.api.where,
            thoughts_apart=isinstance(task, CompletionTask) and task.thoughts_apart,
            max_tokens=task.max_tokens,
            n_ctx=loaded.room.n_ctx,
        )
        try:
            cancel.check()
            yield from self._answer(loaded, task, answer, cancel)
        except Cancelled:
            yield answer.finish(FinishReason.CANCELLED)

    def count(self, task: CountTask) -> ContextCount:
        return self._require_loaded().room.context(task)

    def bench(self, plan: BenchPlan, on_progress: OnProgress, cancel: CancelToken) -> BenchReport:
        raise BugError("an engine elsewhere is measured from here")

    def unload(self) -> None:
        self._loaded = None

    def close(self) -> None:
        self.unload()

    def _answer(
        self, loaded: _Loaded, task: AnswerTask, answer: RemoteAnswer, cancel: CancelToken
    ) -> Iterator[EngineEvent]:
        messages = task.messages
        if isinstance(task, ChatTask):
            prefill, task = task.prefill, replace(task, begun=task.begun or task.prefill)
            tools = loaded.room.fit_tools(task.tools if loaded.takes_tools else ())
            fitted, is_condensed = loaded.room.fit_task(task, tools.n_tokens)
            task, messages = replace(task, tools=tools.tools), fitted.messages
            yield PromptPrepared(fitted.n_tokens, fitted.n_left_out, is_condensed, prefill, tools.n_left_out)
            yield PromptProgress(0, max(1, fitted.n_tokens))
        try:
            yield from self._stream(loaded, task, messages, answer, cancel)
        except RemoteEngineError as error:
            if not isinstance(task, ChatTask) or not task.tools or answer.has_begun or not may_be_for_tools(error):
                raise
            task = replace(task, tools=())
            yield from self._stream(loaded, task, messages, answer, cancel)
            loaded.takes_tools = False
            yield ToolsRefused(no_tools_error(loaded.dialect, error))
        end = answer.finish()
        if messages and not task.tools and "n_prompt" not in end.stats.unreported:
            loaded.room.note_prompt(messages, end.stats.n_prompt)
        yield end

    def _stream(
        self,
        loaded: _Loaded,
        task: AnswerTask,
        messages: tuple[Message, ...],
        answer: RemoteAnswer,
        cancel: CancelToken,
    ) -> Iterator[GenerationEvent]:
        if isinstance(task, ChatTask) and not task.tools:
            messages = without_calls(messages)
        url, body = self._request(loaded, task, messages)
        with closing(loaded.api.stream(url, body, cancel)) as chunks:
            for chunk in chunks:
                if chunk is None:
                    answer.is_done = True
                else:
                    yield from answer.read(chunk)
        if not answer.has_ended:
            raise cut_off_error(loaded.api.where, can_continue=Capability.CONTINUE not in loaded.dialect.lacks)

    def _request(self, loaded: _Loaded, task: AnswerTask, messages: tuple[Message, ...]) -> tuple[str, JsonObject]:
        """Where it is sent, and what is sent."""
        api, dialect = loaded.api, loaded.dialect
        if messages or isinstance(task, ChatTask):
            url = dialect.chat_url(api, offers_tools=bool(task.tools))
            body = build_chat_body(dialect, loaded.model, messages, task)
        else:
            url, body = api.address.api("/completions"), build_text_body(dialect, loaded.model, task)
            if task.max_tokens is None and not isinstance(task.prompt, InfillPrompt):
                room = loaded.room.left_after(task.prompt) if dialect.no_limit is None else dialect.no_limit
                body = body if room is None else {**body, "max_tokens": room}
        return url, body if self._reuses_prompts else {**body, **dialect.forgetting}

    def _require_loaded(self) -> _Loaded:
        if self._loaded is None:
            raise SettingError(NO_MODEL, "Choose a pair first.")
        return self._loaded


def choose_model(models: Sequence[ListedModel], wanted: str, where: str) -> ListedModel:
    """By its id, or without the folders before it; unnamed, the only one, or the one that is loaded."""
    if wanted:
        found = [model for model in models if model.id == wanted] or [
            model for model in models if ServedModel(where, model.id).name == wanted
        ]
        if len(found) == 1:
            return found[0]
        raise SettingError(
            "{where} has no model {name}.",
            "Choose one of these: {names}",
            where=where,
            name=wanted,
            names=_names(models),
        )
    if not models:
        raise SettingError("{where} has no models.", "Load or download one there.", where=where)
    loaded = [model for model in models if model.is_loaded]
    for choices in (models, loaded):
        if len(choices) == 1:
            return choices[0]
    raise SettingError(
        "{where} has several models.", "Choose one with -m: {names}", where=where, names=_names(loaded or models)
    )


def _prepare(
    api: EngineApi, wanted: str, cancel: CancelToken, progress: OnLoading
) -> tuple[OpenAiDialect, ListedModel]:
    dialect = detect_dialect(api, cancel)
    model = choose_model(dialect.list_models(api, cancel), wanted, api.where)
    return dialect, dialect.load_model(api, model, cancel, progress)


def _when_loaded(attempt: Callable[[], T], cancel: CancelToken) -> T:
    """An engine that was just started loads its model first, for as long as that takes."""
    while True:
        try:
            return attempt()
        except EngineLoadingError:
            cancel.wait(_POLL_S)


def _info(target: ServedModel, model: ListedModel, dialect: OpenAiDialect) -> PairInfo:
    lacks = dict(dialect.lacks)
    if not model.n_ctx:
        lacks[Capability.CONTEXT] = NO_CONTEXT
    else:
        lacks.pop(Capability.CONTEXT, None)
    return PairInfo(
        *(target.name, None, model.n_ctx, NOT_REPORTED, ""),
        engine=dialect.name,
        lacks=lacks,
    )


def _names(models: Sequence[ListedModel]) -> str:
    names = [printable_text(model.id) for model in models[:_MOST_NAMES]]
    return ", ".join([*names, "..."] if len(models) > _MOST_NAMES else names)
