"""The values that a pair can be loaded with, in words: context, cache and layers on the GPU."""

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from specchat.domain.types import CacheType, PairChoice
from specchat.services.models.pair_fit import PairFit
from specchat.ui.words.number_format import format_number

translate = QCoreApplication.translate

DEFAULT_CONTEXT = 4096
_STEPS = tuple(1024 << power for power in range(11))
_LONGEST = _STEPS[-1]


def context_steps(longest: int | None, chosen: int) -> list[tuple[str, int]]:
    """Doubling up to what the model was trained for, and what is chosen already."""
    most = longest or _LONGEST
    steps = sorted({*(step for step in _STEPS if step < most), most, chosen})
    return [(format_tokens(step), step) for step in steps]


def usual_context(longest: int | None) -> int:
    """Where nobody chooses one."""
    return min(longest or DEFAULT_CONTEXT, DEFAULT_CONTEXT)


def cache_types() -> list[tuple[str, CacheType]]:
    return [
        (translate("LoadOptions", "f16 (full size)"), CacheType.F16),
        (translate("LoadOptions", "bf16 (full size)"), CacheType.BF16),
        (translate("LoadOptions", "q8_0 (half size)"), CacheType.Q8_0),
        (translate("LoadOptions", "q4_0 (quarter size)"), CacheType.Q4_0),
    ]


def format_tokens(count: int) -> str:
    return translate("LoadOptions", "{n} tokens").format(n=format_number(count))


def context_length_text(count: int) -> str:
    """What a model was trained for."""
    return translate("LoadOptions", "context up to {n} tokens").format(n=format_number(count))


def layer_count(wanted: int | None, of_all: int) -> int:
    """None, as below zero, stands for all of them."""
    return of_all if wanted is None or wanted < 0 else min(wanted, of_all)


def wanted_layers(count: int, of_all: int) -> int | None:
    return None if count == of_all else count


def with_context(choice: PairChoice, n_ctx: int) -> PairChoice:
    return replace(choice, target_settings=replace(choice.target_settings, n_ctx=n_ctx))


def with_cache_type(choice: PairChoice, cache_type: CacheType) -> PairChoice:
    """Both models have the same."""
    return replace(
        choice,
        target_settings=replace(choice.target_settings, cache_type=cache_type),
        draft_settings=replace(choice.draft_settings, cache_type=cache_type),
    )


def describe_changes(before: PairChoice, after: PairChoice, fit: PairFit) -> str:
    """What differs, in words."""
    words, was, now = [], before.target_settings, after.target_settings
    if now.n_ctx is not None and was.n_ctx is not None and now.n_ctx != was.n_ctx:
        said = translate("LoadOptions", "a context of {after} tokens instead of {before}")
        words.append(said.format(after=format_number(now.n_ctx), before=format_number(was.n_ctx)))
    if now.cache_type != was.cache_type:
        said = translate("LoadOptions", "a {after} KV cache instead of {before}")
        words.append(said.format(after=now.cache_type, before=was.cache_type))
    if now.n_slots != was.n_slots:
        said = translate("LoadOptions", "answers at once: {after} instead of {before}")
        words.append(said.format(after=now.n_slots, before=was.n_slots))
    said = translate("LoadOptions", "{after} of the target's {all} layers on the GPU")
    if now.gpu_layers != was.gpu_layers:
        words.append(said.format(after=layer_count(now.gpu_layers, fit.target_layers), all=fit.target_layers))
    said = translate("LoadOptions", "{after} of the draft's {all} layers on the GPU")
    wanted = after.draft_settings.gpu_layers
    if fit.draft_layers and wanted != before.draft_settings.gpu_layers:
        words.append(said.format(after=layer_count(wanted, fit.draft_layers), all=fit.draft_layers))
    *others, last = words or [""]
    if not others:
        return last
    return translate("LoadOptions", "{changes} and {last}").format(changes=", ".join(others), last=last)
