"""Suggests settings that make a pair fit into memory."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from specchat.domain.memory import CPU
from specchat.domain.types import CacheType, PairChoice
from specchat.services.models.pair_fit import Fit, PairFit

LONG, SHORT = 8192, 2048
"""Few conversations need more than the one; with less than the other there is hardly one."""

_SHORTEST = 512

EstimateFit = Callable[[PairChoice], PairFit]


def without_draft(choice: PairChoice) -> PairChoice | None:
    """The target without its draft; None: there is none."""
    return replace(choice, draft=None, draft_type="none") if choice.draft else None


def suggest_settings(choice: PairChoice, fit: EstimateFit) -> PairChoice | None:
    """The best settings that fit; None: no settings do.

    Given up in this order, each only when all before it is not enough:
    1. half of the cache's precision (q8_0), which answers do not show;
    2. answers at once, to half and half again, where each has a cache of its own;
    3. the context, to half and half again, down to 8192 tokens, beyond which few conversations go;
    4. layers on the GPU, which costs speed: the target's first, as the draft runs far more often; the draft's last;
    5. the context below that, down to 2048 tokens;
    6. the cache's precision once more (q4_0), which answers may show.
    Weights are never touched. What fits tightly is second to what fits.
    """
    tight = None
    for attempt in _attempts(choice, fit):
        match fit(attempt).verdict:
            case Fit.FITS:
                return attempt
            case Fit.TIGHT:
                tight = tight or attempt
    return tight


def suggest_context(choice: PairChoice, fit: EstimateFit) -> PairChoice:
    """With the longest context below the one asked for that fits, or the shortest where none does."""
    n_ctx, attempt = fit(choice).n_ctx, choice
    while n_ctx > _SHORTEST:
        n_ctx = _power_below(n_ctx)
        attempt = _long(choice, n_ctx)
        if fit(attempt).verdict is not Fit.DOES_NOT_FIT:
            break
    return attempt


def _attempts(choice: PairChoice, fit: EstimateFit) -> Iterator[PairChoice]:
    asked = fit(choice)
    n_ctx = asked.n_ctx
    smaller = choice
    if choice.target_settings.cache_type in (CacheType.F16, CacheType.BF16):
        smaller = _with_cache_type(choice, CacheType.Q8_0)
        yield smaller
    for fewer in _fewer_answers(smaller, fit):
        smaller = fewer
        yield smaller
    while n_ctx > LONG:
        n_ctx = _power_below(n_ctx)
        smaller = _long(smaller, n_ctx)
        yield smaller
    if any(device.name != CPU for device in asked.devices):
        yield _fewer_layers(smaller, fit)
    while n_ctx > SHORT:
        n_ctx = _power_below(n_ctx)
        smaller = _long(smaller, n_ctx)
        yield _fewer_layers(smaller, fit)
    if smaller.target_settings.cache_type is not CacheType.Q4_0:
        yield _fewer_layers(_with_cache_type(smaller, CacheType.Q4_0), fit)


def _fewer_answers(choice: PairChoice, fit: EstimateFit) -> Iterator[PairChoice]:
    n_slots = choice.target_settings.n_slots
    if n_slots == 1 or _cache_size(fit(_with_slots(choice, 1))) == _cache_size(fit(choice)):
        return
    while n_slots > 1:
        n_slots //= 2
        yield _with_slots(choice, n_slots)


def _cache_size(found: PairFit) -> int:
    return sum(device.target.kv + device.draft.kv for device in found.devices)


def _power_below(n_ctx: int) -> int:
    return 1 << ((n_ctx - 1).bit_length() - 1)


def _fewer_layers(choice: PairChoice, fit: EstimateFit) -> PairChoice:
    """As many as the GPUs have room for; the same where no GPU takes part."""
    asked = fit(choice)
    if _gpus_fit(asked):
        return choice

    def on_gpu(target: int, draft: int | None) -> PairChoice:
        attempt = replace(choice, target_settings=replace(choice.target_settings, gpu_layers=target))
        if draft is not None:
            attempt = replace(attempt, draft_settings=replace(attempt.draft_settings, gpu_layers=draft))
        return attempt

    most = _count_layers(choice.target_settings.gpu_layers, asked.target_layers)
    target = _largest(most, lambda n: _gpus_fit(fit(on_gpu(n, None))))
    if target is not None:
        return on_gpu(target, None)
    most = _count_layers(choice.draft_settings.gpu_layers, asked.draft_layers)
    return on_gpu(0, _largest(most, lambda n: _gpus_fit(fit(on_gpu(0, n)))) or 0)


def _largest(most: int, fits: Callable[[int], bool]) -> int | None:
    """Up to `most`; None: not even 0 does. What fits with some fits with fewer."""
    low, high = -1, most
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low if low >= 0 else None


def _gpus_fit(found: PairFit) -> bool:
    return all(device.verdict is Fit.FITS for device in found.devices if device.name != CPU)


def _count_layers(gpu_layers: int | None, all_layers: int) -> int:
    return all_layers if gpu_layers is None or gpu_layers < 0 else min(gpu_layers, all_layers)


def _with_cache_type(choice: PairChoice, cache_type: CacheType) -> PairChoice:
    return replace(
        choice,
        target_settings=replace(choice.target_settings, cache_type=cache_type),
        draft_settings=replace(choice.draft_settings, cache_type=cache_type),
    )


def _with_slots(choice: PairChoice, slots: int) -> PairChoice:
    return replace(choice, target_settings=replace(choice.target_settings, slots=slots))


def _long(choice: PairChoice, n_ctx: int) -> PairChoice:
    return replace(choice, target_settings=replace(choice.target_settings, n_ctx=n_ctx))
