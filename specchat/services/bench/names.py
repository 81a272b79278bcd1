"""What the ways of a benchmark are called."""

from specchat.domain.benchmarking import Way
from specchat.domain.said import Said

PEER = "llama-server"


def way_name(way: Way) -> str:
    """Without the models, which stand beside it."""
    if way.peer is not None:
        return _peer_name(way.draft_max)
    if way.is_plain:
        return "plain"
    length = "auto" if way.draft_max is None else f"K={way.draft_max}"
    return length if way.draft_type in ("auto", "model") else f"{way.draft_type} {length}"


def full_name(way: Way) -> Said:
    models = way.target.stem if way.draft is None else f"{way.target.stem} + {way.draft.stem}"
    if way.peer is not None:
        models += f", {PEER}"
    elif way.draft_max != 0 and way.draft_type not in ("auto", "model"):
        models += f", {way.draft_type}"
    return Said("{way} ({models})", way=spoken_length(way), models=models)


def spoken_length(way: Way) -> Said:
    """As the window says it, in the middle of a sentence."""
    if way.peer is not None and way.draft_max is None:
        return Said("as it comes")
    return spoken_guesses(way.draft_max)


def spoken_guesses(draft_max: int | None) -> Said:
    match draft_max:
        case None:
            return Said("auto")
        case 0:
            return Said("plain decoding")
        case 1:
            return Said("up to 1 guess")
        case n:
            return Said("up to {n} guesses", n=n)


def _peer_name(draft_max: int | None) -> str:
    if draft_max is None:
        return f"{PEER} default"
    return f"{PEER} K={draft_max}" if draft_max else PEER
