"""Names the decoding methods of a benchmark for tables and sentences."""

from specchat.domain.benchmark import BenchMethod
from specchat.domain.translatable_text import TranslatableText

PEER = "llama-server"


def method_name(way: BenchMethod) -> str:
    """Without the models, which stand beside it."""
    if way.peer is not None:
        return _peer_name(way.draft_max)
    if way.is_plain:
        return "plain"
    length = "auto" if way.draft_max is None else f"K={way.draft_max}"
    return length if way.draft_type in ("auto", "model") else f"{way.draft_type} {length}"


def full_method_name(way: BenchMethod) -> TranslatableText:
    models = way.target.stem if way.draft is None else f"{way.target.stem} + {way.draft.stem}"
    if way.peer is not None:
        models += f", {PEER}"
    elif way.draft_max != 0 and way.draft_type not in ("auto", "model"):
        models += f", {way.draft_type}"
    return TranslatableText("{way} ({models})", way=draft_length_phrase(way), models=models)


def draft_length_phrase(way: BenchMethod) -> TranslatableText:
    """As the window says it, in the middle of a sentence."""
    if way.peer is not None and way.draft_max is None:
        return TranslatableText("as it comes")
    return guess_count_phrase(way.draft_max)


def guess_count_phrase(draft_max: int | None) -> TranslatableText:
    match draft_max:
        case None:
            return TranslatableText("auto")
        case 0:
            return TranslatableText("plain decoding")
        case 1:
            return TranslatableText("up to 1 guess")
        case n:
            return TranslatableText("up to {n} guesses", n=n)


def _peer_name(draft_max: int | None) -> str:
    if draft_max is None:
        return f"{PEER} default"
    return f"{PEER} K={draft_max}" if draft_max else PEER
