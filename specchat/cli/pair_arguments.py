"""The options that choose a pair, named as in llama.cpp."""

import argparse
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

from specchat.cli import App
from specchat.cli.argument_types import MAX_GUESSES, integer_in_range, parse_draft_length
from specchat.cli.device_options import add_device_options, place_draft, place_target
from specchat.cli.engine_arguments import add_engine_option
from specchat.cli.model_options import (
    CACHE_TYPE_HELP,
    MODEL_HELP,
    add_context_option,
    add_layer_options,
    add_picture_options,
    add_threads_option,
    mmproj_settings,
)
from specchat.cli.option_notes import (
    note_early_exit,
    note_flash_attention,
    note_large_context,
    note_larger_draft,
    note_many_threads,
    note_rpc,
    note_small_context,
)
from specchat.domain.types import CacheType, ModelSettings, PairChoice
from specchat.services.models.demo_pair import DEMO_GUESSES, demo_files
from specchat.services.models.model_files import resolve_pair
from specchat.services.models.model_refs import ref_for_path

_DRAFT = "draft model or head, or none to guess from earlier text only; demo includes its own"
_FLASH = "flash attention; required for quantized KV caches"
_FLASH_ATTENTION = {"auto": None, "on": True, "off": False}


def add_pair_arguments(parser: argparse.ArgumentParser, *, or_engine: bool = False, or_any_model: bool = False) -> None:
    """`or_engine`: another engine may answer instead. `or_any_model`: requests may choose the target."""
    models = parser.add_argument_group("models")
    add = models.add_argument
    is_required = not (or_engine or or_any_model)
    instead = "; without it, requests choose among the models on this computer" if or_any_model else ""
    add("-m", "--model", required=is_required, metavar="TARGET", help=f"target model: {MODEL_HELP}{instead}")
    if or_engine:
        add_engine_option(models)
    add("-md", "--model-draft", metavar="DRAFT", help=_DRAFT)
    add_picture_options(models)
    add_context_option(models)
    add_layer_options(models)
    add_device_options(models)
    add_threads_option(models)
    types = [str(cache_type) for cache_type in CacheType]
    add("--cache-type", choices=types, default="f16", help=CACHE_TYPE_HELP)
    add("-fa", "--flash-attn", choices=_FLASH_ATTENTION, default="auto", help=f"{_FLASH} (default: auto)")
    _add_guessing(parser.add_argument_group("speculation").add_argument)


def _add_guessing(add: Callable[..., object]) -> None:
    who = (
        "draft type: model (a second model), mtp, eagle3, dflash, dspark, medusa (a head, from -md or inside the "
        "target), early-exit (the target's first layers, made with specchat models early-exit), ngram (earlier text), "
        "lookahead (the target itself), none, an installed drafter, or auto: the draft or head and earlier text, "
        "whichever pays off (default: auto)"
    )
    add("--draft-type", default="auto", metavar="TYPE", help=who)
    most = f"guesses per pass, up to {MAX_GUESSES} (default: auto, as many as pay off; demo: {DEMO_GUESSES})"
    add("--draft-max", type=parse_draft_length, default=argparse.SUPPRESS, metavar="K|auto", help=most)
    size = "ngram: tokens to match, 2 to 4 (default: 2)"
    add("--ngram-size", type=integer_in_range(2, 4), default=2, metavar="N", help=size)
    matched = "ngram: maximum guesses per match, 4 to 64 (default: 64)"
    add("--ngram-tokens", type=integer_in_range(4, 64), default=64, metavar="N", help=matched)
    promise = "exactly the same answer with and without a draft; verified by a self-test"
    add("--exact", action="store_true", help=promise)


def pair_choice(arguments: argparse.Namespace, app: App) -> PairChoice:
    target, draft = _model_settings(arguments)
    target_file, draft_file = resolve_pair(arguments.model, arguments.model_draft or None)
    is_named, store = bool(arguments.model_draft), app.early_exits()
    draft_file = store.draft_for(arguments.draft_type, target_file, draft_file, is_named=is_named)
    _note_settings(arguments, target)
    note_early_exit(store.draft_at(target_file))
    note_large_context(arguments.ctx_size, target_file)
    note_larger_draft(target_file, draft_file)
    return PairChoice(
        target=ref_for_path(target_file),
        draft=None if draft_file is None else ref_for_path(draft_file),
        target_settings=target,
        draft_settings=draft,
        draft_type=arguments.draft_type,
        draft_max=_draft_max(arguments, target_file, draft_file),
        drafter_options=_drafter_options(arguments),
    )


def given_changes(arguments: argparse.Namespace) -> Callable[[PairChoice], PairChoice]:
    """To any pair: what differs from the defaults."""
    if arguments.mmproj is not None:
        raise argparse.ArgumentError(None, "--mmproj needs -m: it belongs to one target")
    target, draft = _model_settings(arguments)
    _note_settings(arguments, target)

    def changed(choice: PairChoice) -> PairChoice:
        choice = replace(
            choice,
            target_settings=_changed(choice.target_settings, target),
            draft_settings=_changed(choice.draft_settings, draft),
            draft_max=getattr(arguments, "draft_max", choice.draft_max),
            drafter_options={**choice.drafter_options, **_drafter_options(arguments)},
        )
        if arguments.draft_type == "auto":
            return choice
        return replace(choice, draft=None, draft_type=arguments.draft_type)

    return changed


def _changed(settings: ModelSettings, given: ModelSettings) -> ModelSettings:
    usual = ModelSettings()
    values = ((field.name, getattr(given, field.name), getattr(usual, field.name)) for field in fields(given))
    return replace(settings, **{name: value for name, value, default in values if value != default})


def _model_settings(arguments: argparse.Namespace) -> tuple[ModelSettings, ModelSettings]:
    """Of the target, of the draft."""
    common = ModelSettings(
        threads=arguments.threads,
        cache_type=CacheType(arguments.cache_type),
        flash_attention=_FLASH_ATTENTION[arguments.flash_attn],
        exact=arguments.exact,
    )
    mmproj, text_only = mmproj_settings(arguments)
    slots = getattr(arguments, "parallel", 1)
    target = replace(common, n_ctx=arguments.ctx_size, slots=slots, mmproj=mmproj, text_only=text_only)
    return place_target(target, arguments), place_draft(common, arguments)


def _note_settings(arguments: argparse.Namespace, target: ModelSettings) -> None:
    note_rpc(arguments.rpc)
    note_small_context(arguments.ctx_size)
    note_many_threads(arguments.threads)
    note_flash_attention(target.flash_attention, target.cache_type, exact=arguments.exact)


def _drafter_options(arguments: argparse.Namespace) -> dict[str, int]:
    return {"min_ngram_size": arguments.ngram_size, "num_pred_tokens": arguments.ngram_tokens}


def _draft_max(arguments: argparse.Namespace, target: Path, draft: Path | None) -> int | None:
    if "draft_max" in arguments:
        given: int | None = arguments.draft_max
        return given
    return DEMO_GUESSES if arguments.draft_type == "auto" and (target, draft) == demo_files() else None
