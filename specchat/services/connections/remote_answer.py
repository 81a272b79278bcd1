"""Turns the pieces of an engine's streamed answer into an engine's events."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import exp, isfinite
from typing import Any

from specchat.domain.errors import EngineLostError
from specchat.domain.speculation_status import NOT_REPORTED, ON
from specchat.domain.types import (
    NO_TOKEN,
    UNKNOWN,
    FinishReason,
    GenerationEvent,
    GenerationFinished,
    GenerationStats,
    PromptProgress,
    ScoredToken,
    TokenEvent,
    TokenLogprobs,
    are_tokens,
)
from specchat.services.connections.dialects.openai import OpenAiDialect
from specchat.services.connections.engine_api import JsonObject
from specchat.services.connections.event_stream import endless_error
from specchat.services.connections.guess_steps import GuessSteps
from specchat.services.connections.reported_figures import (
    GuessReport,
    read_count,
    read_object,
    read_objects,
    read_text,
)
from specchat.services.connections.streamed_calls import MOST_CALLS, StreamedCalls

_LONGEST_ANSWER = 32 << 20
"""Characters."""
_MOST_EMPTY = 100_000
"""Pieces in a row that add nothing."""
_MOST_BEST = 100
_MOST_PER_PIECE = 16
"""Tokens. Where pieces hold more, the time between them doesn't tell the speed."""
_OPENS, _CLOSES = "<think>\n", "\n</think>\n\n"
_UNMEASURED = ("target_time_s", "draft_time_s", "sample_time_s", "saved_s", "accepted_per_position", "n_checked")
"""No engine tells them."""
_OF_GUESSES = (
    "n_drafted",
    "n_accepted",
    "n_verify_steps",
    "acceptance_rate",
    "mean_accepted_length",
    "drafted_per_source",
    "accepted_per_source",
)


