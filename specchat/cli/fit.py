"""specchat fit TARGET [DRAFT]"""

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.cli import App
from specchat.cli.amounts import size
from specchat.cli.exit_codes import NO
from specchat.cli.model_options import CACHE, MODEL_ANYWHERE, add_context, add_layers
from specchat.cli.notes import note_larger_draft, note_small_context
from specchat.cli.output import add_json, end_progress, note, show_progress, write, write_json
from specchat.cli.parser import examples
from specchat.cli.planned_devices import add_planned_devices
from specchat.domain.cancel import CancelToken
from specchat.domain.memory import MemoryParts
from specchat.domain.types import CacheType, Device, ModelSettings, PairChoice
from specchat.services.memory.measurable import measurable_pair
from specchat.services.memory.suggestion import alone
from specchat.services.models.model_files import compare, inspect, pinned
from specchat.services.models.model_refs import ref_of
from specchat.services.models.pair_values import DeviceFit, Fit, Method, PairFit

if TYPE_CHECKING:
    from specchat.services.memory.fit import Fits


class FitCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("target", metavar="TARGET", help=f"the model that answers: {MODEL_ANYWHERE}")
        add("draft", metavar="DRAFT", nargs="?", help="the model that guesses; demo brings its own")
        add_context(parser)
        types = [str(cache_type) for cache_type in CacheType]
        add("--kv", "--cache-type", dest="kv", choices=types, default="f16", help=CACHE)
        add_layers(parser)
        add_planned_devices(parser)
        add_json(parser)
        parser.epilog = examples("specchat fit demo", "specchat fit TARGET.gguf DRAFT.gguf -c 16384 --device CPU=8G")

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        cancel = CancelToken()
        note_small_context(arguments.ctx_size)
        target = pinned(arguments.target, app.hub, cancel)
        draft = pinned(arguments.draft, app.hub, cancel) if arguments.draft else None
        with measurable_pair(target, draft, app.hub, cancel) as files, closing(app.fits()) as fits:
            note_larger_draft(*files)
            _note_strange_draft(*files, app, cancel)
            n_ctx_train = inspect(str(files[0]), app.hub, cancel).n_ctx_train
            answer = _answer(fits, _choice(*files, arguments), arguments.device, n_ctx_train)
        if arguments.json:
            write_json(_plain(answer))
        else:
            write("\n".join(_lines(answer)) + "\n")
        return NO if answer.found.verdict is Fit.DOES_NOT_FIT else 0


def _note_strange_draft(target: Path, draft: Path | None, app: App, cancel: CancelToken) -> None:
    if draft is not None and not compare(str(target), str(draft), app.hub, cancel).is_possible:
        note("Note: This draft cannot guess for this target; `specchat compat` says why.")


@dataclass(frozen=True, slots=True)
class _Answer:
    found: PairFit
    n_ctx_train: int | None
    better: PairChoice | None = None
    """Settings with which it fits."""
    alone: PairChoice | None = None
    """Where none do: those with which the target fits without its draft."""


def _answer(fits: "Fits", choice: PairChoice, machine: Sequence[Device], n_ctx_train: int | None) -> _Answer:
    answer = _Answer(fits.fit(choice, machine), n_ctx_train)
    if answer.found.verdict is not Fit.DOES_NOT_FIT:
        return answer
    try:
        show_progress("Looking for settings that fit", 0)
        if better := fits.suggest(choice, machine):
            return replace(answer, better=better)
        without = alone(choice)
        if without is None or fits.fit(without, machine).verdict is not Fit.DOES_NOT_FIT:
            return replace(answer, alone=without)
        return replace(answer, alone=fits.suggest(without, machine))
    finally:
        end_progress()


def _choice(target: Path, draft: Path | None, arguments: argparse.Namespace) -> PairChoice:
    common = ModelSettings(cache_type=CacheType(arguments.kv))
    return PairChoice(
        ref_of(target),
        None if draft is None else ref_of(draft),
        replace(common, n_ctx=arguments.ctx_size, gpu_layers=arguments.gpu_layers),
        replace(common, gpu_layers=arguments.gpu_layers_draft),
    )


def _plain(answer: _Answer) -> dict[str, object]:
    found = answer.found
    return {
        "devices": [_plain_device(device) for device in found.devices],
        "verdict": found.verdict,
        "method": found.method,
        "n_ctx": found.n_ctx,
        "n_ctx_train": answer.n_ctx_train,
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
    }


def _lines(answer: _Answer) -> list[str]:
    found = answer.found
    lines = [line for device in found.devices for line in _device_lines(device)]
    if found.method is Method.FORMULA:
        lines.append("Estimated by a formula: llama.cpp could not be asked.")
    if found.beyond_estimate is not None:
        differs = "less than the estimate" if found.beyond_estimate < 0 else "beyond the estimate, and that is counted"
        lines.append(f"The last load took {size(abs(found.beyond_estimate))} {differs}.")
    if answer.n_ctx_train and found.n_ctx > answer.n_ctx_train:
        lines.append(
            f"The target was trained for {answer.n_ctx_train:,} tokens: with a context of {found.n_ctx:,}, "
            "long conversations may go wrong."
        )
    return [*lines, *_advice(answer)]


def _advice(answer: _Answer) -> list[str]:
    if answer.found.verdict is not Fit.DOES_NOT_FIT:
        return []
    if answer.better:
        return [f"It fits with {_options(answer.better)}."]
    if answer.alone:
        options = _options(answer.alone)
        return [f"It fits without the draft, with {options}." if options else "It fits without the draft."]
    return ["No settings make it fit: choose a smaller model."]


def _device_lines(device: DeviceFit) -> list[str]:
    lines = [f"{device.name}: {device.verdict}, needs {size(device.needed)}, {size(device.free)} are free"]
    parts = [(name, parts) for name, parts in (("target", device.target), ("draft", device.draft)) if parts.total]
    lines += [f"  {name}: {_parts(each)}" for name, each in parts]
    return [*lines, f"  other programs: {size(device.other)} of {size(device.total)}"]


def _parts(parts: MemoryParts) -> str:
    """In the window's words."""
    words = {"weights": parts.weights, "cache": parts.kv, "computing": parts.compute + parts.output}
    return ", ".join(f"{name} {size(count)}" for name, count in words.items() if count)


def _options(better: PairChoice) -> str:
    """As they are written here, but for what they are anyway."""
    values = _suggestion(better) | ({"ngld": None} if better.draft is None else {})
    options = {"n_ctx": "-c", "ngl": "-ngl", "ngld": "-ngld", "kv": "--kv"}
    usual = {"kv": CacheType.F16}
    written = ((options[name], value) for name, value in values.items() if value not in (None, usual.get(name)))
    return " ".join(f"{option} {value}" for option, value in written)
