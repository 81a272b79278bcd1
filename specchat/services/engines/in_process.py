"""Engine that runs the models in this process."""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice

from specchat.backends.weights import Weights
from specchat.domain.answer_tasks import Compared, ContextCount, CountTask, PairInfo
from specchat.domain.benchmark import BenchPlan, BenchReport, OnProgress
from specchat.domain.cancel_token import CancelToken
from specchat.domain.completions import CompletionTask, QueryAnswered
from specchat.domain.embeddings import EmbeddingQuery, RankingQuery
from specchat.domain.engine import ChatTask, Engine, EngineEvent, EngineTask, PromptPrepared
from specchat.domain.errors import NO_MODEL, ContextFullError, IncapableError, SettingError
from specchat.domain.loading import OnLoading
from specchat.domain.speculation_status import ON, SpeculationOff, speculation_text
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import GenerationEvent, GenerationRequest, Message, PairChoice, Tool
from specchat.engine.slot_scheduler import SlotScheduler
from specchat.engine.speculative import NoSpeculation
from specchat.gguf.splits import size_of_files
from specchat.services.bench.runner import Benchmark
from specchat.services.chat.conversation_size import ConversationSize, measure_conversation
from specchat.services.chat.prompt_fitting import FittedPrompt
from specchat.services.chat.request_builder import AnswerOptions, build_chat_prompt, build_prompt_request, prompt_limit
from specchat.services.generation.answer_history import ReadAnswers, index_stored_answers
from specchat.services.generation.chat_tools import ChatTools, fit_chat_tools, readable_messages
from specchat.services.generation.completion import generate_completion
from specchat.services.generation.drafter_choice import drafter_name
from specchat.services.generation.embedder_loader import EmbedderLoader
from specchat.services.generation.loaded_embedder import LoadedEmbedder
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.model_queries import answer_query
from specchat.services.generation.pair_loader import PairLoader
from specchat.services.generation.prefill import find_prefill_opening

_RECALLED_AT_ONCE = 16
"""Pieces of earlier answers to index at once, which takes 10 to 30 ms, while no answer is written."""


class InProcessEngine:
    def __init__(
        self,
        loader: PairLoader,
        read_answers: ReadAnswers = lambda _: (),
        connect: Callable[[], Engine] | None = None,
        embedders: EmbedderLoader | None = None,
    ) -> None:
        """`read_answers`: reads stored answers, to guess from them. `connect`: creates the engine that asks other
        engines in a benchmark. `embedders`: loads embedding models and rerankers, if the engine may load them.
        """
        self._connect = connect
        self._embedders = embedders
        self._embedder: LoadedEmbedder | None = None
        self._loader = loader
        self._read_answers = read_answers
        self._recalling: Iterator[None] = iter(())
        self._pair: LoadedPair | None = None
        self._sizes = deque[tuple[tuple[Message, ...], tuple[Tool, ...], ConversationSize]](maxlen=2)
        """Of the conversations that were counted last: a whole one, and with passages in place of its documents."""

    @property
    def is_loaded(self) -> bool:
        return self._pair is not None or self._embedder is not None

    @property
    def n_slots(self) -> int:
        """The number of simultaneous answers."""
        return self._pair.n_slots if self._pair is not None else 1

    @property
    def scheduler(self) -> SlotScheduler:
        """The scheduler of the loaded pair's answers."""
        return (self._embedder or self._require_pair()).scheduler

    def load(self, choice: PairChoice, cancel: CancelToken, progress: OnLoading) -> PairInfo:
        """Loads a pair after unloading the previous one, because both may not fit in memory."""
        self.unload()
        if self._embedders is not None and self._embedders.is_for(choice):
            self._embedder = self._embedders.load(choice, cancel, progress)
            return _embedder_info(self._embedder)
        self._pair = pair = self._loader.load(choice, cancel, progress)
        pair.keep_prompt_states()
        if not isinstance(pair.speculation, NoSpeculation):
            self._recalling = index_stored_answers(pair.answer_history, self._read_answers, pair.prompts.tokenize_text)
        self._recall_some()
        return _info(pair)

    def generate(self, task: EngineTask, cancel: CancelToken) -> Generator[EngineEvent, None, None]:
        if self._embedder is not None:
            yield QueryAnswered(self._embedder.answer(task, cancel))
            return
        pair = self._require_pair()
        if isinstance(task, ChatTask):
            yield from _chat(pair, task, cancel)
            self._recall_some()
        elif isinstance(task, CompletionTask):
            yield from generate_completion(pair, task, cancel)
        elif isinstance(task, EmbeddingQuery | RankingQuery):
            raise _writes_error(pair)
        else:
            yield QueryAnswered(answer_query(pair, task))

    def count(self, task: CountTask) -> ContextCount:
        whole = self._count(task)
        if task.condensed is None or whole.fits:
            return whole
        return self._count(task.condensed)

    def _count(self, task: CountTask) -> ContextCount:
        pair = self._require_pair()
        size = self._measure_chat(pair, task.messages, task.tools)
        attachments = (*task.pictures, *map(pair.prompts.count_tokens, task.attachments))
        question = pair.prompts.count_tokens(task.question)
        asked = sum(attachments) + question
        limit = prompt_limit(pair.target.n_ctx, task.max_tokens)
        room = limit - size.system - asked - (size.per_message if asked else 0)
        conversation, n_left_out = size.fit_newest_turns(room)
        self._recall_some()
        return ContextCount(
            *(size.system, conversation, attachments, question, pair.target.n_ctx, limit, n_left_out),
            searched=task.searched,
            n_tools_left_out=fit_chat_tools(pair, task.tools).n_left_out,
        )

    def bench(self, plan: BenchPlan, on_progress: OnProgress, cancel: CancelToken) -> BenchReport:
        self.unload()
        return Benchmark(plan, self._loader, cancel, on_progress, connect=self._connect).run()

    def unload(self) -> None:
        self._sizes.clear()
        self._recalling = iter(())
        pair, self._pair = self._pair, None
        embedder, self._embedder = self._embedder, None
        for loaded in (pair, embedder):
            if loaded is not None:
                loaded.close()

    def close(self) -> None:
        self.unload()

    def _measure_chat(
        self, pair: LoadedPair, messages: tuple[Message, ...], tools: tuple[Tool, ...]
    ) -> ConversationSize:
        known = next((size for *counted, size in self._sizes if counted == [messages, tools]), None)
        if known is None:
            known = measure_conversation(pair, readable_messages(pair, messages), fit_chat_tools(pair, tools).tools)
            self._sizes.append((messages, tools, known))
        return known

    def _recall_some(self) -> None:
        if self._pair is not None and self._pair.slots.are_in_use:
            return
        for _ in islice(self._recalling, _RECALLED_AT_ONCE):
            pass

    def _require_pair(self) -> LoadedPair:
        if self._pair is None:
            raise SettingError(NO_MODEL, "Choose a pair first.")
        return self._pair


