"""specchat fit TARGET [DRAFT]"""

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.cli import App
from specchat.cli.argument_types import integer_in_range
from specchat.cli.device_options import add_device_options, place_draft, place_target
from specchat.cli.exit_codes import NEGATIVE_ANSWER
from specchat.cli.model_options import (
    CACHE_TYPE_HELP,
    HUB_MODEL_HELP,
    add_context_option,
    add_layer_options,
    add_picture_options,
    mmproj_settings,
)
from specchat.cli.option_notes import note_larger_draft, note_rpc, note_small_context
from specchat.cli.output import add_json, end_progress, print_note, show_progress, write_json, write_output
from specchat.cli.parser import format_examples
from specchat.cli.planned_devices import add_planned_devices
from specchat.cli.quantities import format_size
from specchat.domain.cancel_token import CancelToken
from specchat.domain.compute_settings import MOST_SLOTS
from specchat.domain.drafter_types import EARLY_EXIT
from specchat.domain.memory import MemoryBreakdown
from specchat.domain.types import CacheType, Device, ModelSettings, PairChoice
from specchat.services.memory.measurable_files import open_measurable_pair
from specchat.services.memory.settings_suggestion import without_draft
from specchat.services.models.head_lookup import require_answers
from specchat.services.models.model_files import compare_models, inspect_model, pin_reference, resolve_typed_path
from specchat.services.models.model_refs import ref_for_path
from specchat.services.models.pair_fit import DeviceFit, EstimateMethod, Fit, PairFit

if TYPE_CHECKING:
    from specchat.services.memory.fit_estimator import FitEstimator


class FitCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("target", metavar="TARGET", help=f"target model: {HUB_MODEL_HELP}")
        add("draft", metavar="DRAFT", nargs="?", help="draft model or head; demo includes its own")
        add("--draft-type", default="auto", metavar="TYPE", help="draft type, as in specchat chat (default: auto)")
        add_context_option(parser)
        types = [str(cache_type) for cache_type in CacheType]
        add("--kv", "--cache-type", dest="kv", choices=types, default="f16", help=CACHE_TYPE_HELP)
        add_layer_options(parser)
        add_picture_options(parser)
        slots = "number of simultaneous answers, as in specchat serve (default: 1)"
        add("-np", "--parallel", type=integer_in_range(1, MOST_SLOTS), default=1, metavar="N", help=slots)
        exact = "exact mode, in which each answer has a cache of its own"
        add("--exact", action="store_true", help=exact)
        add_device_options(parser, names=("-dev",))
        add_planned_devices(parser)
        add_json(parser)
        parser.epilog = format_examples(
            "specchat fit demo", "specchat fit TARGET.gguf DRAFT.gguf -c 16384 --device CPU=8G"
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        cancel = CancelToken()
        note_rpc(arguments.rpc)
        note_small_context(arguments.ctx_size)
        target, draft = _named(arguments, app, cancel)
        with open_measurable_pair(target, draft, app.hub, cancel) as files, closing(app.fit_estimator()) as fits:
            require_answers(files[0])
            note_larger_draft(*files)
            _note_strange_draft(*files, app, cancel)
            n_ctx_train = inspect_model(str(files[0]), app.hub, cancel).n_ctx_train
            answer = _answer(fits, _choice(*files, arguments), arguments.device, n_ctx_train)
        if arguments.json:
            write_json(_plain(answer))
        else:
            write_output("\n".join(_lines(answer)) + "\n")
        return NEGATIVE_ANSWER if answer.found.verdict is Fit.DOES_NOT_FIT else 0


def _named(arguments: argparse.Namespace, app: App, cancel: CancelToken) -> tuple[str, str | None]:
    target = pin_reference(arguments.target, app.hub, cancel)
    draft = pin_reference(arguments.draft, app.hub, cancel) if arguments.draft else None
    if arguments.draft_type == EARLY_EXIT:
        file = None if draft is None else resolve_typed_path(draft)
        draft = str(app.early_exits().require(resolve_typed_path(target), file))
    return target, draft


def _note_strange_draft(target: Path, draft: Path | None, app: App, cancel: CancelToken) -> None:
    if draft is not None and not compare_models(str(target), str(draft), app.hub, cancel).is_possible:
        print_note("Note: This draft doesn't work with this target. To see why, run: specchat compat")


@dataclass(frozen=True, slots=True)
class _Answer:
    found: PairFit
    n_ctx_train: int | None
    better: PairChoice | None = None
    """Settings with which it fits."""
    alone: PairChoice | None = None
    """Where none do: those with which the target fits without its draft."""
    n_slots: int = 1
    """Answers at once."""
    slots_reason: str = ""
    """Why no more, where more were wanted."""


def _answer(fits: "FitEstimator", choice: PairChoice, machine: Sequence[Device], n_ctx_train: int | None) -> _Answer:
    from specchat.services.memory.slot_fit import fit_slots

    slots = fit_slots(choice, lambda each: fits.fit(each, machine))
    choice = slots.choice
    answer = _Answer(slots.found, n_ctx_train, n_slots=slots.n_slots, slots_reason=slots.reason)
    if answer.found.verdict is not Fit.DOES_NOT_FIT:
        return answer
    try:
        show_progress("Looking for settings that fit", 0)
        if better := fits.suggest(choice, machine):
            return replace(answer, better=better)
        without = without_draft(choice)
        if without is None or fits.fit(without, machine).verdict is not Fit.DOES_NOT_FIT:
            return replace(answer, alone=without)
        return replace(answer, alone=fits.suggest(without, machine))
    finally:
        end_progress()


def _choice(target: Path, draft: Path | None, arguments: argparse.Namespace) -> PairChoice:
    common = ModelSettings(cache_type=CacheType(arguments.kv), slots=arguments.parallel, exact=arguments.exact)
    mmproj, text_only = mmproj_settings(arguments)
    on_target = replace(common, n_ctx=arguments.ctx_size, mmproj=mmproj, text_only=text_only)
    return PairChoice(
        ref_for_path(target),
        None if draft is None else ref_for_path(draft),
        place_target(on_target, arguments),
        place_draft(common, arguments),
        draft_type=arguments.draft_type,
    )


def _plain(answer: _Answer) -> dict[str, object]:
    found = answer.found
    return {
        "devices": [_plain_device(device) for device in found.devices],
        "verdict": found.verdict,
        "method": "formula" if found.method is EstimateMethod.FORMULA else "engine",
        "n_ctx": found.n_ctx,
        "n_ctx_train": answer.n_ctx_train,
        "n_slots": answer.n_slots,
        "slots_reason": answer.slots_reason or None,
        "suggestion": _suggestion(answer.better) if answer.better else None,
        "without_draft": _suggestion(answer.alone) if answer.alone else None,
        "beyond_estimate": found.beyond_estimate,
    }


def _plain_device(device: DeviceFit) -> dict[str, object]:
    return asdict(device) | {"needed": device.needed, "other": device.other}


def _suggestion(better: PairChoice) -> dict[str, object]:
    settings = better.target_settings
    return {
        "n_ctx": settings.n_ctx,
        "ngl": settings.gpu_layers,
        "ngld": better.draft_settings.gpu_layers,
        "kv": settings.cache_type,
        "np": settings.n_slots,
    }


def _lines(answer: _Answer) -> list[str]:
    found = answer.found
    lines = [line for device in found.devices for line in _device_lines(device)]
    if answer.slots_reason:
        lines.append(f"Answers at once: {answer.n_slots}, because {answer.slots_reason}.")
    if found.method is EstimateMethod.FORMULA:
        lines.append("Estimated with a formula because llama.cpp didn't report its memory needs.")
    if found.beyond_estimate is not None:
        differs = (
            "less than estimated"
            if found.beyond_estimate < 0
            else "more than estimated, which the figures above include"
        )
        lines.append(f"The last load took {format_size(abs(found.beyond_estimate))} {differs}.")
    if answer.n_ctx_train and found.n_ctx > answer.n_ctx_train:
        lines.append(
            f"The target was trained for a context of {answer.n_ctx_train:,} tokens. "
            f"With a context of {found.n_ctx:,}, answers may get worse in long chats."
        )
    return [*lines, *_advice(answer)]


def _advice(answer: _Answer) -> list[str]:
    if answer.found.verdict is not Fit.DOES_NOT_FIT:
        return []
    if answer.better:
        return [f"Fits with {_options(answer.better, answer.n_slots)}."]
    if answer.alone:
        options = _options(answer.alone, answer.n_slots)
        return [f"Fits without the draft, with {options}." if options else "Fits without the draft."]
    return ["No settings make it fit. Choose a smaller model."]


def _device_lines(device: DeviceFit) -> list[str]:
    lines = [f"{device.name}: {device.verdict}, needs {format_size(device.needed)} of {format_size(device.free)} free"]
    parts = [(name, parts) for name, parts in (("target", device.target), ("draft", device.draft)) if parts.total]
    lines += [f"  {name}: {_parts(each)}" for name, each in parts]
    return [*lines, f"  other programs: {format_size(device.other)} of {format_size(device.total)}"]


def _parts(parts: MemoryBreakdown) -> str:
    """In the window's words."""
    words = {"weights": parts.weights, "KV cache": parts.kv, "compute buffers": parts.compute + parts.output}
    return ", ".join(f"{name} {format_size(count)}" for name, count in words.items() if count)


def _options(better: PairChoice, n_slots: int) -> str:
    """As they are written here, but for what they are anyway."""
    values = _suggestion(better) | ({"ngld": None} if better.draft is None else {})
    options = {"n_ctx": "-c", "ngl": "-ngl", "ngld": "-ngld", "kv": "--kv", "np": "-np"}
    usual = {"kv": CacheType.F16, "np": n_slots}
    written = ((options[name], value) for name, value in values.items() if value not in (None, usual.get(name)))
    return " ".join(f"{option} {value}" for option, value in written)
