"""Splits the events of an answer into thoughts, answer text and tool calls."""

from dataclasses import replace

from specchat.domain.types import FinishReason, GenerationEvent, GenerationFinished, PromptProgress, TokenEvent
from specchat.services.answers.call_reader import CallReader, TextAndCalls
from specchat.services.answers.thought_reader import ThoughtAndText, ThoughtReader


class AnswerReader:
    def __init__(
        self, thoughts: ThoughtReader | None, calls: CallReader | None, *, hides_cut_calls: bool = False
    ) -> None:
        """None: they are part of the text. `hides_cut_calls`: otherwise, the beginning of a call is text."""
        self._thoughts = thoughts
        self._calls = calls
        self._hides_cut_calls = hides_cut_calls
        self._n_tokens = self._n_thought = 0

    def read(self, event: GenerationEvent) -> GenerationEvent:
        if isinstance(event, PromptProgress) or not (self._thoughts or self._calls):
            return event
        is_last = isinstance(event, GenerationFinished)
        parted = self._part(event.text, is_last=is_last)
        heard = self._hear(parted.text)
        if isinstance(event, GenerationFinished):
            heard = replace(heard, text=heard.text + self._finish_calls(event))
        if isinstance(event, TokenEvent):
            self._count_token()
            event = replace(event, logprobs=None) if self._is_apart else event
        else:
            event = replace(event, n_thought=self._n_thought)
        return replace(event, text=heard.text, thought=parted.thought, calls=heard.calls)

    def _count_token(self) -> None:
        self._n_tokens += 1
        if self._is_thinking:
            self._n_thought = self._n_tokens

    @property
    def _is_thinking(self) -> bool:
        return self._thoughts is not None and self._thoughts.is_thinking

    @property
    def _is_apart(self) -> bool:
        """The last token is no part of the text."""
        return self._is_thinking or (self._calls is not None and self._calls.is_calling)

    def _part(self, text: str, *, is_last: bool) -> ThoughtAndText:
        if self._thoughts is None:
            return ThoughtAndText("", text)
        parted = self._thoughts.push(text)
        rest = self._thoughts.finish() if is_last else ThoughtAndText("", "")
        return ThoughtAndText(parted.thought + rest.thought, parted.text + rest.text)

    def _hear(self, text: str) -> TextAndCalls:
        return TextAndCalls(text) if self._calls is None else self._calls.push(text)

    def _finish_calls(self, end: GenerationFinished) -> str:
        if self._calls is None:
            return ""
        is_cut = end.reason is not FinishReason.STOP or bool(end.stop_text)
        return self._calls.finish_cut() if is_cut and self._hides_cut_calls else self._calls.finish()
