"""Long texts are tokenized in parts, and come to the same tokens as in one."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from support.ggufs import ModelRecipe, make_model
from support.vocabularies import COMMON_WORDS, END_OF_TEXT, TURN_END, TURN_START, BpeVocab, SpmVocab, Vocab

from specchat.backends import vocabulary
from specchat.backends.binding import llama
from specchat.backends.vocabulary import Vocabulary
from specchat.backends.weights import Weights
from specchat.domain.cancel_token import CancelToken
from specchat.domain.types import ModelSettings

USER_DEFINED = ("<tool_call>", "\n\n", "▁▁▁▁▁")
VOCABULARIES: tuple[Vocab, ...] = (
    BpeVocab(user_defined=USER_DEFINED),
    BpeVocab(add_bos=True, bos=TURN_START),
    SpmVocab(user_defined=USER_DEFINED),
    SpmVocab(add_bos=False),
)
PIECES = (
    *COMMON_WORDS.split(),
    TURN_START,
    TURN_END,
    END_OF_TEXT,
    *USER_DEFINED,
    " ",
    "  ",
    "\n",
    "▁",
    "<|im",
    "é",
    "世",
)


@pytest.fixture(params=VOCABULARIES, ids=lambda vocab: f"{type(vocab).__name__} {vocab.add_bos}")
def vocab(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Vocabulary]:
    path = make_model(tmp_path / "m.gguf", ModelRecipe(vocab=request.param))
    weights = Weights(path, ModelSettings(), CancelToken())
    yield weights.vocabulary
    weights.close()


def texts() -> Iterator[str]:
    random = Random(1)
    for n_kinds in (2, 5, len(PIECES), len(PIECES), len(PIECES)):
        kinds = random.sample(PIECES, n_kinds)
        yield "".join(random.choices(kinds, k=300))
    yield f"{TURN_START}user\nhi{TURN_END}\n" * 100
    yield TURN_END * 200
    yield "hello world " * 100


def test_parts_come_to_the_same_tokens(vocab: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in texts():
        for add_special in (True, False):
            for parse_special in (True, False):
                monkeypatch.setattr(vocabulary, "_PART", 1 << 30)
                whole = vocab.tokenize(text, add_special=add_special, parse_special=parse_special)
                monkeypatch.setattr(vocabulary, "_PART", 64)
                parts = vocab.tokenize(text, add_special=add_special, parse_special=parse_special)
                assert parts == whole


def test_many_markers_are_never_looked_at_together(vocab: Vocabulary, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each of them llama.cpp searches all of what it is given: 20,000 at once would take seconds."""
    sizes: list[int] = []
    tokenize = llama.llama_tokenize

    def counted(handle: object, data: bytes, size: int, *others: object) -> int:
        sizes.append(size)
        return int(tokenize(handle, data, size, *others))

    monkeypatch.setattr(llama, "llama_tokenize", counted)
    text = f"{TURN_START}user\nhi{TURN_END}\n" * 10_000
    tokens = vocab.tokenize(text, add_special=False, parse_special=True)
    assert len(tokens) >= 40_000
    assert max(sizes) <= 8192
    assert sum(sizes) < 1.1 * len(text)
