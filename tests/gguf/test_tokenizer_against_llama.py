"""llama.cpp loads the same vocabularies, and must see in them what the header reader sees."""

from pathlib import Path

import llama_cpp.llama_cpp as llama_cpp
import pytest
from support.gguf_bytes import TOKENS, Value, gguf, model_metadata, strings

from specchat.backends import library
from specchat.gguf.header import read_header
from specchat.gguf.source import FileSource
from specchat.gguf.tokenizer import Tokenizer, read_tokenizer

KINDS = {"none": 0, "spm": 1, "bpe": 2, "wpm": 3, "ugm": 4, "rwkv": 5, "plamo2": 6}
PRES = """
    default minicpm5 llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano deepseek-llm
    deepseek-coder deepseek-v3 falcon mpt starcoder gpt-2 phi-2 gigachat jina-v2-es a.x-4.0 mellum modern-bert gemma4
    granite-embed-multi-311m jina-v1-en roberta-bpe refact command-r qwen2 deepseek-r1-qwen qwen35 stablelm2 olmo
    smaug-bpe chatglm-bpe glm4 glm5 tekken smollm exaone exaone4 chameleon megrez gpt-4o llama4 bailingmoe kimi-k2
    grok-2 hunyuan seed-coder
"""


@pytest.fixture(scope="module", autouse=True)
def _started() -> None:
    library.start()


def as_seen_by_llama(path: Path) -> dict[str, object]:
    params = llama_cpp.llama_model_default_params()
    params.vocab_only = True
    model = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
    assert model, path
    vocab = llama_cpp.llama_model_get_vocab(model)
    kind = llama_cpp.llama_vocab_type(vocab)
    n_vocab = llama_cpp.llama_vocab_n_tokens(vocab)
    try:
        return {
            "kind": kind,
            "n_vocab": n_vocab,
            "bos": llama_cpp.llama_vocab_bos(vocab),
            "eos": llama_cpp.llama_vocab_eos(vocab),
            "add_bos": llama_cpp.llama_vocab_get_add_bos(vocab),
            "add_eos": llama_cpp.llama_vocab_get_add_eos(vocab),
            "texts": [llama_cpp.llama_vocab_get_text(vocab, token) for token in range(n_vocab if kind else 0)],
        }
    finally:
        llama_cpp.llama_model_free(model)


def as_seen_by_us(path: Path) -> dict[str, object]:
    tokenizer = read_tokenizer(read_header(FileSource(path)))
    assert isinstance(tokenizer, Tokenizer)
    return {
        "kind": KINDS[tokenizer.kind],
        "n_vocab": tokenizer.n_vocab,
        "bos": -1 if tokenizer.bos is None else tokenizer.bos,
        "eos": -1 if tokenizer.eos is None else tokenizer.eos,
        "add_bos": tokenizer.add_bos,
        "add_eos": tokenizer.add_eos,
        "texts": list(tokenizer.texts),
    }


def check(folder: Path, changes: dict[str, Value | None]) -> None:
    path = folder / "vocabulary.gguf"
    path.write_bytes(gguf(model_metadata({"tokenizer.ggml.merges": strings([]), **changes})))
    assert as_seen_by_us(path) == as_seen_by_llama(path)


@pytest.mark.parametrize("pre", [None, *PRES.split()])
def test_defaults_by_pre(pre: str | None, tmp_path: Path) -> None:
    texts = [*TOKENS, "x", "y", "Ċ"]
    check(
        tmp_path,
        {
            "tokenizer.ggml.model": "gpt2",
            "tokenizer.ggml.pre": pre,
            "tokenizer.ggml.tokens": texts,
            "tokenizer.ggml.scores": None,
            "tokenizer.ggml.token_type": None,
        },
    )


@pytest.mark.parametrize("model", ["llama", "gpt2", "gemma4", "t5", "none", "no_vocab"])
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"tokenizer.ggml.bos_token_id": 4, "tokenizer.ggml.eos_token_id": 5},
        {"tokenizer.ggml.bos_token_id": 4000, "tokenizer.ggml.eos_token_id": 5000},
        {"tokenizer.ggml.add_bos_token": True, "tokenizer.ggml.add_eos_token": True},
        {"tokenizer.ggml.add_bos_token": False, "tokenizer.ggml.add_eos_token": False},
    ],
)
def test_defaults_by_model(model: str, changes: dict[str, Value | None], tmp_path: Path) -> None:
    check(tmp_path, {"tokenizer.ggml.model": model, "llama.vocab_size": 10, **changes})


def test_odd_texts(tmp_path: Path) -> None:
    odd = [b"<unk>", b"<s>", b"</s>", b"<0x0A>", b"", b"a\0b", b"\xff\xfe", "é".encode(), b"x", b"y"]
    check(tmp_path, {"tokenizer.ggml.tokens": odd})
