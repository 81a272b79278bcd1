"""Answers in the form of llama-server's own completions."""

from collections.abc import Mapping, Sequence

from specchat.domain.completions import CompletionTask
from specchat.domain.types import FinishReason, PromptProgress, ScoredToken
from specchat.server.answer_builder import AnswerDelta
from specchat.server.answer_response import EVENT_STREAM, PING, FinishedAnswer, Reply, data_event
from specchat.server.errors import ApiError


class LlamaFormat:
    media_type = EVENT_STREAM
    in_step = True

    def __init__(self, tasks: Sequence[CompletionTask], fields: Sequence[str], *, return_tokens: bool) -> None:
        """`fields`: those that are wanted, such as "content" and "timings/predicted_n"; none: all."""
        self._tasks = tasks
        self._fields = fields
        self._return_tokens = return_tokens
        self._with_new_line = set[int]()

    def ping(self) -> bytes:
        return PING

    def begin(self, model: str, prompt: PromptProgress) -> bytes:
        return b""

    def add(self, index: int, piece: AnswerDelta) -> bytes:
        self._look_for_new_line(index, piece)
        return data_event(self._piece(index, piece) | {"stop": False})

    def end(self, answers: Sequence[FinishedAnswer]) -> bytes:
        return b"".join(map(data_event, self._replies(answers)))

    def fail(self, error: ApiError) -> bytes:
        return b"error: " + data_event({"error": error.error}).removeprefix(b"data: ")

    def whole(self, answers: Sequence[FinishedAnswer]) -> Reply | Sequence[Reply]:
        """One object, or a list of them for several prompts."""
        replies = self._replies(answers)
        return replies if len(replies) > 1 else replies[0]

    def _replies(self, answers: Sequence[FinishedAnswer]) -> Sequence[Reply]:
        return [self._reply(index, answer) for index, answer in enumerate(answers)]

    def _reply(self, index: int, answer: FinishedAnswer) -> Reply:
        stats, task, ended = answer.stats, self._tasks[index], answer.progress.end
        self._look_for_new_line(index, answer.content)
        reply = {
            **self._piece(index, answer.content),
            "id_slot": 0,
            "stop": True,
            "model": answer.pair.target,
            "tokens_predicted": stats.n_generated,
            "tokens_evaluated": stats.n_prompt,
            "generation_settings": {"n_predict": -1 if task.max_tokens is None else task.max_tokens},
            "prompt": task.prompt if isinstance(task.prompt, str) else "",
            "has_new_line": index in self._with_new_line,
            "truncated": ended.context_full,
            "stop_type": _stop_type(ended.reason, ended.stop_text),
            "stopping_word": ended.stop_text,
            "tokens_cached": stats.n_prompt + stats.n_generated,
            **answer.figures,
        }
        return _only(reply, self._fields) if self._fields else reply

    def _look_for_new_line(self, index: int, piece: AnswerDelta) -> None:
        if "\n" in piece.text:
            self._with_new_line.add(index)

    def _piece(self, index: int, piece: AnswerDelta) -> dict[str, object]:
        tokens = piece.tokens if self._return_tokens else ()
        said: dict[str, object] = {"index": index, "content": piece.text, "tokens": tokens}
        if piece.logprobs:
            said["completion_probabilities"] = [
                _chance(each.logprobs.chosen) | {"top_logprobs": list(map(_chance, each.logprobs.best))}
                for each in piece.logprobs
            ]
        return said


def _stop_type(reason: FinishReason, stop_text: str) -> str:
    if reason is not FinishReason.STOP:
        return "limit"
    return "word" if stop_text else "eos"


def _only(reply: Reply, fields: Sequence[str]) -> Reply:
    """Under the names by which they were asked for; what there is not is left out."""
    found: dict[str, object] = {}
    for name in fields:
        value: object = reply
        for key in name.split("/"):
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is not None:
            found[name] = value
    return found


def _chance(token: ScoredToken) -> dict[str, object]:
    text = token.piece.decode("utf-8", "replace")
    return {"id": token.token, "token": text, "bytes": list(token.piece), "logprob": token.logprob}
