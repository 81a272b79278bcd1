"""specchat fit TARGET [DRAFT]"""

import argparse
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

from specchat.cli import App
from specchat.cli.numbers import integer
from specchat.cli.output import add_json, write, write_json
from specchat.cli.planned_devices import add_planned_devices
from specchat.domain.cancel import CancelToken
from specchat.domain.memory import Parts
from specchat.domain.types import CacheType, ModelSettings, PairChoice
from specchat.services.measurable import measurable_pair
from specchat.services.pair_values import DeviceFit, Fit, Method, PairFit

DOES_NOT_FIT = 3
_LAYERS = integer(-1, 10_000)


class FitCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("target", metavar="TARGET")
        add("draft", metavar="DRAFT", nargs="?")
        add("-c", "--ctx-size", type=integer(1, 1 << 24), metavar="N", help="context in tokens (default: up to 4096)")
        types = [str(cache_type) for cache_type in CacheType]
        add("--kv", choices=types, default="f16", help="type of the numbers in the cache (default: f16)")
        add("-ngl", "--gpu-layers", type=_LAYERS, metavar="N", help="target layers on the GPU (default: all)")
        add("-ngld", "--gpu-layers-draft", type=_LAYERS, metavar="N", help="draft layers on the GPU (default: all)")
        add_planned_devices(parser)
        add_json(parser)

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        files = measurable_pair(arguments.target, arguments.draft, app.hub, CancelToken())
        with files as (target, draft), closing(app.fits()) as fits:
            choice = _choice(target, draft, arguments)
            found = fits.fit(choice, arguments.device)
            does_not_fit = found.verdict is Fit.DOES_NOT_FIT
            better = fits.suggest(choice, arguments.device) if does_not_fit else None
        if arguments.json:
            write_json(_plain(found, better))
        else:
            write("\n".join(_lines(found, better)) + "\n")
        return DOES_NOT_FIT if does_not_fit else 0


def _choice(target: Path, draft: Path | None, arguments: argparse.Namespace) -> PairChoice:
    common = ModelSettings(cache_type=CacheType(arguments.kv))
    return PairChoice(
        target,
        draft,
        replace(common, n_ctx=arguments.ctx_size, gpu_layers=arguments.gpu_layers),
        replace(common, gpu_layers=arguments.gpu_layers_draft),
    )


def _plain(found: PairFit, better: PairChoice | None) -> dict[str, object]:
    return {
        "devices": [_plain_device(device) for device in found.devices],
        "verdict": found.verdict,
        "method": found.method,
        "n_ctx": found.n_ctx,
        "suggestion": _suggestion(better) if better else None,
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


def _lines(found: PairFit, better: PairChoice | None) -> list[str]:
    lines = [line for device in found.devices for line in _device_lines(device)]
    if found.method is Method.FORMULA:
        lines.append("Estimated by a formula: llama.cpp could not be asked.")
    if found.beyond_estimate is not None:
        lines.append(f"The last load took {found.beyond_estimate / 2**20:+.1f} MiB beyond the estimate.")
    if found.verdict is Fit.DOES_NOT_FIT:
        lines.append(
            f"It fits with {_options(better)}." if better else "It fits with no settings: choose a smaller model."
        )
    return lines


def _device_lines(device: DeviceFit) -> list[str]:
    lines = [f"{device.name}: {device.verdict}, {_gib(device.needed)} of {_gib(device.free)} free"]
    parts = [(name, parts) for name, parts in (("target", device.target), ("draft", device.draft)) if parts.total]
    lines += [f"  {name}: {_parts(each)}" for name, each in parts]
    return [*lines, f"  others: {_gib(device.other)} of {_gib(device.total)}"]


def _parts(parts: Parts) -> str:
    return ", ".join(f"{name} {_gib(size)}" for name, size in asdict(parts).items() if size)


def _options(better: PairChoice) -> str:
    values = _suggestion(better)
    options = {"n_ctx": "-c", "ngl": "-ngl", "ngld": "-ngld", "kv": "--kv"}
    return " ".join(f"{options[name]} {value}" for name, value in values.items() if value is not None)


def _gib(size: int) -> str:
    return f"{size / 2**30:.2f} GiB"
