"""Creates llama.cpp contexts: the cache and compute buffers of a loaded model."""

from typing import Any

from specchat.backends import library
from specchat.backends.binding import llama
from specchat.backends.cores import physical_cores
from specchat.backends.device_choice import all_on_cpu
from specchat.backends.weights import NO_REASON, Weights, first_error
from specchat.domain.compute_settings import (
    BATCH,
    DEFAULT_CONTEXT,
    DRAFT_BATCH_ON_CPU,
    HEAD_BATCH,
    MOST_SNAPSHOTS,
    most_outputs,
    whole_context,
)
from specchat.domain.embeddings import Pooling
from specchat.domain.errors import MemoryShortageError
from specchat.domain.heads import HeadKind
from specchat.domain.types import CacheType, ModelSettings

_CACHE_TYPES = {CacheType.F16: 1, CacheType.BF16: 30, CacheType.Q8_0: 8, CacheType.Q4_0: 2}
_MOST_TEXTS = 32


def make_context(weights: Weights, settings: ModelSettings) -> Any:
    return _made(weights, _params(weights, settings))


def make_head_context(
    weights: Weights, settings: ModelSettings, kind: HeadKind, target: Any, target_settings: ModelSettings
) -> Any:
    """`target`: the context whose states the head reads, and whose embeddings, output and cache it may use.

    Each answer has a cache of its own, unless the head reads that of the target, whose layout it needs then.
    """
    params = _params(weights, settings)
    if weights.shares_cache:  # flash attention uses another cache layout
        params.flash_attn_type = _params(weights, target_settings).flash_attn_type
    params.n_batch = params.n_ubatch = params.n_outputs_max = HEAD_BATCH
    params.n_rs_seq = 0
    slots = params.n_seq_max = settings.slots
    params.kv_unified = weights.shares_cache and slots > 1 and not target_settings.exact
    if not params.kv_unified:
        params.n_ctx *= slots
    params.ctx_other = target
    if kind is HeadKind.MTP:
        params.ctx_type = llama.LLAMA_CONTEXT_TYPE_MTP
    return _made(weights, params)


def make_pooling_context(weights: Weights, settings: ModelSettings, pooling: Pooling) -> Any:
    """Creates a context for texts that are read as a whole, several at once, each as a sequence."""
    params = _params(weights, settings)
    params.embeddings, params.pooling_type = True, int(pooling)
    size = params.n_ctx if _must_read_at_once(weights, pooling) else min(BATCH, params.n_ctx)
    params.n_batch = params.n_ubatch = size
    params.n_outputs_max = params.n_rs_seq = 0
    # Only one text at a time if recurrent states would have to be kept for each.
    params.n_seq_max, params.kv_unified = 1 if weights.is_recurrent else _MOST_TEXTS, True
    return _made(weights, params)


def _must_read_at_once(weights: Weights, pooling: Pooling) -> bool:
    """Whether a text must fit in one batch. Not if tokens see only earlier ones and only the last one is used."""
    return weights.looks_ahead or pooling not in (Pooling.LAST, Pooling.RANK)


def branch_limit(weights: Weights, settings: ModelSettings) -> int:
    """Returns the maximum number of branches. There is one sequence per branch if sequences can share cache cells."""
    is_shared = weights.has_plain_cache and not has_streams(weights, settings)
    return min(settings.branches, settings.max_draft + 1) if is_shared else 1


def slot_limit(weights: Weights, settings: ModelSettings) -> int:
    """Returns the maximum number of simultaneous answers."""
    return settings.slots if weights.keeps_texts_apart else 1


def has_streams(weights: Weights, settings: ModelSettings) -> bool:
    """Whether each answer has its own cache. In a common one, tokens may be stored in another order than in the text,
    and sums in another order round differently.
    """
    return settings.exact and slot_limit(weights, settings) > 1


def _made(weights: Weights, params: Any) -> Any:
    with library.capture_errors() as error_lines:
        context = llama.llama_init_from_model(weights.handle, params)
    if context:
        return context
    raise MemoryShortageError(
        "Can't create a context of {n} tokens for {name}: {reason}",
        "Use a smaller context (-c), a smaller cache type, or fewer GPU layers (-ngl).",
        name=weights.path.name,
        n=params.n_ctx,
        reason=first_error(list(error_lines)) or NO_REASON,
    )


def _params(weights: Weights, settings: ModelSettings) -> Any:
    params = llama.llama_context_default_params()
    # llama.cpp rounds up as well, but uses the smaller number as the batch limit, and aborts beyond it.
    params.n_ctx = whole_context(settings.n_ctx or min(weights.n_ctx_train, DEFAULT_CONTEXT))
    params.n_batch = BATCH
    reads_few = settings.guesses and all_on_cpu(settings)
    params.n_ubatch = DRAFT_BATCH_ON_CPU if reads_few else BATCH
    slots = slot_limit(weights, settings)
    params.n_seq_max = slots + branch_limit(weights, settings) - 1
    params.kv_unified = params.n_seq_max > 1
    params.n_outputs_max = most_outputs(settings.max_draft, slots)
    if has_streams(weights, settings):
        params.n_ctx, params.kv_unified = slots * params.n_ctx, False
    params.n_rs_seq = min(settings.max_draft, MOST_SNAPSHOTS) if weights.is_recurrent else 0
    params.n_threads = params.n_threads_batch = settings.threads or physical_cores()
    params.swa_full = False
    params.no_perf = True
    cache_type = settings.cache_type
    if settings.exact:
        cache_type = CacheType.BF16 if cache_type is CacheType.F16 else cache_type
    params.type_k = params.type_v = _CACHE_TYPES[cache_type]
    if reads_few:
        params.flash_attn_type = llama.LLAMA_FLASH_ATTN_TYPE_DISABLED
    if settings.flash_attention is not None:
        params.flash_attn_type = int(settings.flash_attention)
    if settings.exact or cache_type is not CacheType.F16:
        params.flash_attn_type = llama.LLAMA_FLASH_ATTN_TYPE_ENABLED
    return params
