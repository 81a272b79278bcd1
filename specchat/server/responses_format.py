"""Answers as objects of OpenAI's Responses API, whole or as a stream of events."""

import secrets
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from specchat.domain.types import PromptProgress, ToolCall
from specchat.server.answer_builder import AnswerDelta
from specchat.server.answer_response import EVENT_STREAM, PING, FinishedAnswer, Reply, named_event
from specchat.server.errors import ApiError

Object = dict[str, object]


@dataclass
class _Item:
    """One that is being written."""

    kind: str
    id: str
    text: str = ""
    call: ToolCall | None = None
    parts: list[str] = field(default_factory=list)

    def shown(self, status: str) -> Object:
        match self.kind:
            case "reasoning":
                content = [{"type": "reasoning_text", "text": self.text}] if self.text else []
                return {"id": self.id, "type": "reasoning", "summary": [], "content": content, "status": status}
            case "message":
                parts = [_text_part(self.text)] if self.text or status != "in_progress" else []
                return {"id": self.id, "type": "message", "role": "assistant", "status": status, "content": parts}
        assert self.call is not None
        arguments = self.call.arguments if status == "completed" else ""
        called = {"call_id": f"call_{self.call.id}", "name": self.call.name, "arguments": arguments}
        return {"id": self.id, "type": "function_call", "status": status, **called}


class ResponsesFormat:
    media_type = EVENT_STREAM
    in_step = False

    def __init__(self, asked: Reply) -> None:
        """`asked`: fields of the request that a response repeats."""
        self._frame: Object = {
            "id": f"resp_{secrets.token_hex(16)}",
            "object": "response",
            "created_at": int(time.time()),
            "error": None,
            "incomplete_details": None,
            **asked,
        }
        self._n_events = 0
        self._done: list[Object] = []
        self._item: _Item | None = None

    def ping(self) -> bytes:
        return PING

    def begin(self, model: str, prompt: PromptProgress) -> bytes:
        self._frame["model"] = model
        response = {**self._frame, "status": "in_progress", "output": [], "usage": None}
        started = self._event("response.created", {"response": response})
        return started + self._event("response.in_progress", {"response": response})

    def add(self, index: int, piece: AnswerDelta) -> bytes:
        return b"".join(self._piece(piece))

    def end(self, answers: Sequence[FinishedAnswer]) -> bytes:
        (answer,) = answers
        closing = b"".join(self._close(_status(answer)))
        if not self._done:
            closing += b"".join([*self._open("message"), *self._close(_status(answer))])
        response = self._finished(answer, self._done)
        return closing + self._event(f"response.{response['status']}", {"response": response})

    def fail(self, error: ApiError) -> bytes:
        failure = {"code": error.error["code"] or "server_error", "message": error.error["message"]}
        response = {**self._frame, "status": "failed", "error": failure, "output": self._done, "usage": None}
        return self._event("response.failed", {"response": response})

    def whole(self, answers: Sequence[FinishedAnswer]) -> Reply:
        (answer,) = answers
        self._frame["model"] = answer.pair.target
        for _ in (*self._piece(answer.content), *self._close(_status(answer))):
            pass
        if not self._done:
            self._done.append(_Item("message", _new_id("msg")).shown(_status(answer)))
        return self._finished(answer, self._done)

    def _piece(self, piece: AnswerDelta) -> Iterator[bytes]:
        if piece.thought:
            yield from self._open("reasoning")
            yield self._delta("response.reasoning_text.delta", piece.thought)
        if piece.text:
            yield from self._open("message")
            yield self._delta("response.output_text.delta", piece.text)
        for call in piece.calls:
            yield from self._close()
            yield from self._open("function_call", call)
            yield self._delta("response.function_call_arguments.delta", call.arguments)
            yield from self._close()

    def _open(self, kind: str, call: ToolCall | None = None) -> Iterator[bytes]:
        if self._item is not None and self._item.kind == kind:
            return
        yield from self._close()
        prefix = {"reasoning": "rs", "message": "msg", "function_call": "fc"}[kind]
        self._item = _Item(kind, _new_id(prefix), call=call)
        yield self._event("response.output_item.added", {**self._place, "item": self._item.shown("in_progress")})
        if kind == "message":
            yield self._event("response.content_part.added", {**self._in_item, "part": _text_part("")})

    def _close(self, status: str = "completed") -> Iterator[bytes]:
        item = self._item
        if item is None:
            return
        match item.kind:
            case "reasoning":
                yield self._event("response.reasoning_text.done", {**self._in_item, "text": item.text})
            case "message":
                text_done = {**self._in_item, "text": item.text, "logprobs": []}
                yield self._event("response.output_text.done", text_done)
                yield self._event("response.content_part.done", {**self._in_item, "part": _text_part(item.text)})
            case _:
                assert item.call is not None
                done = {**self._place, "item_id": item.id, "name": item.call.name, "arguments": item.call.arguments}
                yield self._event("response.function_call_arguments.done", done)
        shown = item.shown(status)
        yield self._event("response.output_item.done", {**self._place, "item": shown})
        self._done.append(shown)
        self._item = None

    def _delta(self, name: str, text: str) -> bytes:
        assert self._item is not None
        self._item.text += text
        place = self._in_item if self._item.kind != "function_call" else {**self._place, "item_id": self._item.id}
        more: Object = {"logprobs": []} if self._item.kind == "message" else {}
        return self._event(name, {**place, "delta": text, **more})

    @property
    def _place(self) -> Object:
        return {"output_index": len(self._done)}

    @property
    def _in_item(self) -> Object:
        return {**self._place, "item_id": self._item.id if self._item is not None else "", "content_index": 0}

    def _event(self, name: str, values: Reply) -> bytes:
        event = named_event(name, {"type": name, "sequence_number": self._n_events, **values})
        self._n_events += 1
        return event

    def _finished(self, answer: FinishedAnswer, output: Sequence[Object]) -> Object:
        stats, status = answer.stats, _status(answer)
        return {
            **self._frame,
            "status": status,
            "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
            "output": list(output),
            "usage": {
                "input_tokens": stats.n_prompt,
                "input_tokens_details": {"cached_tokens": stats.n_prompt_reused, "cache_write_tokens": 0},
                "output_tokens": stats.n_generated,
                "output_tokens_details": {"reasoning_tokens": answer.progress.end.n_thought},
                "total_tokens": stats.n_prompt + stats.n_generated,
            },
            **answer.figures,
        }


def _status(answer: FinishedAnswer) -> str:
    """Also of the item that is written last."""
    return "incomplete" if answer.finish_reason == "length" else "completed"


def _text_part(text: str) -> Object:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _new_id(prefix: str) -> str:
    return f"{prefix}_{secrets.token_hex(12)}"
