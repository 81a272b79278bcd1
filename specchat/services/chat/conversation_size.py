"""Counts the tokens of a conversation once, so that typing need not recount them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from specchat.domain.types import Message, Role, Tool
from specchat.services.chat.prompt_fitting import drop_oversized_turns, merge_same_role
from specchat.services.generation.loaded_pair import LoadedPair


@dataclass(frozen=True, slots=True)
class _Turn:
    n_messages: int
    tokens: float


@dataclass(frozen=True, slots=True)
class ConversationSize:
    system: int
    conversation: int
    droppable: tuple[_Turn, ...]
    """Oldest first."""
    n_too_old: int
    """The number of messages that can't fit, whatever is typed."""
    per_message: float
    """The tokens that the template adds to each message."""

    def fit_newest_turns(self, free: float) -> tuple[int, int]:
        """Tokens of as many turns as `free` tokens hold, and how many messages are left out."""
        tokens, n_left_out = float(self.conversation), self.n_too_old
        for turn in self.droppable:
            if tokens <= free:
                break
            tokens -= turn.tokens
            n_left_out += turn.n_messages
        return max(0, round(tokens)), n_left_out


def measure_conversation(pair: LoadedPair, messages: Sequence[Message], tools: Sequence[Tool] = ()) -> ConversationSize:
    size = cache(pair.prompts.count_message)
    newest = drop_oversized_turns(messages, pair.target.n_ctx, size)
    rest = [m for m in newest if m.role is not Role.SYSTEM]
    system = sum(size(m) for m in newest if m.role is Role.SYSTEM) + sum(map(pair.prompts.count_tool, tools))
    whole = len(pair.prompts.build(merge_same_role(newest), list(tools) or None)) if rest else system
    per_message = (whole - system - sum(map(size, rest))) / max(1, len(newest))
    turns = [_Turn(len(turn), sum(size(m) + per_message for m in turn)) for turn in _turns(rest)]
    return ConversationSize(system, whole - system, tuple(turns), len(messages) - len(newest), per_message)


def _turns(messages: Sequence[Message]) -> Iterator[Sequence[Message]]:
    starts = [i for i, message in enumerate(messages) if i == 0 or message.role is Role.USER]
    for start, end in pairwise([*starts, len(messages)]):
        yield messages[start:end]
