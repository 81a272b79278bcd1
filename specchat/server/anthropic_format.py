"""Answers as Anthropic's messages, whole or as a stream of blocks."""

import json
import secrets
from collections.abc import Collection, Iterator, Sequence

from specchat.domain.types import GenerationStats, PromptProgress, ToolCall
from specchat.server.answer_builder import AnswerDelta
from specchat.server.answer_response import EVENT_STREAM, FinishedAnswer, Reply, named_event
from specchat.server.errors import ApiError, anthropic_error

_REASONS = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}


class AnthropicFormat:
    media_type = EVENT_STREAM
    in_step = False

    def __init__(self, stops: Collection[str]) -> None:
        """`stops`: that were asked for; a template may have others."""
        self._stops = stops
        self._n_blocks = 0
        self._open = ""
        """The kind of the block that is being written."""

    def ping(self) -> bytes:
        return named_event("ping", {"type": "ping"})

    def begin(self, model: str, prompt: PromptProgress) -> bytes:
        usage = _usage(prompt.total, prompt.reused, 0)
        message = {**_message(model), "content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
        return named_event("message_start", {"type": "message_start", "message": message})

    def add(self, index: int, piece: AnswerDelta) -> bytes:
        return b"".join(self._piece(piece))

    def end(self, answers: Sequence[FinishedAnswer]) -> bytes:
        (answer,) = answers
        reason, text = self._stop(answer)
        ended = {"delta": {"stop_reason": reason, "stop_sequence": text}, "usage": _final_usage(answer.stats)}
        return b"".join(
            [
                *self._close(),
                named_event("message_delta", {"type": "message_delta", **ended}),
                named_event("message_stop", {"type": "message_stop", **answer.figures}),
            ]
        )

    def fail(self, error: ApiError) -> bytes:
        return named_event("error", anthropic_error(error))

    def whole(self, answers: Sequence[FinishedAnswer]) -> Reply:
        (answer,) = answers
        reason, text = self._stop(answer)
        return {
            **_message(answer.pair.target),
            "content": list(_blocks(answer.content)),
            "stop_reason": reason,
            "stop_sequence": text,
            "usage": _final_usage(answer.stats),
            **answer.figures,
        }

    def _stop(self, answer: FinishedAnswer) -> tuple[str, str | None]:
        text = answer.progress.end.stop_text
        if text in self._stops and answer.finish_reason == "stop":
            return "stop_sequence", text
        return _REASONS[answer.finish_reason], None

    def _piece(self, piece: AnswerDelta) -> Iterator[bytes]:
        if piece.thought:
            yield from self._open_block("thinking", {"type": "thinking", "thinking": "", "signature": ""})
            yield self._delta({"type": "thinking_delta", "thinking": piece.thought})
        if piece.text:
            yield from self._open_block("text", {"type": "text", "text": ""})
            yield self._delta({"type": "text_delta", "text": piece.text})
        for call in piece.calls:
            yield from self._close()
            yield from self._open_block("tool_use", {**_call(call), "input": {}})
            yield self._delta({"type": "input_json_delta", "partial_json": call.arguments})
            yield from self._close()

    def _open_block(self, kind: str, block: Reply) -> Iterator[bytes]:
        if self._open == kind:
            return
        yield from self._close()
        self._open = kind
        started = {"type": "content_block_start", "index": self._n_blocks, "content_block": block}
        yield named_event("content_block_start", started)

    def _delta(self, delta: Reply) -> bytes:
        return named_event(
            "content_block_delta", {"type": "content_block_delta", "index": self._n_blocks, "delta": delta}
        )

    def _close(self) -> Iterator[bytes]:
        if not self._open:
            return
        if self._open == "thinking":
            yield self._delta({"type": "signature_delta", "signature": ""})
        yield named_event("content_block_stop", {"type": "content_block_stop", "index": self._n_blocks})
        self._n_blocks += 1
        self._open = ""


def _message(model: str) -> dict[str, object]:
    return {"id": f"msg_{secrets.token_hex(12)}", "type": "message", "role": "assistant", "model": model}


def _blocks(content: AnswerDelta) -> Iterator[Reply]:
    if content.thought:
        yield {"type": "thinking", "thinking": content.thought, "signature": ""}
    if content.text or not content.calls:
        yield {"type": "text", "text": content.text}
    for call in content.calls:
        yield {**_call(call), "input": json.loads(call.arguments)}


def _call(call: ToolCall) -> dict[str, object]:
    return {"type": "tool_use", "id": f"toolu_{call.id}", "name": call.name}


def _final_usage(stats: GenerationStats) -> dict[str, object]:
    return _usage(stats.n_prompt - stats.n_prompt_reused, stats.n_prompt_reused, stats.n_generated)


def _usage(n_read: int, n_reused: int, n_generated: int) -> dict[str, object]:
    """What was in the cache counts apart."""
    return {
        "input_tokens": n_read,
        "cache_read_input_tokens": n_reused,
        "cache_creation_input_tokens": 0,
        "output_tokens": n_generated,
    }
