"""Builds the prompts of a loaded target: from messages or text to tokens, with pictures and recordings."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from specchat.backends.chat_template import ChatTemplate
from specchat.backends.llama_model import LlamaModel
from specchat.backends.media_encoder import MediaEncoder
from specchat.backends.media_markers import MediaMarkers
from specchat.backends.prompt_tokens import tokenize_prompt, tokenize_with_rows
from specchat.backends.shielding import PromptText
from specchat.domain.errors import TemplateError
from specchat.domain.media import Media
from specchat.domain.picture_errors import blind_error
from specchat.domain.recording_errors import deaf_error, require_length
from specchat.domain.recordings import Recording
from specchat.domain.types import Message, Tool
from specchat.engine.tokens import FIRST_PICTURE
from specchat.services.models.mmproj_lookup import read_projector

if TYPE_CHECKING:
    from specchat.gguf.projector import Projector


class PromptBuilder:
    def __init__(self, target: LlamaModel, template: ChatTemplate, name: str) -> None:
        """`name`: of the target, for errors."""
        self._vocabulary = target.vocabulary
        self._encoder = target.shared.media
        """None: the target reads text only."""
        self._template = template
        self._name = name
        self._markers = MediaMarkers()

    def tokenize(self, text: str) -> tuple[int, ...]:
        """Tokenizes a raw prompt, in which control tokens are recognized."""
        return tuple(self._vocabulary.tokenize(text, add_special=True, parse_special=True))

    def tokenize_text(self, text: str) -> tuple[int, ...]:
        """Tokenizes text that a model wrote: markers that models show, such as <|channel|> of gpt-oss, stay markers."""
        return tuple(self._vocabulary.tokenize(text, add_special=False, parse_special=False)) if text else ()

    def tokenize_literally(self, text: str) -> tuple[int, ...]:
        """Tokenizes text of others, in which all markers stay text."""
        return tuple(self._vocabulary.tokenize_literally(text)) if text else ()

    def tokenize_form(self, text: str) -> Sequence[int]:
        """Tokenizes a part of an answer, in which control tokens are recognized."""
        return self._vocabulary.tokenize(text, add_special=False, parse_special=True)

    def count_tokens(self, text: str) -> int:
        return len(self.tokenize_text(text))

    def build(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] | None = None,
        variables: Mapping[str, object] | None = None,
    ) -> tuple[int, ...]:
        prompt = self._render(messages, tools, variables)
        if not any(message.media for message in messages):
            return tuple(tokenize_prompt(self._vocabulary, prompt))
        texts, media = self._markers.split(prompt, messages)
        tokens = tokenize_with_rows(self._vocabulary, texts, list(map(self._media_tokens, media)))
        if tokens[-1] <= FIRST_PICTURE:
            raise TemplateError(
                "The model's chat template ends with the picture or recording.", "Choose another model."
            )
        return tuple(tokens)

    def render(
        self,
        messages: Sequence[Message],
        tools: Sequence[Tool] | None = None,
        variables: Mapping[str, object] | None = None,
    ) -> str:
        """The same as text."""
        return self._markers.shown(self._render(messages, tools, variables).text)

    def _render(
        self, messages: Sequence[Message], tools: Sequence[Tool] | None, variables: Mapping[str, object] | None
    ) -> PromptText:
        for message in messages:
            for each in message.media:
                self._require_encoder(each)
        return self._template.prompt(self._markers.mark(messages), tools=tools, variables=variables)

    @property
    def sees_pictures(self) -> bool:
        return self._projector is not None and self._projector.sees

    @property
    def hears_recordings(self) -> bool:
        return self._projector is not None and self._projector.hears

    @cached_property
    def _projector(self) -> "Projector | None":
        return read_projector(self._encoder.path) if self._encoder is not None else None

    def count_message(self, message: Message) -> int:
        """Its text, its pictures and its recordings."""
        media = list(map(self._media_tokens, message.media))
        calls = sum(self.count_tokens(call.name + call.arguments) for call in message.tool_calls)
        return self.count_tokens(message.content) + calls + sum(map(len, media))

    def count_tool(self, tool: Tool) -> int:
        """Its description."""
        return self.count_tokens(json.dumps(tool, ensure_ascii=False))

    def _media_tokens(self, media: Media) -> tuple[int, ...]:
        return self._require_encoder(media).tokens(media)

    def _require_encoder(self, media: Media) -> MediaEncoder:
        encoder, projector, name = self._encoder, self._projector, self._name
        if isinstance(media, Recording):
            if encoder is None or projector is None or not projector.hears:
                raise deaf_error(name)
            require_length(media, projector.most_seconds, name)
        elif encoder is None or projector is None or not projector.sees:
            raise blind_error(name)
        return encoder