class RemoteAnswer:
    def __init__(
        self,
        dialect: OpenAiDialect,
        where: str,
        *,
        thoughts_apart: bool,
        max_tokens: int | None,
        n_ctx: int,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """`thoughts_apart`: otherwise they are part of the text, in the tags that models write."""
        self._dialect = dialect
        self._where = where
        self._thoughts_apart = thoughts_apart
        self._max_tokens, self._n_ctx = max_tokens, n_ctx
        self._clock = clock
        self._begun = clock()
        self._first = self._last = 0.0
        self._steps = GuessSteps()
        self._usage: Mapping[str, object] = {}
        self._further: Mapping[str, object] = {}
        self._n_pieces = self._n_empty = self._length = self._n_characters = 0
        self._n_tokens = 0
        """As far as pieces tell: one each, unless the engine lists several."""
        self._is_thinking = False
        self._calls = StreamedCalls()
        self._reason = ""
        self.is_done = False

    @property
    def has_ended(self) -> bool:
        """Otherwise the connection was lost."""
        return self.is_done or bool(self._reason)

    @property
    def has_begun(self) -> bool:
        return self._length > 0

    def read(self, chunk: JsonObject) -> Iterator[GenerationEvent]:
        if usage := read_object(chunk.get("usage")):
            self._usage = usage
        self._steps.note(self._dialect.read_guesses(chunk))
        self._further = self._dialect.read_further_stats(chunk) or self._further
        if (progress := read_object(chunk.get("prompt_progress"))) and not self._n_pieces:
            done, total = read_count(progress.get("processed")), read_count(progress.get("total"))
            if done is not None and total and done <= total:
                yield PromptProgress(done, total)
        choice = next(iter(read_objects(chunk.get("choices"))), {})
        delta = read_object(choice.get("delta"))
        thought = read_text(delta.get("reasoning_content")) or read_text(delta.get("reasoning"))
        text = read_text(delta.get("content")) if delta else read_text(choice.get("text"))
        self._add_calls(delta)
        self._reason = read_text(choice.get("finish_reason")) or self._reason
        yield from self._tokens(thought, text, choice.get("logprobs"))

    def finish(self, reason: FinishReason | None = None) -> GenerationFinished:
        """`reason`: why it was ended from here."""
        closing = _CLOSES.rstrip() if self._is_thinking and reason is None else ""
        self._is_thinking = False
        return GenerationFinished(
            reason or (FinishReason.LENGTH if self._reason == "length" else FinishReason.STOP),
            closing,
            stats := self._stats(),
            self._fills_context(stats),
            self._calls.finished(is_cut=self._reason == "length"),
        )

    def _tokens(self, thought: str, text: str, logprobs: object) -> Iterator[TokenEvent]:
        if not (thought or text):
            self._n_empty += 1
            if self._n_empty > _MOST_EMPTY:
                raise endless_error(self._where)
            return
        self._length += len(thought) + len(text)
        if self._length > _LONGEST_ANSWER:
            raise endless_error(self._where)
        self._note_time()
        scored = _read_logprobs(logprobs)
        self._n_pieces, self._n_empty = self._n_pieces + 1, 0
        self._n_tokens += max(1, len(scored))
        self._n_characters += len(thought) + len(text)
        if not self._thoughts_apart:
            thought, text = "", self._with_tags(thought, text)
        for each in scored[:-1]:
            yield TokenEvent(NO_TOKEN, "", UNKNOWN, None, None, self._steps.add_token(), each)
        last = scored[-1] if scored else None
        probability = exp(last.chosen.logprob) if last is not None else None
        step = self._steps.add_token(is_one=self._are_tokens())
        yield TokenEvent(NO_TOKEN, text, UNKNOWN, None, probability, step, last, thought=thought)

    def _with_tags(self, thought: str, text: str) -> str:
        before = ""
        if thought and not self._is_thinking:
            self._is_thinking, before = True, _OPENS
        if text and self._is_thinking:
            self._is_thinking, text = False, _CLOSES + text
        return before + thought + text

    def _add_calls(self, delta: JsonObject) -> None:
        for each in read_objects(delta.get("tool_calls"), MOST_CALLS):
            self._length += self._calls.add(each)
            self._n_empty = 0
            self._note_time()
            if len(self._calls) > MOST_CALLS or self._length > _LONGEST_ANSWER:
                raise endless_error(self._where)

    def _note_time(self) -> None:
        now = self._clock()
        self._first, self._last = self._first or now, now

    def _stats(self) -> GenerationStats:
        n_prompt = read_count(self._usage.get("prompt_tokens"))
        details = read_object(self._usage.get("prompt_tokens_details"))
        n_reused = read_count(details.get("cached_tokens"), n_prompt or 0)
        told = self._told_tokens()
        is_known, generated = told is not None or self._are_tokens(), self._n_tokens if told is None else told
        guesses = self._steps.report
        if guesses is not None and (guesses.accepted > generated or not is_known):
            guesses = None
        unreported = [*_UNMEASURED, *([] if guesses is not None else _OF_GUESSES)]
        unreported += [] if is_known else ["n_generated", "tokens_per_s"]
        unreported += [] if n_prompt is not None else ["n_prompt"]
        unreported += [] if n_reused is not None else ["n_prompt_reused"]
        stats = GenerationStats(
            n_prompt=n_prompt or 0,
            n_prompt_reused=n_reused or 0,
            n_generated=generated,
            ttft_s=max(0.0, self._first - self._begun),
            tokens_per_s=self._speed(generated),
            speculation=NOT_REPORTED if guesses is None else ON,
            unreported=tuple(unreported),
        )
        return stats if guesses is None else _with_guesses(stats, guesses, self._further)

    def _told_tokens(self) -> int | None:
        """As the engine counts them, if that can be true: a limit that was set is one."""
        told = read_count(self._usage.get("completion_tokens"))
        if told is None or (self._max_tokens is not None and told > self._max_tokens) or (self._n_pieces and not told):
            return None
        return told

    def _are_tokens(self) -> bool:
        """Some engines send whole sentences, or all at once."""
        return are_tokens(self._n_characters, self._n_tokens)

    def _speed(self, generated: int) -> float:
        """As it arrives: from the first piece to the last, or of all if there were few."""
        are_few = 0 < self._n_pieces * _MOST_PER_PIECE < generated
        if self._last > self._first and generated > 1 and not are_few:
            return (generated - 1) / (self._last - self._first)
        return generated / (self._last - self._begun) if self._last > self._begun else 0.0

    def _fills_context(self, stats: GenerationStats) -> bool:
        is_cut = self._reason == "length" and stats.n_generated != self._max_tokens
        return is_cut and bool(self._n_ctx) and stats.n_prompt + stats.n_generated >= self._n_ctx - 1


def cut_off_error(where: str, *, can_continue: bool) -> EngineLostError:
    if can_continue:
        return EngineLostError(
            "The answer from {where} was cut off.",
            "Check that the engine is running, then continue the answer.",
            where=where,
        )
    return EngineLostError(
        "The answer from {where} was cut off.",
        "Check that the engine is running, then regenerate the answer.",
        where=where,
    )


def _with_guesses(stats: GenerationStats, guesses: GuessReport, further: Mapping[str, object]) -> GenerationStats:
    """Each pass adds a token of the target's own, where the engine does not count them."""
    generated, drafted, accepted = stats.n_generated, guesses.drafted, guesses.accepted
    passes = generated - accepted if guesses.steps is None or guesses.steps > generated else guesses.steps
    told: dict[str, Any] = {**further, "unreported": tuple(name for name in stats.unreported if name not in further)}
    return replace(
        stats,
        **told,
        n_drafted=drafted,
        n_accepted=accepted,
        n_verify_steps=passes,
        acceptance_rate=accepted / drafted if drafted else 0.0,
        mean_accepted_length=generated / passes if passes else 0.0,
        drafted_per_source={UNKNOWN: drafted} if drafted else {},
        accepted_per_source={UNKNOWN: accepted} if drafted else {},
    )


def _read_logprobs(logprobs: object) -> list[TokenLogprobs]:
    """Of the tokens of one piece."""
    found = read_objects(read_object(logprobs).get("content"))
    return [
        TokenLogprobs(chosen, tuple(filter(None, map(_score, read_objects(each.get("top_logprobs"), _MOST_BEST)))))
        for each in found
        if (chosen := _score(each)) is not None
    ]


def _score(entry: JsonObject) -> ScoredToken | None:
    logprob = entry.get("logprob")
    if not isinstance(logprob, int | float) or not isfinite(logprob) or logprob > 0:
        return None
    piece = entry.get("bytes")
    if isinstance(piece, list) and all(type(byte) is int and 0 <= byte < 256 for byte in piece):
        content = bytes(piece)
    else:
        content = read_text(entry.get("token")).encode()
    token = read_count(entry.get("id"))
    return ScoredToken(NO_TOKEN if token is None else token, content, float(logprob))
