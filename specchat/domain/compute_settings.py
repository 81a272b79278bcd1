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
"""The number of snapshots of a recurrent state, to which llama.cpp can return."""
MOST_BRANCHES = 8
"""The most branches of a tree of guesses."""
MOST_WINDOWS = 16
"""Branches of lookahead: as many n-grams as places in its window."""

MOST_SLOTS = 64
"""Answers at once."""
USUAL_SLOTS = 2
"""The same in the window, where nobody chose."""
SINGLE_TEXT_FACTS = ("attention.indexer.top_k", "ple.ngram_size")
"""One of them is in the header, after the architecture, of a model whose cache holds one text at a time."""
_OUTPUTS_OF_A_SLOT = 4
"""Logits of one pass, for each answer beside the first: with more of them, each guesses less."""


def most_outputs(max_draft: int, slots: int) -> int:
    """Of one pass."""
    return max_draft + 1 + _OUTPUTS_OF_A_SLOT * (slots - 1)


def whole_context(tokens: int) -> int:
    return -(-tokens // CONTEXT_STEP) * CONTEXT_STEP
