"""Names the decoding methods of a benchmark for tables and sentences."""

from specchat.domain.benchmark import AUTO_POLICY, TREE_POLICY, BenchMethod
from specchat.domain.translatable_text import TranslatableText

PEER = "llama-server"


def method_name(method: BenchMethod) -> str:
    """Names a method without its models."""
    if method.engine:
        return method.engine
    if method.peer is not None:
        return _peer_name(method.draft_max)
    if method.is_plain:
        return "plain"
    length = method.policy if method.draft_max is None else f"K={method.draft_max}"
    if method.draft_max is not None and method.policy != AUTO_POLICY:
        length += f" {method.policy}"
    return length if method.draft_type in ("auto", "model") else f"{method.draft_type} {length}"


def full_method_name(method: BenchMethod) -> TranslatableText:
    models = method.target.stem if method.draft is None else f"{method.target.stem} + {method.draft.stem}"
    if method.engine:
        models = method.engine
    if method.peer is not None:
        models += f", {PEER}"
    elif method.draft_max != 0 and method.draft_type not in ("auto", "model"):
        models += f", {method.draft_type}"
    return TranslatableText("{way} ({models})", way=draft_length_phrase(method), models=models)


def draft_length_phrase(method: BenchMethod) -> TranslatableText:
    """Names the number of guesses within a sentence."""
    if method.engine or (method.peer is not None and method.draft_max is None):
        return TranslatableText("default settings")
    if method.draft_max is None and method.policy != AUTO_POLICY:
        return TranslatableText("policy {name}", name=method.policy)
    if method.policy == TREE_POLICY:
        return TranslatableText("up to {n} guesses, as a tree", n=method.draft_max)
    return guess_count_phrase(method.draft_max)


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
