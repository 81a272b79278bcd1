"""What damaged files cost, whatever a command does with them. `tests/benchmarks/mutations.py` tries thousands."""

from pathlib import Path

import pytest
from support.commands import Commands, finished, started
from support.gguf_writer import Value
from support.ggufs import ModelRecipe, make_model
from support.header_mutants import families, write_mutant
from support.processes import Watched, watching
from support.tokenizer_kinds import MODEL
from support.vocabularies import BpeVocab

ALLOWED = 600 << 20
CHAT = ("chat", "--raw", "-t", "1", "-c", "256", "-n", "2", "-p", "Hello")
N_TOKENS = 200_000
AGAIN = "Download the file again."


def test_an_ordinary_vocabulary_that_calls_itself_rwkvs(commands: Commands, tmp_path: Path) -> None:
    """llama.cpp would add tokens for ever, and take all memory for them."""
    path = make_model(tmp_path / "model.gguf", ModelRecipe(), {MODEL: "rwkv"})
    reason = "Its tokenizer is of type rwkv, which needs single-byte tokens, but 4 are missing (0xC2, 0xC3, 0xC4, …)."
    assert_not_loaded(commands, path, reason)
    for use in (("fit", path), ("compat", path, path)):
        outcome = commands.run(*use)
        assert (outcome.code, outcome.refusal) == (1, (f"model.gguf is inconsistent: {reason}", AGAIN))


def test_more_tokens_than_the_model_has_rows(commands: Commands, tmp_path: Path) -> None:
    changes: dict[str, Value | None] = {
        "tokenizer.ggml.tokens": [f"x{i}" for i in range(N_TOKENS)],
        "tokenizer.ggml.token_type": [1] * N_TOKENS,
    }
    path = make_model(tmp_path / "model.gguf", ModelRecipe(n_layer=1, vocab=BpeVocab(4096)), changes)
    assert_not_loaded(commands, path, f"Its vocabulary has {N_TOKENS} tokens, but token_embd.weight has 4096.")


def assert_not_loaded(commands: Commands, path: Path, reason: str) -> None:
    """The header is enough to refuse it: no process is started that could load it."""
    with watching() as cost:
        assert commands.run(*CHAT, "-m", path).refusal == (f"{path.name} is inconsistent: {reason}", AGAIN)
    assert not [command for command in cost.commands if "--child" in command]
    inspected = commands.run("inspect", "--json", path)
    assert (inspected.code, inspected.json["problems"]) == (0, [reason])


@pytest.mark.parametrize("seed", [0, 1, 13, 15, 28, 43])
def test_a_few_of_the_mutants(tmp_path: Path, seed: int) -> None:
    some = families()
    path = tmp_path / "mutant.gguf"
    write_mutant(path, some[seed % len(some)], seed)
    for use in (("fit", path), (*CHAT, "-m", path)):
        with started(tmp_path / "home", *use) as process:
            cost = Watched(process.pid, with_root=True)
            outcome = finished(process)
            cost.stop()
        assert outcome.code in (0, 1, 3)
        assert outcome.code != 1 or outcome.refusal
        assert cost.together < 2 * path.stat().st_size + ALLOWED
        assert not cost.left()
