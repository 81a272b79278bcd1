"""One answer: from messages or a raw text to a request."""

from collections.abc import Sequence
from dataclasses import dataclass

from specchat.domain.types import GenerationRequest, Message, SamplingParams
from specchat.services.conversation import newest_that_fit
from specchat.services.pair import LoadedPair

_ROOM_FOR_AN_ANSWER = 0.25
"""Of the context, when old turns are dropped and no length is asked for."""
_MOST_FOR_AN_ANSWER = 0.5


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    sampling: SamplingParams = SamplingParams()
    max_tokens: int | None = None
    stop: tuple[str, ...] = ()
    ignore_eos: bool = False
    drop_oldest: bool = False


def raw_request(pair: LoadedPair, text: str, options: AnswerOptions) -> GenerationRequest:
    return _request(pair.tokenize(text), options, ())


def chat_request(pair: LoadedPair, messages: Sequence[Message], options: AnswerOptions) -> GenerationRequest:
    if options.drop_oldest:
        n_ctx = pair.target.n_ctx
        room = int(n_ctx * _ROOM_FOR_AN_ANSWER)
        if options.max_tokens is not None:
            room = min(options.max_tokens, int(n_ctx * _MOST_FOR_AN_ANSWER))
        prompt = newest_that_fit(messages, pair.prompt, n_ctx - max(1, room))
    else:
        prompt = pair.prompt(messages)
    return _request(prompt, options, pair.template.stop)


def _request(prompt: tuple[int, ...], options: AnswerOptions, stop: tuple[str, ...]) -> GenerationRequest:
    return GenerationRequest(
        prompt=prompt,
        sampling=options.sampling,
        max_tokens=options.max_tokens,
        stop=(*options.stop, *stop),
        ignore_eos=options.ignore_eos,
    )
