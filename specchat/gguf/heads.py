"""Reads the kind of a head from its file and checks that it fits a target."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from specchat.domain.heads import HeadKind, HeadObstacle
from specchat.domain.translatable_text import TranslatableText, group_digits
from specchat.gguf.contradictions import TOKEN_EMBEDDING
from specchat.gguf.draft_kinds import ASSISTANT, draft_kind, is_draft_only
from specchat.gguf.file_errors import printable
from specchat.gguf.header import Header
from specchat.gguf.medusa_tensors import MEDUSA
from specchat.gguf.metadata import integer
from specchat.gguf.reasons import MAX_SIZE_DIFFERENCE, Reason
from specchat.gguf.string_array import StringArray

_ASSISTED = ("gemma4",)
_GIVES_LAYERS = frozenset(
    {
        "bailingmoe3",
        "deepseek4",
        "gemma4",
        "gpt-oss",
        "hunyuan_vl",
        "lfm2",
        "lfm2moe",
        "llama",
        "mimo2",
        "minimax-01",
        "minimax-m2",
        "muse-glimmer",
        "nanbeige",
        "nemotron_h",
        "nemotron_h_moe",
        "qwen3",
        "qwen35",
        "qwen35moe",
        "qwen3moe",
        "qwen3next",
        "qwen4exp",
    }
)
"""Architectures whose layers' inputs llama.cpp can hand out; with others it would abort."""
_EAGLE3_LAYERS = 3


@dataclass(frozen=True, slots=True)
class HeadFacts:
    kind: HeadKind
    is_own_file: bool
    """Otherwise it is a part of the target's file."""
    architecture: str
    width: int
    """Of its own layers."""
    target_width: int
    layers: tuple[int, ...]
    """Of the target, whose inputs it reads."""
    n_layers: int
    """Of an MTP head."""
    target_layers: int
    """Before those of an MTP head."""
    n_vocab: int


def read_head(header: Header) -> HeadFacts | None:
    kind = draft_kind(header)
    if kind is None:
        return None
    architecture = header.architecture or ""

    def number(key: str) -> int:
        return integer(header.metadata, f"{architecture}.{key}", header.name) or 0

    width, n_layers = number("embedding_length"), number("nextn_predict_layers")
    return HeadFacts(
        kind=HeadKind(kind),
        is_own_file=is_draft_only(header),
        architecture=architecture,
        width=width,
        target_width=number("target_hidden_size") or number("embedding_length_out") or width,
        layers=_layers(header, f"{architecture}.target_layers"),
        n_layers=n_layers,
        target_layers=number("block_count") - n_layers,
        n_vocab=_n_vocab(header),
    )


def head_obstacles(target: Header, draft: Header) -> Iterator[Reason]:
    """Beyond their tokens. The most telling first."""
    head = read_head(draft)
    if head is None or not head.is_own_file:
        return
    architecture = target.architecture or ""
    width = integer(target.metadata, f"{architecture}.embedding_length", target.name) or 0
    if read_head(target) is not None and is_draft_only(target):
        yield Reason(HeadObstacle.TARGET_IS_HEAD, TranslatableText("The target is a draft head and can't answer."))
        return
    if head.kind is HeadKind.MTP:
        yield from _mtp_obstacles(target, architecture, head)
    elif head.kind is HeadKind.MEDUSA:
        yield from _vocabulary_obstacle(_n_tokens(target), head)
    elif architecture not in _GIVES_LAYERS:
        yield Reason(
            HeadObstacle.NO_LAYER_STATES,
            TranslatableText(
                "It reads the target's hidden states, which llama.cpp can't extract from {architecture} models.",
                architecture=printable(architecture),
            ),
        )
    if width != head.target_width:
        yield Reason(
            HeadObstacle.WIDTH,
            TranslatableText(
                "It was made for a target with a hidden size of {head}, but this one has {target}.",
                head=group_digits(head.target_width),
                target=group_digits(width),
            ),
        )
    yield from _layer_obstacles(target, architecture, head)


def _vocabulary_obstacle(n_vocab: int, head: HeadFacts) -> Iterator[Reason]:
    """Its tokens have numbers but no texts: how many there are is all that can be compared."""
    if head.n_vocab and abs(head.n_vocab - n_vocab) > MAX_SIZE_DIFFERENCE:
        yield Reason(
            "vocabulary-size",
            TranslatableText(
                "It was made for a vocabulary of {head} tokens, but the target has {target}.",
                head=group_digits(head.n_vocab),
                target=group_digits(n_vocab),
            ),
        )


def _mtp_obstacles(target: Header, architecture: str, head: HeadFacts) -> Iterator[Reason]:
    if head.architecture == ASSISTANT:
        if architecture not in _ASSISTED:
            yield _other_family(head.architecture, architecture)
        return
    if head.architecture != architecture:
        yield _other_family(head.architecture, architecture)
        return
    own = integer(target.metadata, f"{architecture}.nextn_predict_layers", target.name) or 0
    n_layers = (integer(target.metadata, f"{architecture}.block_count", target.name) or 0) - own
    if n_layers != head.target_layers:
        yield Reason(
            HeadObstacle.DEPTH,
            TranslatableText(
                "It was made for a target with {head} layers, but this one has {target}.",
                head=head.target_layers,
                target=n_layers,
            ),
        )


def _n_tokens(target: Header) -> int:
    tokens = target.metadata.get("tokenizer.ggml.tokens")
    return len(tokens) if isinstance(tokens, StringArray) else 0


def _other_family(head: str, target: str) -> Reason:
    return Reason(
        HeadObstacle.FAMILY,
        TranslatableText(
            "It drafts for {head} models, but the target is a {target} model.",
            head=printable(head),
            target=printable(target),
        ),
    )


def _layer_obstacles(target: Header, architecture: str, head: HeadFacts) -> Iterator[Reason]:
    if not head.kind.reads_layers:
        return
    n_layers = integer(target.metadata, f"{architecture}.block_count", target.name) or 0
    if head.kind is HeadKind.EAGLE3 and len(head.layers) != _EAGLE3_LAYERS:
        yield Reason(
            HeadObstacle.LAYERS,
            TranslatableText("It lists {n} target layers, but EAGLE-3 heads read three.", n=len(head.layers)),
        )
    elif not head.layers:
        yield Reason(HeadObstacle.LAYERS, TranslatableText("It doesn't state which layers of its target it reads."))
    elif wrong := [layer for layer in head.layers if not 0 <= layer <= n_layers]:
        yield Reason(
            HeadObstacle.LAYERS,
            TranslatableText(
                "It reads layer {layer} of its target, which has only {n} layers.",
                layer=wrong[0],
                n=n_layers,
            ),
        )


def _layers(header: Header, key: str) -> tuple[int, ...]:
    value = header.metadata.get(key)
    items: Sequence[object] = value.tolist() if hasattr(value, "tolist") else ()  # type: ignore[union-attr]
    return tuple(item for item in items if isinstance(item, int))


def _n_vocab(header: Header) -> int:
    """Rows of its own embeddings or output; 0: it borrows the target's."""
    if header.architecture == MEDUSA:
        return integer(header.metadata, f"{MEDUSA}.vocab_size", header.name) or 0
    found = next((tensor for tensor in header.tensors if tensor.name == TOKEN_EMBEDDING), None)
    return found.shape[-1] if found is not None else 0
