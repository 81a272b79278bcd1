"""Whether models can take back tokens that were guessed wrongly, as far as their headers tell."""

from collections.abc import Iterator

from specchat.domain.said import Said
from specchat.gguf.header import Header
from specchat.gguf.reasons import Reason
from specchat.gguf.shape import recurrent_layers


def hindrances(target: Header, draft: Header) -> Iterator[Reason]:
    """A target with some layers that keep a cache can: llama.cpp keeps snapshots of the others' states."""
    of_target, of_draft = recurrent_layers(target), recurrent_layers(draft)
    if of_target and all(of_target):
        yield Reason(
            "target-rollback",
            Said("The target cannot take back tokens, so nothing is guessed: it is a recurrent model."),
        )
    if any(of_draft):
        said = Said("The draft cannot take back tokens, so it is not used: it is a recurrent model.")
        yield Reason("draft-rollback", said)
