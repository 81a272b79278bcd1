"""Constants of a llama.cpp context, shared by the loader and the memory estimate."""

DEFAULT_CONTEXT = 4096
"""At most, where none is chosen."""
CONTEXT_STEP = 256
"""llama.cpp rounds contexts up to a multiple of it."""
BATCH = 512
"""Tokens that are computed together."""
DRAFT_BATCH_ON_CPU = 128
HEAD_BATCH = 64
"""Rows of a head: larger batches would take more memory for logits than the head itself."""
STATES_KEPT = 512
"""Hidden states of so many of the latest tokens are kept until a head reads them, and as many may come on top."""
MOST_SNAPSHOTS = 8
"""Of a recurrent state, to return to; llama.cpp makes them where other layers have a cache."""
MOST_BRANCHES = 8
"""Of a tree of guesses."""


def whole_context(tokens: int) -> int:
    return -(-tokens // CONTEXT_STEP) * CONTEXT_STEP
