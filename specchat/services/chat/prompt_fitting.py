"""Drops the oldest turns of a conversation until its prompt fits into the context."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from specchat.domain.errors import ContextFullError
from specchat.domain.translatable_text import group_digits
from specchat.domain.types import Message, Role

BuildPrompt = Callable[[Sequence[Message]], tuple[int, ...]]
CountTokens = Callable[[Message], int]
"""Counts the tokens of a message by itself."""


@dataclass(frozen=True, slots=True)
class FittedPrompt:
    tokens: tuple[int, ...]
    n_left_out: int = 0
    """Messages."""


@dataclass(frozen=True, slots=True)
class BegunAnswer:
    n_tokens: int
    n_ctx: int

    def require_room(self, n_prompt: int) -> None:
        if n_prompt + self.n_tokens >= self.n_ctx:
            raise ContextFullError(
                "This answer fills the context of {all} tokens.",
                "Use a larger context (-c), or start a new chat.",
                all=group_digits(self.n_ctx),
            )


def drop_oversized_turns(messages: Sequence[Message], limit: int, size: CountTokens) -> list[Message]:
    """Drops the turns that can't fit; looks only at the end of a long conversation."""
    system = [m for m in messages if m.role is Role.SYSTEM]
    rest = [m for m in messages if m.role is not Role.SYSTEM]
    begin = len(rest)
    total = 0
    for at in range(len(rest) - 1, -1, -1):
        total += size(rest[at])
        if total > limit and begin < len(rest):
            break
        if rest[at].role is Role.USER:
            begin = at
    return [*system, *rest[begin if begin < len(rest) else 0 :]]


def merge_same_role(messages: Sequence[Message]) -> list[Message]:
    """Templates want questions and answers in turn: a question without an answer joins the next one. Results of tools
    stay apart.
    """
    turns: list[Message] = []
    for message in messages:
        if turns and turns[-1].role is message.role is not Role.TOOL:
            turns[-1] = replace(
                message,
                content=f"{turns[-1].content}\n\n{message.content}",
                pictures=turns[-1].pictures + message.pictures,
                recordings=turns[-1].recordings + message.recordings,
                tool_calls=turns[-1].tool_calls + message.tool_calls,
            )
        else:
            turns.append(message)
    return turns


def fit_newest_turns(
    messages: Sequence[Message], prompt: BuildPrompt, limit: int, size: CountTokens, begun: BegunAnswer | None = None
) -> FittedPrompt:
    """The prompt of the conversation, without its oldest turns where it has more than `limit` tokens.

    System messages stay; a turn is dropped whole: the user's message with the answers to it. The turn of a begun
    answer may take all that is left of the context.
    """
    newest = drop_oversized_turns(messages, limit, size)
    n_too_old = len(messages) - len(newest)
    system = [m for m in newest if m.role is Role.SYSTEM]
    rest = [m for m in newest if m.role is not Role.SYSTEM]
    starts = [0, *(i for i, message in enumerate(rest) if i > 0 and message.role is Role.USER)]

    def from_turn(turn: int) -> FittedPrompt:
        return FittedPrompt(prompt([*system, *merge_same_role(rest[starts[turn] :])]), n_too_old + starts[turn])

    whole = from_turn(0)
    if len(whole.tokens) <= limit:
        return whole
    first = bisect_left(range(len(starts)), True, key=lambda turn: len(from_turn(turn).tokens) <= limit)
    if first < len(starts):
        return from_turn(first)
    last = from_turn(len(starts) - 1)
    if begun is None:
        raise message_too_long_error(len(last.tokens), limit)
    begun.require_room(len(last.tokens))
    return last


def message_too_long_error(needed: int, free: int) -> ContextFullError:
    return ContextFullError(
        "Message too long: {needed} tokens, room for {free}.",
        "Use a larger context (-c), or shorten the message.",
        needed=group_digits(needed),
        free=group_digits(free),
    )
