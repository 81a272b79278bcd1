"""Decides how many of a chat's tools a context has room for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from specchat.domain.types import Tool

_SHARE = 0.5
"""The most of the context that descriptions of tools take."""


@dataclass(frozen=True, slots=True)
class FittedTools:
    tools: tuple[Tool, ...] = ()
    n_tokens: int = 0
    n_left_out: int = 0


def fit_tools(tools: Sequence[Tool], count: Callable[[Tool], int], n_ctx: int) -> FittedTools:
    """The first ones, as many as there is room for."""
    room, n_tokens = int(_SHARE * n_ctx), 0
    for at, tool in enumerate(tools):
        n_tool = count(tool)
        if n_tokens + n_tool > room:
            return FittedTools(tuple(tools[:at]), n_tokens, len(tools) - at)
        n_tokens += n_tool
    return FittedTools(tuple(tools), n_tokens)
