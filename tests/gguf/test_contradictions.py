"""Headers whose kind of tokenizer does not go with the lists beside it; and those that look odd and are sound."""

from pathlib import Path

import pytest
from support.gguf_writer import Value
from support.ggufs import ModelRecipe, make_model
from support.tokenizer_kinds import MODEL, NAMES, tokenizers
from support.vocabularies import BpeVocab

from specchat.domain.errors import ModelFileError
from specchat.gguf.contradictions import LONGEST_TOKEN, Contradiction
from specchat.gguf.files import compare_files, read_model, require_consistent

BASES = tokenizers()
GOES_WITH = {
    "gpt2": {"gpt2", "hybriddna", "whitespace", "test"},
    "gemma4": {"gemma4", "gpt2", "hybriddna", "whitespace", "test"},
    "llama": {"llama", "t5", "plamo2", "test"},
    "t5": {"llama", "t5", "plamo2", "test"},
    "plamo2": {"llama", "t5", "plamo2", "test"},
    "bert": {"bert", "test"},
    "rwkv": {"rwkv", "test"},
}
"""By whose lists they are: the kinds that llama.cpp can make something of with them."""


def contradictions(path: Path) -> list[str]:
    return [problem for problem in read_model(path).problems if isinstance(problem, Contradiction)]


def changed(folder: Path, base: str, changes: dict[str, Value | None]) -> Path:
    return make_model(folder / "changed.gguf", ModelRecipe(n_layer=1), {**BASES[base], **changes})


@pytest.mark.parametrize("base", BASES)
def test_every_kind_with_the_lists_of_every_other(tmp_path: Path, base: str) -> None:
    sound = {kind for kind in NAMES if not contradictions(changed(tmp_path, base, {MODEL: kind}))}
    assert sound == GOES_WITH[base]


@pytest.mark.parametrize(
    ("base", "changes", "said"),
    [
        ("llama", {"tokenizer.ggml.scores": [0.0] * 1023}, "a score for each of its 1024 tokens, but it has 1023"),
        ("t5", {"tokenizer.ggml.scores": "none"}, "a score for each of its 1024 tokens, but it has 0"),
        ("t5", {"tokenizer.ggml.precompiled_charsmap": [1, 2]}, "character map is not a list of bytes"),
        ("gpt2", {"tokenizer.ggml.merges": "a b"}, "no merge rules"),
        ("gpt2", {"tokenizer.ggml.add_bos_token": True, "tokenizer.ggml.pre": "glm4"}, None),
        (
            "gpt2",
            {
                "tokenizer.ggml.add_bos_token": True,
                "tokenizer.ggml.pre": "glm4",
                "tokenizer.ggml.bos_token_id": 5000,
            },
            "a token at the start of the text but doesn't say which",
        ),
        ("gpt2", {"tokenizer.ggml.pre": "kimi-k2", "tokenizer.ggml.merges": None}, None),
    ],
)
def test_lists_that_do_not_hold_what_is_claimed(
    tmp_path: Path, base: str, changes: dict[str, Value | None], said: str | None
) -> None:
    found = contradictions(changed(tmp_path, base, changes))
    assert any(said in each for each in found) if said else not found


def test_escaped_bytes_of_rwkv(tmp_path: Path) -> None:
    """Each byte that a token begins with has to be one as well, however it is written."""
    texts = BASES["rwkv"]["tokenizer.ggml.tokens"]
    assert isinstance(texts, list)
    at = texts.index("\\x0a")
    for text, sound in (("\\n", True), ("\\xg0", False), ("\\x0", False), ("\\r\\n", False)):
        texts = [*texts[:at], text, *texts[at + 1 : -1], "\\x0a\\x0a"]
        found = contradictions(changed(tmp_path, "rwkv", {"tokenizer.ggml.tokens": texts}))
        assert not found if sound else "1 are missing (0x0A)" in found[0]


def test_endless_tokens(tmp_path: Path) -> None:
    for length, sound in ((LONGEST_TOKEN, True), (LONGEST_TOKEN + 1, False)):
        vocab = BpeVocab(replaced=((700, "x" * length),))
        path = make_model(tmp_path / "long.gguf", ModelRecipe(n_layer=1, vocab=vocab))
        assert contradictions(path) == ([] if sound else [f"One of its tokens is {length} bytes long."])


def test_what_contradicts_itself_is_neither_loaded_nor_compared(tmp_path: Path, tiny_llama: Path) -> None:
    path = changed(tmp_path, "gpt2", {MODEL: "rwkv"})
    for use in (lambda: require_consistent(path), lambda: compare_files(path, tiny_llama)):
        with pytest.raises(ModelFileError) as caught:
            use()
        assert caught.value.message.startswith("changed.gguf is inconsistent: Its tokenizer is of type rwkv,")
        assert caught.value.hint == "Download the file again."
    assert require_consistent(tiny_llama).problems == ()
