"""specchat models pairs"""

import argparse
from dataclasses import asdict

from specchat.cli import App
from specchat.cli.output import write_json, write_output
from specchat.cli.parser import format_examples
from specchat.cli.planned_devices import add_planned_devices
from specchat.cli.quantities import format_size
from specchat.cli.text_table import format_entries, format_table, wrap_text
from specchat.domain.cancel_token import CancelToken
from specchat.domain.shell_quoting import quote_command
from specchat.services.drafts.draft_candidates import PairMember, PairOffer, PairOffers, SpeedupEstimate, TargetOffer
from specchat.services.drafts.ranking import describe_chat_speed, describe_measured_speed
from specchat.services.models.demo_pair import DEMO, DEMO_NAMES

_NUMBERS = ("needs", "speed", "download")
_LEGEND = (
    "SPEED is relative to the target alone. Tokens/s are with the draft. Both are estimates unless "
    "measured here (?: the target is too small for an estimate)."
)


class ModelsPairsCommand:
    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add_planned_devices(parser)
        parser.epilog = format_examples(
            "specchat models pairs", "specchat models pairs --device CPU=32G --device CUDA0=12G"
        )

    def run(self, arguments: argparse.Namespace, app: App) -> int:
        offers = app.offer_finder().find_offers(CancelToken(), arguments.device)
        if arguments.json:
            write_json(_plain(offers))
        else:
            write_output("\n".join(_lines(offers)) + "\n")
        return 0


def _plain(offers: PairOffers) -> dict[str, object]:
    return {
        "pairs": [_plain_pair(pair) for pair in offers.pairs],
        "alone": [asdict(offer) | {"target": _plain_side(offer.target)} for offer in offers.alone],
    }


def _plain_pair(pair: PairOffer) -> dict[str, object]:
    sides = {"target": _plain_side(pair.target), "draft": _plain_side(pair.draft)}
    return asdict(pair) | sides | {"to_download": pair.to_download}


def _plain_side(side: PairMember) -> dict[str, object]:
    return asdict(side) | {"reference": _reference(side)}


def _lines(offers: PairOffers) -> list[str]:
    """What commands take stands below each pair."""
    rows = format_table(("target", "memory", *_NUMBERS), [_row(pair) for pair in offers.pairs], _NUMBERS)
    lines = [*format_entries(rows, [_below(pair) for pair in offers.pairs]), "", *wrap_text(_LEGEND)]
    if offers.alone:
        rows = format_table(("model", "memory", "needs"), [_row_alone(each) for each in offers.alone], _NUMBERS)
        alone = format_entries(rows, [[quote_command(_typed(each.target))] for each in offers.alone])
        lines += ["", "Models without a draft (find one with specchat models drafts-for):", *alone]
    return lines


def _below(pair: PairOffer) -> list[str]:
    return [*_options(pair), *_seen(pair.expected), *_pace(pair), *wrap_text(pair.note or "")]


def _seen(expected: SpeedupEstimate) -> list[str]:
    if expected.in_chats:
        return [describe_chat_speed(expected.speedup)]
    return [describe_measured_speed(expected)] if expected.measured else []


def _pace(pair: PairOffer) -> list[str]:
    if pair.tokens_per_s is None:
        return []
    n = round(pair.tokens_per_s)
    return [f"about {n} tokens/s" if n > 1 else "about 1 token/s" if n else "less than 1 token/s"]


def _options(pair: PairOffer) -> list[str]:
    both = _typed(pair.target), _typed(pair.draft)
    if both == DEMO_NAMES[1:]:
        return [f"-m {DEMO}"]
    return [f"{option} {quote_command(name)}" for option, name in zip(("-m", "-md"), both, strict=True)]


def _row(pair: PairOffer) -> tuple[str, ...]:
    return (
        _name(pair.target),
        pair.fit,
        format_size(pair.needed),
        speedup_text(pair.expected),
        format_size(pair.to_download) if pair.to_download else "",
    )


def _row_alone(offer: TargetOffer) -> tuple[str, ...]:
    return _name(offer.target), offer.fit, format_size(offer.needed)


def speedup_text(expected: SpeedupEstimate) -> str:
    """Of so tiny a target an estimate says nothing."""
    return "?" if expected.tiny and not expected.in_chats else f"{expected.speedup:.1f}×"


def _name(side: PairMember) -> str:
    known = side.quantization and side.quantization.casefold() not in side.name.casefold()
    return f"{side.name} {side.quantization}" if known else side.name


def _typed(side: PairMember) -> str:
    return side.named or _reference(side)


def _reference(side: PairMember) -> str:
    """With the quantisation where the file is still to be chosen: `models pull` takes it so."""
    is_whole = side.here or ":" in side.reference
    return side.reference if is_whole else f"{side.reference}:{side.quantization}"