def _chat(pair: LoadedPair, task: ChatTask, cancel: CancelToken) -> Iterator[EngineEvent]:
    tools = fit_chat_tools(pair, task.tools, task.messages)
    options = AnswerOptions(
        task.sampling,
        task.max_tokens,
        task.stop,
        ignore_eos=task.ignore_eos,
        drop_oldest=True,
        begun=task.begun,
        prefill=task.prefill,
        probabilities=task.probabilities,
        reasoning=task.reasoning,
    )
    if task.prefill:
        opening = find_prefill_opening(pair, task.messages, tools.tools, options.template_variables)
        options = replace(options, opening=opening)
    prompt, is_condensed = _fitting_prompt(pair, task, options, tools)
    begun = options.opening + task.prefill
    yield PromptPrepared(len(prompt.tokens), prompt.n_left_out, is_condensed, begun, tools.n_left_out)
    request = tools.prepare(pair, build_prompt_request(pair, prompt, options))
    reader = tools.reader()
    with closing(_generate(pair, task, request, cancel)) as events:
        for event in events:
            yield reader.read(event)


def _generate(
    pair: LoadedPair, task: ChatTask, request: GenerationRequest, cancel: CancelToken
) -> Generator[GenerationEvent, None, None]:
    if task.compared is None:
        return pair.generate(request, cancel)
    return pair.generate_alone(request, cancel, speculates=task.compared is Compared.PAIR)


def _fitting_prompt(
    pair: LoadedPair, task: ChatTask, options: AnswerOptions, tools: ChatTools
) -> tuple[FittedPrompt, bool]:
    """The whole conversation if it fits; else the condensed one, if there is one."""

    def build(messages: Sequence[Message]) -> FittedPrompt:
        return build_chat_prompt(pair, readable_messages(pair, messages), options, tools.tools)

    try:
        whole = build(task.messages)
    except ContextFullError:
        if not task.condensed:
            raise
    else:
        if not (whole.n_left_out and task.condensed):
            return whole, False
    return build(task.condensed), True


def _info(pair: LoadedPair) -> PairInfo:
    speculation = pair.speculation
    return PairInfo(
        target=pair.choice.target.name,
        draft=pair.choice.draft.name if pair.choice.draft is not None and pair.has_draft else None,
        n_ctx=pair.target.n_ctx,
        drafting=speculation_text(speculation.reason) if isinstance(speculation, NoSpeculation) else ON,
        exact=pair.selftest.verdict if pair.selftest else "",
        guesser="" if isinstance(speculation, NoSpeculation) else drafter_name(pair.choice) or "",
        pass_s=pair.profile.costs.usual(1) if pair.profile.costs.knows_plain else 0.0,
        n_slots=pair.n_slots,
        slots_reason=TranslatableText(pair.slots_reason) if pair.slots_reason else None,
        sees_pictures=pair.prompts.sees_pictures,
        hears_recordings=pair.prompts.hears_recordings,
        calls_tools=pair.template.shows_tools,
        size=pair.target.weights.size,
        file_size=_file_size(pair.target.weights),
        size_on_gpus=pair.target.weights.size_on_gpus,
        n_ctx_trained=pair.target.n_ctx_trained,
        lacks=pair.lacks,
    )


def _embedder_info(embedder: LoadedEmbedder) -> PairInfo:
    drafting = speculation_text(SpeculationOff.SWITCHED_OFF)
    weights = embedder.model.weights
    return PairInfo(
        embedder.choice.target.name,
        None,
        embedder.model.n_ctx,
        drafting,
        "",
        purpose=embedder.purpose,
        size=weights.size,
        file_size=_file_size(weights),
        size_on_gpus=weights.size_on_gpus,
    )


def _file_size(weights: Weights) -> int:
    return size_of_files(weights.path, int(weights.metadata("split.count") or 1))


def _writes_error(pair: LoadedPair) -> IncapableError:
    return IncapableError(
        "{name} generates text. It can't make embeddings or rank documents.",
        "Load an embedding model such as nomic-embed-text, or a reranker such as bge-reranker-v2-m3.",
        name=pair.choice.target.name,
    )
