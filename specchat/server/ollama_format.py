"""Answers in Ollama's form: JSON objects, one a line where they are streamed."""

import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from specchat.domain.types import GenerationStats, PromptProgress, TokenLogprobs, ToolCall
from specchat.server.answer_builder import AnswerDelta
from specchat.server.answer_response import JSON_LINES, FinishedAnswer, Reply, to_json
from specchat.server.errors import ApiError
from specchat.server.response_formatters import describe_token
from specchat.services.generation.stats_tracker import streaming_s

_NS = 1_000_000_000


class OllamaFormat:
    media_type = JSON_LINES
    in_step = False

    def __init__(self, model: str, *, is_chat: bool) -> None:
        """`model`: as it was asked for; empty: any."""
        self._model = model
        self._is_chat = is_chat
        self._began = time.monotonic()

    def ping(self) -> bytes:
        return self.add(0, AnswerDelta())

    def begin(self, model: str, prompt: PromptProgress) -> bytes:
        self._model = self._model or model
        return b""

    def add(self, index: int, piece: AnswerDelta) -> bytes:
        return _line(self._object(piece, done=False))

    def end(self, answers: Sequence[FinishedAnswer]) -> bytes:
        return _line(self.whole(answers))

    def fail(self, error: ApiError) -> bytes:
        return _line({"error": error.error["message"]})

    def whole(self, answers: Sequence[FinishedAnswer]) -> Reply:
        (answer,) = answers
        self._model = self._model or answer.pair.target
        stats = answer.stats
        reason = "length" if answer.finish_reason == "length" else "stop"
        total = round((time.monotonic() - self._began) * _NS)
        return {
            **self._object(answer.content, done=True),
            "done_reason": reason,
            "total_duration": total,
            "load_duration": round(answer.load_s * _NS),
            **_durations(stats),
            "speculation": answer.speculation,
        }

    def nothing(self, model: str, reason: str) -> Reply:
        """Of a request that only loads or unloads."""
        self._model = self._model or model
        return {**self._object(AnswerDelta(), done=True), "done_reason": reason}

    def _object(self, piece: AnswerDelta, *, done: bool) -> Reply:
        moment = datetime.now(UTC).isoformat().replace("+00:00", "Z")
        said = _message(piece) if self._is_chat else _text(piece)
        chances = {"logprobs": [_logprob(each.logprobs) for each in piece.logprobs]} if piece.logprobs else {}
        return {"model": self._model, "created_at": moment, **said, **chances, "done": done}


def _logprob(token: TokenLogprobs) -> Reply:
    best = list(map(describe_token, token.best))
    return describe_token(token.chosen) | ({"top_logprobs": best} if best else {})


def _message(piece: AnswerDelta) -> Reply:
    message: dict[str, object] = {"role": "assistant", "content": piece.text}
    if piece.thought:
        message["thinking"] = piece.thought
    if piece.calls:
        message["tool_calls"] = list(map(_call, piece.calls))
    return {"message": message}


def _text(piece: AnswerDelta) -> Reply:
    return {"response": piece.text} | ({"thinking": piece.thought} if piece.thought else {})


def _call(call: ToolCall) -> Reply:
    return {"id": call.id, "function": {"name": call.name, "arguments": json.loads(call.arguments)}}


def _durations(stats: GenerationStats) -> Reply:
    return {
        "prompt_eval_count": stats.n_prompt,
        "prompt_eval_duration": round(stats.ttft_s * _NS),
        "eval_count": stats.n_generated,
        "eval_duration": round(streaming_s(stats) * _NS),
    }


def _line(value: Reply) -> bytes:
    return to_json(value) + b"\n"
