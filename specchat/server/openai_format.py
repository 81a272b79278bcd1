"""OpenAI's chat and text completions, whole or as a stream of chunks."""

import secrets
import time
from collections.abc import Iterator, Mapping, Sequence

from specchat.domain.types import PromptProgress
from specchat.server.answer_builder import AnswerDelta
from specchat.server.answer_response import EVENT_STREAM, PING, FinishedAnswer, Reply, data_event
from specchat.server.errors import ApiError
from specchat.server.response_formatters import Choice, ResponseFormatter
from specchat.server.response_stats import usage

_DONE = b"data: [DONE]\n\n"


class OpenAiFormat:
    media_type = EVENT_STREAM

    def __init__(self, form: ResponseFormatter, *, include_usage: bool, n: int = 1, echoed: Sequence[str] = ()) -> None:
        """`n`: answers to each prompt. `echoed`: prompts that their answers begin with."""
        self.in_step = form.has_offsets
        self._form = form
        self._include_usage = include_usage
        self._n = n
        self._echoed = echoed
        self._frame: dict[str, object] = {}

    def ping(self) -> bytes:
        return PING

    def begin(self, model: str, prompt: PromptProgress) -> bytes:
        self._frame = self._framed(self._form.piece_name, model)
        if self._include_usage:
            self._frame |= {"usage": None}
        opening = self._form.format_opening()
        return b"" if opening is None else b"".join(self._chunk(index, opening) for index in range(self._n))

    def add(self, index: int, piece: AnswerDelta) -> bytes:
        return self._chunk(index, self._form.format_delta(self._with_echo(index, piece)))

    def end(self, answers: Sequence[FinishedAnswer]) -> bytes:
        return b"".join(map(data_event, self._endings(answers))) + _DONE

    def fail(self, error: ApiError) -> bytes:
        return data_event({"error": error.error})

    def whole(self, answers: Sequence[FinishedAnswer]) -> Reply:
        choices = [
            _choice(index, self._form.format_full(self._with_echo(index, answer.content)), answer.finish_reason)
            for index, answer in enumerate(answers)
        ]
        frame = self._framed(self._form.name, answers[0].pair.target)
        return {**frame, "choices": choices, "usage": self._usage(answers), **_figures(answers)}

    def _with_echo(self, index: int, piece: AnswerDelta) -> AnswerDelta:
        echoed = self._echoed[index] if index < len(self._echoed) else ""
        if not echoed:
            return piece
        self._echoed = [*self._echoed[:index], "", *self._echoed[index + 1 :]]
        return AnswerDelta(echoed + piece.text, piece.thought, piece.calls, piece.logprobs, piece.n_calls)

    def _endings(self, answers: Sequence[FinishedAnswer]) -> Iterator[Reply]:
        """The figures come with the last of them, as from llama-server."""
        lasts: list[Reply] = []
        for index, answer in enumerate(answers):
            empty = self._form.format_delta(self._with_echo(index, AnswerDelta()))
            lasts.append({**self._frame, "choices": [_choice(index, empty, answer.finish_reason)]})
        if self._include_usage:
            lasts.append({**self._frame, "choices": [], "usage": self._usage(answers)})
        yield from lasts[:-1]
        yield {**lasts[-1], **_figures(answers)}

    def _usage(self, answers: Sequence[FinishedAnswer]) -> Reply:
        """A prompt counts once, however many answers it gets."""
        n_thought = sum(answer.progress.end.n_thought for answer in answers)
        return usage([answer.stats for answer in answers], n_thought, self._n)

    def _chunk(self, index: int, choice: Choice) -> bytes:
        return data_event({**self._frame, "choices": [_choice(index, choice, None)]})

    def _framed(self, name: str, model: str) -> dict[str, object]:
        number = self._form.id_prefix + secrets.token_hex(12)
        return {"id": number, "object": name, "created": int(time.time()), "model": model}


def _figures(answers: Sequence[FinishedAnswer]) -> Mapping[str, object]:
    """Of an answer that is alone."""
    return answers[0].figures if len(answers) == 1 else {}


def _choice(index: int, choice: Choice, finish_reason: str | None) -> dict[str, object]:
    return {"index": index, **choice, "finish_reason": finish_reason}
