"""Builds the prompt for infill, in llama.cpp's layout."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from specchat.backends.vocabulary import GapTokens
from specchat.domain.completions import InfillPrompt, TextFile
from specchat.domain.errors import IncapableError
from specchat.services.generation.loaded_pair import LoadedPair

_BATCH = 2048
"""Tokens of the text around the gap, as in llama-server: three quarters before the gap, one quarter after it."""
_PER_TOKEN = 64
"""Characters per token of the context. Of a longer text, only the part nearest to the gap is processed."""
_REPOSITORY = "myproject\n"
_FILE = "filename\n"
_BETWEEN_FILES = "\n\n--- snippet ---\n\n"
_LEAST_ROOM = 16
_LONGEST_NAME = 1_000


@dataclass(frozen=True, slots=True)
class GapPrompt:
    tokens: tuple[int, ...]
    text: tuple[int, ...]
    """All tokens in the order of the text: files, the text after the gap, the text before it."""


def build_gap_prompt(pair: LoadedPair, gap: InfillPrompt, max_tokens: int | None) -> GapPrompt:
    marks = pair.target.vocabulary.gap_tokens
    if marks is None:
        raise IncapableError(
            "This model doesn't support infill: it has no fill-in-the-middle tokens.",
            "Load a model for code, such as Qwen2.5-Coder.",
        )
    longest = _PER_TOKEN * pair.target.n_ctx
    before = pair.prompts.tokenize_text(gap.prefix[-longest:])
    behind = pair.prompts.tokenize_text(gap.suffix[:longest])
    begun = pair.prompts.tokenize_text(gap.begun)
    files = [(file.name, pair.prompts.tokenize_text(file.text)) for file in _latest(gap.files, longest)]
    n_predicted = max_tokens or 0
    batch = max(0, min(_BATCH, pair.target.n_ctx - n_predicted - len(begun) - _LEAST_ROOM))
    taken_before = before[max(0, len(before) - 3 * (batch // 4)) :]
    taken_behind = behind[: max(0, batch // 4 - (2 + len(begun)))]
    extra = _extra(pair, marks, files)
    n_extra = max(0, pair.target.n_ctx - _BATCH - 2 * n_predicted)
    tokens = (
        *extra[max(0, len(extra) - n_extra) :],
        *pair.target.vocabulary.added_before(),
        marks.prefix,
        *taken_before,
        *begun,
        marks.suffix,
        *taken_behind,
        marks.middle,
    )
    text = [token for _, content in files for token in content]
    return GapPrompt(tokens, (*text, *behind, *before, *begun))


def _latest(files: Sequence[TextFile], longest: int) -> list[TextFile]:
    """Returns as many of the last files as there is room for, and the end of the file before them."""
    kept, room = list[TextFile](), longest
    for file in reversed(files):
        if room <= 0:
            break
        kept.append(TextFile(file.name[:_LONGEST_NAME], file.text[-room:]))
        room -= len(file.name) + len(file.text)
    return kept[::-1]


def _extra(pair: LoadedPair, marks: GapTokens, files: Sequence[tuple[str, tuple[int, ...]]]) -> tuple[int, ...]:
    return tuple(_with_names(pair, marks, files))


def _with_names(pair: LoadedPair, marks: GapTokens, files: Sequence[tuple[str, tuple[int, ...]]]) -> Iterator[int]:
    if marks.repository is not None:
        yield marks.repository
        yield from pair.prompts.tokenize_text(_REPOSITORY)
    for name, content in files:
        if marks.file is None:
            yield from pair.prompts.tokenize_text(_BETWEEN_FILES)
        else:
            yield marks.file
            yield from pair.prompts.tokenize_text(f"{name}\n")
        yield from content
    if marks.file is not None:
        yield marks.file
        yield from pair.prompts.tokenize_text(_FILE)
