from hashlib import sha256

import pytest
from support.gguf_bytes import I32, TOKENS, BytesSource, Value, array, gguf, model_metadata, string, strings

from specchat.domain.errors import ModelFileError
from specchat.gguf.header import read_header
from specchat.gguf.tokenizer import Tokenizer, TokenType, read_tokenizer


def tokenizer_of(changes: dict[str, Value | None]) -> Tokenizer:
    tokenizer = read_tokenizer(read_header(BytesSource(gguf(model_metadata(changes)))))
    assert tokenizer is not None
    return tokenizer


def test_what_the_file_says() -> None:
    tokenizer = tokenizer_of(
        {
            "tokenizer.ggml.bos_token_id": 4,
            "tokenizer.ggml.eos_token_id": 5,
            "tokenizer.ggml.add_bos_token": False,
            "tokenizer.ggml.add_eos_token": True,
            "tokenizer.ggml.pre": "default",
        }
    )
    assert (tokenizer.model, tokenizer.kind, tokenizer.pre) == ("llama", "spm", "default")
    assert (tokenizer.bos, tokenizer.eos, tokenizer.add_bos, tokenizer.add_eos) == (4, 5, False, True)
    assert list(tokenizer.texts) == [token.encode() for token in TOKENS]
    assert tokenizer.types[:4] == (TokenType.UNKNOWN, TokenType.CONTROL, TokenType.CONTROL, TokenType.BYTE)
    assert tokenizer.n_vocab == len(TOKENS)


def test_the_digest_is_of_the_tokens_alone() -> None:
    digest = sha256(b"".join(map(string, TOKENS))).hexdigest()
    assert tokenizer_of({}).sha256 == digest
    assert tokenizer_of({"tokenizer.ggml.model": "gpt2", "general.name": "other"}).sha256 == digest
    assert tokenizer_of({"tokenizer.ggml.tokens": [*TOKENS[:-1], "abd"]}).sha256 != digest
    assert tokenizer_of({"tokenizer.ggml.tokens": [*TOKENS[:-2], "bca", "bc"]}).sha256 != digest


def test_no_tokenizer_at_all() -> None:
    assert read_tokenizer(read_header(BytesSource(gguf(model_metadata({"tokenizer.ggml.model": None}))))) is None


def test_a_model_without_a_vocabulary() -> None:
    tokenizer = tokenizer_of({"tokenizer.ggml.model": "none", "llama.vocab_size": 77})
    assert (tokenizer.kind, tokenizer.n_vocab, tokenizer.texts) == ("none", 77, ())
    assert (tokenizer.bos, tokenizer.eos, tokenizer.add_bos) == (None, None, False)


def test_types_that_are_not_given_are_normal() -> None:
    assert set(tokenizer_of({"tokenizer.ggml.token_type": None}).types) == {TokenType.NORMAL}


def test_texts_end_at_a_zero_byte_and_empty_ones_get_a_name() -> None:
    texts = tokenizer_of({"tokenizer.ggml.tokens": [b"a", b"", b"b\0c", b"\0"], "tokenizer.ggml.scores": None}).texts
    assert texts == (b"a", b"[EMPTY_1]", b"b", b"[EMPTY_3]")


def test_special_tokens_outside_the_vocabulary_do_not_count() -> None:
    assert tokenizer_of({"tokenizer.ggml.bos_token_id": 500}).bos == 1
    assert tokenizer_of({"tokenizer.ggml.model": "bert"}).bos is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tokenizer.ggml.model": 3}, "tokenizer.ggml.model is not a string"),
        ({"tokenizer.ggml.pre": 3}, "tokenizer.ggml.pre is not a string"),
        ({"tokenizer.ggml.tokens": None}, "no list of tokens"),
        ({"tokenizer.ggml.tokens": array(I32, [1])}, "no list of tokens"),
        ({"tokenizer.ggml.token_type": array(I32, [1])}, "10 tokens but 1 token types"),
        ({"tokenizer.ggml.token_type": strings(["1"] * 10)}, "not a list of integers"),
        ({"tokenizer.ggml.bos_token_id": "1"}, "not an integer"),
        ({"tokenizer.ggml.add_bos_token": 1}, "not a boolean"),
    ],
)
def test_damage(changes: dict[str, Value | None], message: str) -> None:
    with pytest.raises(ModelFileError, match=message):
        tokenizer_of(changes)
