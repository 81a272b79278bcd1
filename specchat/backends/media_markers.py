"""Marks where pictures and recordings stand in a prompt while a chat template works on it."""

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from specchat.backends.shielding import PromptText
from specchat.domain.media import Media
from specchat.domain.types import Message

_SHOWN = "<__media__>"
"""As llama.cpp's programs write it."""


class MediaMarkers:
    """Nobody can write a marker who has not seen one, and they are shown to nobody. What begins and ends it is part of
    no control token.
    """

    def __init__(self) -> None:
        self._begin, self._end = f"\ue000{secrets.token_hex(8)}", "\ue001"
        self._pattern = re.compile(f"{self._begin}([0-9a-f]+){self._end}")

    def mark(self, messages: Sequence[Message]) -> list[Message]:
        """They come before the text."""
        return [self._marked(message) if message.media else message for message in messages]

    def _marked(self, message: Message) -> Message:
        marks = "".join(f"{self._begin}{each.digest}{self._end}" for each in message.media)
        return replace(message, content=marks + message.content, pictures=(), recordings=())

    def split(self, prompt: PromptText, messages: Sequence[Message]) -> tuple[list[PromptText], list[Media]]:
        """The texts before, between and after them."""
        known = media_in(messages)
        found = [match for match in self._pattern.finditer(prompt.text) if match[1] in known]  # templates may change it
        starts = [0, *(match.end() for match in found)]
        ends = [*(match.start() for match in found), len(prompt.text)]
        texts = [_part(prompt, start, end) for start, end in zip(starts, ends, strict=True)]
        return texts, [known[match[1]] for match in found]

    def shown(self, text: str) -> str:
        return self._pattern.sub(_SHOWN, text)


def media_in(messages: Sequence[Message]) -> Mapping[str, Media]:
    """By their digests."""
    return {each.digest: each for message in messages for each in message.media}


def _part(prompt: PromptText, start: int, end: int) -> PromptText:
    return PromptText(prompt.text[start:end], tuple(_moved(prompt, start, end)))


def _moved(prompt: PromptText, start: int, end: int) -> Iterator[tuple[int, int]]:
    for first, last in prompt.literal:
        if first < end and last > start:
            yield max(first, start) - start, min(last, end) - start
