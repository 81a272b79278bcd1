"""Checks from the headers whether models can roll back rejected guesses."""

from collections.abc import Iterator

from specchat.domain.translatable_text import TranslatableText
from specchat.gguf.header import Header
from specchat.gguf.reasons import Reason
from specchat.gguf.shape import recurrent_layers


def rollback_obstacles(target: Header, draft: Header) -> Iterator[Reason]:
    """A target with some layers that keep a cache can: llama.cpp keeps snapshots of the others' states."""
    of_target, of_draft = recurrent_layers(target), recurrent_layers(draft)
    if of_target and all(of_target):
        yield Reason(
            "target-rollback",
            TranslatableText("The target is a recurrent model that can't roll back tokens, so speculation is off."),
        )
    if any(of_draft):
        said = TranslatableText("The draft is a recurrent model that can't roll back tokens, so it is not used.")
        yield Reason("draft-rollback", said)
