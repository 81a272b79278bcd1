"""Prompts as long as the context, and conversations that outgrow it."""

import json
from pathlib import Path

import pytest
from support.commands import Commands, run_process
from support.pictures import png
from support.projectors import LLAVA

N_CTX, N_TRAINED = 256, 2048
WORD = " the"
"""One token of the small models."""


def raw(n_tokens: int) -> tuple[str, ...]:
    return ("--raw", "-p", WORD * n_tokens, "-c", str(N_CTX))


@pytest.mark.parametrize("with_draft", [False, True])
def test_one_token_less_than_the_context(commands: Commands, tiny_pair: tuple[Path, Path], *, with_draft: bool) -> None:
    target, draft = tiny_pair
    options = ("-md", draft, "--draft-max", "4") if with_draft else ()
    answer = commands.answer("-m", target, *raw(N_CTX - 1), *options)
    assert answer["stats"]["n_prompt"] == N_CTX - 1
    assert len(answer["tokens"]) == 2  # the last place, and what follows it
    assert (answer["finish_reason"], answer["context_full"]) == ("length", True)


def test_a_full_context_is_mentioned_in_the_summary(commands: Commands, tiny_llama: Path) -> None:
    outcome = commands.run("chat", "-t", "1", "-m", tiny_llama, *raw(N_CTX - 1))
    assert outcome.code == 0
    assert "the context is full; use a larger one with -c" in outcome.err


def test_a_full_context_that_the_target_cannot_exceed(commands: Commands, tiny_llama: Path) -> None:
    prompt = ("--raw", "-p", WORD * (N_TRAINED - 1))
    outcome = commands.run("chat", "-t", "1", "-m", tiny_llama, *prompt, "-c", str(N_TRAINED))
    assert outcome.code == 0
    assert "the context is full" in outcome.err
    assert "-c" not in outcome.err


@pytest.mark.parametrize(("n_ctx", "can_grow"), [(N_CTX, True), (N_TRAINED, False)])
def test_another_process_knows_what_its_target_cannot_exceed(
    home: Path, tmp_path: Path, n_ctx: int, *, can_grow: bool
) -> None:
    """Pictures are answered in one."""
    target, _ = LLAVA.make(tmp_path)
    photo = tmp_path / "photo.png"
    photo.write_bytes(png(8, 8))
    prompt = ("--image", photo, "-p", "Go on", "--ignore-eos")
    outcome = run_process(home, "chat", "-t", "1", "-m", target, "-c", str(n_ctx), *prompt)
    assert outcome.code == 0
    assert "the context is full" in outcome.err
    assert ("use a larger one with -c" in outcome.err) is can_grow


@pytest.mark.parametrize("n_tokens", [N_CTX, N_CTX + 1, 3000])
def test_prompts_that_fill_the_context(commands: Commands, tiny_llama: Path, n_tokens: int) -> None:
    outcome = commands.run("chat", "-m", tiny_llama, "--json", *raw(n_tokens))
    assert outcome.code == 1
    message, hint = outcome.refusal
    assert message == f"The prompt has {n_tokens:,} tokens, but the context holds only {N_CTX}, including the answer."
    assert ("-c" in hint) is (n_tokens < N_TRAINED), "beyond which a larger context is no help"
    assert outcome.json == {"error": message, "hint": hint}


@pytest.mark.parametrize("n_ctx", [1, 16, 255, 300])
def test_contexts_of_odd_sizes(home: Path, tiny_pair: tuple[Path, Path], n_ctx: int) -> None:
    """llama.cpp rounds the size up, and would end the program if a batch were larger than what was asked for."""
    target, draft = tiny_pair
    prompt = ("--raw", "-p", WORD * 200, "-n", "4", "-c", str(n_ctx))
    outcome = run_process(home, "chat", "--json", "-m", target, "-md", draft, "--draft-max", "3", *prompt)
    assert outcome.code == 0
    assert len(outcome.json["tokens"]) == 4


def test_a_long_prompt_in_several_batches(commands: Commands, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    same = ("-m", target, "--raw", "-p", WORD * 1500, "-n", "16", "--temp", "0", "--exact")
    drafted = commands.answer(*same, "-md", draft, "--draft-max", "4")
    assert drafted["stats"]["n_prompt"] == 1500
    assert drafted["tokens"] == commands.answer(*same)["tokens"]


def write_turns(folder: Path, turns: int, words: int) -> Path:
    """Question and answer in turn, a question last."""
    path = folder / "messages.json"
    roles = ["system", *["user", "assistant"] * turns, "user"]
    path.write_text(json.dumps([{"role": role, "content": WORD * words} for role in roles]))
    return path


def test_the_oldest_turns_are_dropped_on_request(commands: Commands, tiny_llama: Path, tmp_path: Path) -> None:
    same = ("-m", tiny_llama, "--messages", write_turns(tmp_path, 12, 20), "-c", str(N_CTX))
    refused = commands.run("chat", *same)
    assert refused.code == 1
    assert "context" in refused.refusal[0]
    answer = commands.answer(*same, "--drop-oldest", "-n", "8", "--temp", "0")
    assert 100 < answer["stats"]["n_prompt"] <= N_CTX - 8
    assert len(answer["tokens"]) == 8


def test_a_short_conversation_stays_whole(commands: Commands, tiny_llama: Path, tmp_path: Path) -> None:
    same = ("-m", tiny_llama, "--messages", write_turns(tmp_path, 2, 5), "--temp", "0", "-n", "8")
    assert commands.answer(*same, "--drop-oldest")["tokens"] == commands.answer(*same)["tokens"]


def test_a_last_message_too_long_to_keep(commands: Commands, tiny_llama: Path, tmp_path: Path) -> None:
    same = ("-m", tiny_llama, "--messages", write_turns(tmp_path, 2, 300), "-c", str(N_CTX))
    outcome = commands.run("chat", *same, "--drop-oldest")
    assert outcome.code == 1
    assert "-c" in outcome.refusal[1]


def test_an_answer_as_long_as_the_context_drops_no_short_conversation(
    commands: Commands, tiny_llama: Path, tmp_path: Path
) -> None:
    same = ("-m", tiny_llama, "--messages", write_turns(tmp_path, 1, 5), "-c", str(N_CTX))
    answer = commands.answer(*same, "--drop-oldest", "-n", str(2 * N_CTX), "--ignore-eos")
    assert answer["context_full"]
