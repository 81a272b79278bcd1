"""Builds a generation request from messages or raw text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from specchat.domain.types import GenerationRequest, Message, Reasoning, SamplingParams, Tool
from specchat.services.answers.reasoning import find_reasoning
from specchat.services.answers.reasoning_switch import reasoning_variables
from specchat.services.chat.prompt_fitting import BegunAnswer, FittedPrompt, fit_newest_turns
from specchat.services.generation.loaded_pair import LoadedPair

_ROOM_FOR_AN_ANSWER = 0.25
"""The share of the context reserved for the answer when old turns are dropped and no length is set."""
_MOST_FOR_AN_ANSWER = 0.5


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    sampling: SamplingParams = SamplingParams()
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    ignore_eos: bool = False
    drop_oldest: bool = False
    begun: str = ""
    """The beginning of the answer, to be continued."""
    opening: str = ""
    """The template's own markers before that."""
    prefill: str = ""
    """Words of the user after that. None of them becomes a control token."""
    probabilities: bool = False
    reasoning: Reasoning = Reasoning.AUTO
    json_schema: str = ""
    """The answer is JSON that conforms to it; empty: any text."""
    grammar: str = ""
    """The same as a grammar (GBNF)."""

    @property
    def template_variables(self) -> Mapping[str, object]:
        """A begun answer that has reasoning is continued with it."""
        has_reasoning = find_reasoning(self.begun) if self.begun else False
        return {} if has_reasoning else reasoning_variables(self.reasoning)


def build_raw_request(pair: LoadedPair, text: str, options: AnswerOptions) -> GenerationRequest:
    return _request(pair.prompts.tokenize(text), options, ())


def build_chat_request(pair: LoadedPair, messages: Sequence[Message], options: AnswerOptions) -> GenerationRequest:
    return build_prompt_request(pair, build_chat_prompt(pair, messages, options), options)


def build_chat_prompt(
    pair: LoadedPair, messages: Sequence[Message], options: AnswerOptions, tools: Sequence[Tool] = ()
) -> FittedPrompt:
    def build(messages: Sequence[Message]) -> tuple[int, ...]:
        return pair.prompts.build(messages, list(tools) or None, options.template_variables)

    if not options.drop_oldest:
        return FittedPrompt(build(messages))
    n_ctx, n_begun = pair.target.n_ctx, len(_tokenize_begun(pair, options))
    limit = prompt_limit(n_ctx, options.max_tokens) - n_begun
    begun = BegunAnswer(n_begun, n_ctx) if n_begun else None
    return fit_newest_turns(messages, build, limit, pair.prompts.count_message, begun)


def build_prompt_request(pair: LoadedPair, prompt: FittedPrompt, options: AnswerOptions) -> GenerationRequest:
    return _request((*prompt.tokens, *_tokenize_begun(pair, options)), options, pair.template.stop)


def _tokenize_begun(pair: LoadedPair, options: AnswerOptions) -> tuple[int, ...]:
    written = (*pair.prompts.tokenize_form(options.opening), *pair.prompts.tokenize_text(options.begun))
    return (*written, *pair.prompts.tokenize_literally(options.prefill))


def prompt_limit(n_ctx: int, max_tokens: int | None) -> int:
    """Returns the prompt limit that leaves room for an answer."""
    if max_tokens is None:
        return n_ctx - max(1, int(n_ctx * _ROOM_FOR_AN_ANSWER))
    return n_ctx - max(1, min(max_tokens, int(n_ctx * _MOST_FOR_AN_ANSWER)))


def _request(prompt: tuple[int, ...], options: AnswerOptions, stop: tuple[str, ...]) -> GenerationRequest:
    return GenerationRequest(
        prompt=prompt,
        sampling=options.sampling,
        max_tokens=options.max_tokens,
        stop=(*options.stop, *stop),
        ignore_eos=options.ignore_eos,
        probabilities=options.probabilities,
    )
