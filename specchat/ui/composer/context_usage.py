"""The part of the context that the next answer starts with."""

from dataclasses import dataclass
from enum import Enum, auto

_NEARLY_FULL = 0.85


class ContextPart(Enum):
    SYSTEM_PROMPT = auto()
    PROJECT = auto()
    TOOLS = auto()
    PROJECT_AND_TOOLS = auto()
    """In its place, where these add to it."""
    CONVERSATION = auto()
    ATTACHMENTS = auto()
    MESSAGE = auto()


def system_part(*, project: bool, tools: bool) -> ContextPart:
    if tools:
        return ContextPart.PROJECT_AND_TOOLS if project else ContextPart.TOOLS
    return ContextPart.PROJECT if project else ContextPart.SYSTEM_PROMPT


class FillLevel(Enum):
    ROOMY = auto()
    NEARLY_FULL = auto()
    SHORTENED = auto()
    """The oldest messages have no room."""
    TOO_LONG = auto()


@dataclass(frozen=True, slots=True)
class ContextUsage:
    """What the next answer would start from; what the parts leave is room for the answer."""

    parts: tuple[tuple[ContextPart, int], ...]
    n_ctx: int
    n_left_out: int = 0
    """The oldest messages, for which there is no room."""
    limit: int | None = None
    """For what is asked, where that is too long even without them."""
    may_grow: bool = True
    """Whether the model can have a larger context."""
    is_estimate: bool = False
    """Nobody counts the tokens before they are read."""
    has_media: bool = False
    """Nobody knows how many tokens these take."""
    n_tools_left_out: int = 0
    """For which there is no room."""

    @property
    def asked(self) -> int:
        return sum(tokens for part, tokens in self.parts if part in (ContextPart.ATTACHMENTS, ContextPart.MESSAGE))

    @property
    def used(self) -> int:
        return sum(tokens for _, tokens in self.parts)

    @property
    def remaining(self) -> int:
        return max(0, self.n_ctx - self.used)

    @property
    def share(self) -> float:
        return self.used / self.n_ctx if self.n_ctx > 0 and self.limit is None else 1.0

    @property
    def fill(self) -> FillLevel:
        """The conversation alone is never too long: the next message leaves out as much of it as it needs."""
        if self.limit is not None or (self.used >= self.n_ctx and self.asked):
            return FillLevel.TOO_LONG
        if self.n_left_out:
            return FillLevel.SHORTENED
        return FillLevel.NEARLY_FULL if self.share > _NEARLY_FULL else FillLevel.ROOMY
