from dataclasses import replace
from pathlib import Path

import llama_cpp.llama_cpp as llama
import numpy as np
import pytest
from support.architectures import ARCHITECTURES
from support.ggufs import ModelRecipe, Quality, make_model, make_pair
from support.plain_llama import agreement, plain_llama
from support.quantise import FORMATS
from support.vocabularies import CONTROL, TURN_END, UNUSED, BpeVocab, SpmVocab, Vocab

PROMPT = "Hello, world!"
CHAT = "<|im_start|>user\nWhat is the time?<|im_end|>\n<|im_start|>assistant\n"
VOCABULARIES = [BpeVocab(), SpmVocab()]
ROLLBACK_FROM_SNAPSHOTS = ["lfm2", "qwen35"]


@pytest.mark.parametrize("vocab", VOCABULARIES, ids=["bpe", "spm"])
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_model_writes_varied_text(tmp_path: Path, arch: str, vocab: Vocab) -> None:
    path = make_model(tmp_path / "model.gguf", ModelRecipe(arch=arch, vocab=vocab))
    table = vocab.table()
    for prompt in (PROMPT, CHAT):
        with plain_llama(path) as model:
            answer = model.greedy(prompt, 64)
        assert len(set(answer)) >= 20
        assert not any(table.types[token] == CONTROL for token in answer)


def test_the_best_token_stands_out_from_rounding_noise(tiny_llama: Path) -> None:
    with plain_llama(tiny_llama) as model:
        logits = model.decode(model.tokenize(PROMPT))
        gaps = []
        for _ in range(64):
            second, first = np.sort(logits)[-2:]
            gaps.append(first - second)
            logits = model.decode([int(logits.argmax())])
    assert np.median(gaps) > 0.3


def test_llama_becomes_a_mixture_of_experts(tmp_path: Path) -> None:
    path = make_model(tmp_path / "model.gguf", ModelRecipe(n_expert=4))
    with plain_llama(path) as model:
        assert len(set(model.greedy(PROMPT, 64))) >= 20


@pytest.mark.parametrize("dtype", FORMATS)
def test_quantised_weights_say_nearly_the_same(tmp_path: Path, dtype: str) -> None:
    recipe = ModelRecipe(n_embd=256, n_ff=512, n_layer=1)
    exact = make_model(tmp_path / "exact.gguf", replace(recipe, dtype="F32"))
    rounded = make_model(tmp_path / "rounded.gguf", replace(recipe, dtype=dtype))
    with plain_llama(exact) as one, plain_llama(rounded) as other:
        prompt = one.tokenize(PROMPT)
        correlation = np.corrcoef(one.decode(prompt), other.decode(prompt))[0, 1]
    assert correlation > (0.95 if dtype.startswith("Q4") else 0.999)


def test_the_same_recipe_makes_the_same_file(tmp_path: Path) -> None:
    first, second = (make_model(tmp_path / name, ModelRecipe(seed=7)) for name in ("a.gguf", "b.gguf"))
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("arch", ["llama", "qwen3moe", "mamba", "qwen35"])
@pytest.mark.parametrize(
    ("quality", "low", "high"), [("good", 0.6, 0.9), ("bad", 0.1, 0.4), ("random", 0, 0.05), ("same", 1, 1)]
)
def test_drafts_agree_as_often_as_promised(
    tmp_path: Path, arch: str, quality: Quality, low: float, high: float
) -> None:
    target, draft = make_pair(tmp_path, quality, recipe=ModelRecipe(arch=arch))
    assert low <= agreement(target, draft, PROMPT, 200) <= high


def test_a_draft_of_another_architecture_agrees_too(tmp_path: Path) -> None:
    target, draft = make_pair(tmp_path, draft_arch="qwen2")
    assert agreement(target, draft, PROMPT, 200) > 0.5


def test_it_ends_when_asked_to(tmp_path: Path) -> None:
    path = make_model(tmp_path / "model.gguf", ModelRecipe(eos_bias=3.0))
    with plain_llama(path) as model:
        assert llama.llama_vocab_eos(model.vocab) in model.greedy(CHAT, 64)


@pytest.mark.parametrize("vocab", VOCABULARIES, ids=["bpe", "spm"])
@pytest.mark.parametrize("arch", ["llama", "mamba", "lfm2"])
def test_it_recites(tmp_path: Path, arch: str, vocab: Vocab) -> None:
    text = "Köl 世🙂"
    byte_tokens = vocab.byte_tokens(f"\n{text}".encode())
    recipe = ModelRecipe(arch=arch, vocab=vocab, recites=(*byte_tokens, vocab.table().id(TURN_END)))
    with plain_llama(make_model(tmp_path / "model.gguf", recipe)) as model:
        answer = model.greedy(CHAT, len(byte_tokens))
        assert b"".join(map(model.piece, answer)).decode() == text + TURN_END


def test_it_speaks_in_lone_bytes_when_asked_to(tmp_path: Path) -> None:
    path = make_model(tmp_path / "model.gguf", ModelRecipe(speaks_bytes=True))
    with plain_llama(path) as model:
        assert not b"".join(map(model.piece, model.greedy(PROMPT, 64))).isascii()


@pytest.mark.parametrize("vocab", VOCABULARIES, ids=["bpe", "spm"])
def test_text_survives_the_tokenizer(tmp_path: Path, vocab: Vocab) -> None:
    text = "def größe(x):\n    return '世界 🙂' # don't"
    with plain_llama(make_model(tmp_path / "model.gguf", ModelRecipe(vocab=vocab))) as model:
        tokens = model.tokenize(text)
        assert b"".join(map(model.piece, tokens)).decode().removeprefix("<s>").lstrip() == text
        assert len(tokens) < len(text.encode())


@pytest.mark.parametrize("vocab", VOCABULARIES, ids=["bpe", "spm"])
def test_vocabularies_can_be_altered(tmp_path: Path, vocab: Vocab) -> None:
    altered = replace(
        vocab, size=900, user_defined=("<tool_call>",), padding=8, replaced=((400, "another"),), add_bos=True
    )
    with plain_llama(make_model(tmp_path / "model.gguf", ModelRecipe(vocab=altered))) as model:
        assert model.n_vocab == 908
        assert llama.llama_vocab_get_text(model.vocab, 400) == b"another"
        assert llama.llama_vocab_get_add_bos(model.vocab)
        assert altered.table().types[900:] == (UNUSED,) * 8
        assert model.tokenize("<tool_call>")[-1] == altered.table().id("<tool_call>")


@pytest.mark.parametrize("arch", ROLLBACK_FROM_SNAPSHOTS)
def test_hybrids_roll_back_to_within_the_last_batch(tmp_path: Path, arch: str) -> None:
    """Snapshots exist for the tokens of one batch; llama.cpp claims success for older ones too."""
    path = make_model(tmp_path / "model.gguf", ModelRecipe(arch=arch))
    with plain_llama(path, n_rs_seq=4) as model:
        prompt = model.tokenize(PROMPT)
        answer = model.greedy(PROMPT, 6)
        model.clear()
        model.decode(prompt)
        model.decode([answer[0], *answer[2:6]])
        assert model.rewind(len(prompt) + 1)
        assert int(model.decode(answer[1:2]).argmax()) == answer[2]


def test_mamba_does_not_roll_back(tiny_mamba: Path) -> None:
    with plain_llama(tiny_mamba, n_rs_seq=4) as model:
        prompt = model.tokenize(PROMPT)
        model.decode(prompt)
        model.decode([65])
        assert not model.rewind(len(prompt))
