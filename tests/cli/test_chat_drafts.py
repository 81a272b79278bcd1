"""Who guesses, how far, and whether the answer stays what it would have been."""

from dataclasses import replace
from pathlib import Path

import pytest
from support.commands import Commands, run_process
from support.ggufs import ModelRecipe, make_model, make_pair
from support.vocabularies import BpeVocab

GREEDY = ("-p", "Hello", "-n", "48", "--temp", "0", "--ignore-eos")
Pair = tuple[Path, Path]


@pytest.mark.parametrize("length", ["0", "1", "4", "64", "auto"])
def test_draft_lengths(commands: Commands, tiny_pair: Pair, length: str) -> None:
    target, draft = tiny_pair
    plain = commands.answer("-m", target, *GREEDY, "--exact")
    answer = commands.answer("-m", target, "-md", draft, *GREEDY, "--exact", "--draft-max", length)
    assert answer["tokens"] == plain["tokens"]
    if length == "0":
        assert answer["stats"]["speculation"] == "off: the number of guesses is 0"
        assert answer["stats"]["n_drafted"] == 0
    elif length != "auto":  # which may find that nothing pays
        assert answer["stats"]["n_drafted"] > 0


@pytest.mark.parametrize("length", ["65", "-1", "abc", "", "1.5"])
def test_draft_lengths_that_are_none(commands: Commands, tiny_pair: Pair, length: str) -> None:
    target, draft = tiny_pair
    outcome = commands.run("chat", "-m", target, "-md", draft, *GREEDY, f"--draft-max={length}")
    assert (outcome.code, outcome.stdout) == (2, b"")
    assert "--draft-max" in outcome.err


@pytest.mark.parametrize("quality", ["tiny_pair", "bad_pair"])
@pytest.mark.parametrize("sampling", [("--temp", "0"), ("--temp", "1", "-s", "3", "--repeat-penalty", "1.1")])
def test_exact_answers_do_not_depend_on_the_draft(
    commands: Commands, request: pytest.FixtureRequest, quality: str, sampling: tuple[str, ...]
) -> None:
    target, draft = request.getfixturevalue(quality)
    same = ("-m", target, "-p", "Hello", "-n", "96", "--ignore-eos", "--exact", *sampling)
    plain, drafted = commands.answer(*same), commands.answer(*same, "-md", draft, "--draft-max", "5")
    assert drafted["exact"] == {"mode": True, "selftest": "passed"}
    assert drafted["tokens"] == plain["tokens"]
    assert drafted["text"] == plain["text"]
    assert 0 < drafted["stats"]["acceptance_rate"] < 1


def test_the_same_file_guesses_for_itself(commands: Commands, tiny_llama: Path) -> None:
    """It rounds otherwise than the exact target: where this one hesitates, they part."""
    asked = ("-m", tiny_llama, "-p", "Hello", "-n", "300", "--temp", "0", "--exact")
    outcome = commands.run("chat", "--json", "-t", "1", *asked, "-md", tiny_llama, "--draft-max", "7")
    assert outcome.err.startswith("Note: The draft is not smaller than the target")
    answer = outcome.json
    assert answer["tokens"] == commands.answer(*asked)["tokens"]
    stats = answer["stats"]
    assert answer["exact"]["selftest"] == "passed"
    assert stats["acceptance_rate"] > 0.6
    assert stats["n_drafted"] > 200


def test_draft_type_none(commands: Commands, tiny_pair: Pair) -> None:
    target, draft = tiny_pair
    answer = commands.answer("-m", target, "-md", draft, *GREEDY, "--draft-type", "none")
    assert answer["stats"]["speculation"] == "off: draft type is none"


@pytest.mark.parametrize("target", ["demo", "demo-target"])
def test_none_as_a_draft_is_none(
    commands: Commands, target: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in `specchat bench`, whatever files are there: guesses come from the text alone."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "none").touch()
    asked = ("-m", target, "-md", "none", *GREEDY)
    answer = commands.answer(*asked, "--draft-type", "ngram", "--draft-max", "4")
    assert "draft" not in answer["origins"]
    assert answer["stats"]["speculation"] == "on"
    refused = commands.run("chat", *asked, "--draft-type", "model")
    assert (refused.code, refused.refusal[0]) == (1, "--draft-type model needs a draft.")


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("-m", "demo-target", "-n", "3"), "nothing in the earlier text was worth repeating"),
        (("-m", "demo", "-n", "1"), "the answer ended before the first guess"),
        (("-m", "demo", "-n", "3", "--draft-type", "ngram"), "nothing in the earlier text was worth repeating"),
        (("-m", "demo", "-n", "3", "--draft-type", "none"), "draft type is none"),
    ],
)
def test_why_no_guesses_were_made(commands: Commands, options: tuple[str, ...], why: str) -> None:
    outcome = commands.run("chat", "-p", "Hello", "--temp", "0", *options)
    assert f" · no guesses: {why}" in outcome.err
    answer = commands.answer("-p", "Hello", "--temp", "0", *options)
    assert answer["stats"]["speculation"] == f"off: {why}", "the same to programs"


def test_draft_type_ngram_needs_no_draft(commands: Commands, tiny_llama: Path) -> None:
    answer = commands.answer(
        "-m", tiny_llama, "--raw", "-p", "one two three four one two three", "-n", "64", "--draft-type", "ngram",
        "--temp", "0", "--draft-max", "4", "--repeat-penalty", "0.2",
    )  # fmt: skip
    assert answer["stats"]["drafted_per_source"].keys() == {"ngram"}
    assert "ngram" in answer["origins"]


@pytest.mark.parametrize("draft_type", ["model", "nonsense"])
def test_draft_types_that_cannot_be(commands: Commands, tiny_llama: Path, draft_type: str) -> None:
    outcome = commands.run("chat", "-m", tiny_llama, *GREEDY, "--draft-type", draft_type, "--json")
    assert outcome.code == 1
    message, hint = outcome.refusal
    assert outcome.json == {"error": message, "hint": hint}
    assert "-md" in hint if draft_type == "model" else "ngram" in hint


def test_an_incompatible_draft(home: Path, tiny_llama: Path, tiny_t5: Path) -> None:
    options = ("-m", tiny_llama, "-md", tiny_t5, "-p", "Hello")
    outcome = run_process(home, "chat", *options, "--json")
    assert outcome.code == 3
    message, hint = outcome.refusal
    assert message.startswith("tiny-t5.gguf can't draft for tiny-llama.gguf: ")
    assert outcome.json == {"error": message, "hint": hint}
    text = run_process(home, "chat", *options)
    assert (text.code, text.stdout) == (3, b"")


@pytest.mark.parametrize(
    ("draft_arch", "draft_vocab"),
    [
        ("qwen2", None),
        ("gemma3", None),
        ("llama", replace(BpeVocab(), padding=128)),
        ("llama", replace(BpeVocab(), padding=1)),
    ],
)
def test_drafts_of_another_kind(
    commands: Commands, tmp_path: Path, draft_arch: str, draft_vocab: BpeVocab | None
) -> None:
    target, draft = make_pair(tmp_path, draft_arch=draft_arch, draft_vocab=draft_vocab)
    same = ("-m", target, *GREEDY, "--exact")
    drafted = commands.answer(*same, "-md", draft, "--draft-max", "3")
    assert drafted["tokens"] == commands.answer(*same)["tokens"]
    assert drafted["stats"]["speculation"] == "on"
    assert drafted["stats"]["n_drafted"] > 0


def test_a_target_with_more_padding_than_its_draft(commands: Commands, tmp_path: Path) -> None:
    padded = ModelRecipe(vocab=replace(BpeVocab(), padding=128))
    target, draft = make_pair(tmp_path, recipe=padded, draft_vocab=BpeVocab())
    same = ("-m", target, *GREEDY, "--exact")
    drafted = commands.answer(*same, "-md", draft, "--draft-max", "3")
    assert drafted["tokens"] == commands.answer(*same)["tokens"]
    assert drafted["stats"]["n_accepted"] > 0


def test_a_recurrent_target_decodes_plainly_and_says_why(
    commands: Commands, tiny_mamba: Path, tiny_llama: Path
) -> None:
    same = ("-m", tiny_mamba, *GREEDY)
    plain = commands.answer(*same)
    drafted = commands.run("chat", "--json", "-t", "1", *same, "-md", tiny_llama, "--draft-max", "3").json
    assert drafted["tokens"] == plain["tokens"]
    assert drafted["stats"]["n_drafted"] == 0
    assert drafted["stats"]["speculation"] == "off: the target is a recurrent model and can't roll back tokens"


def test_a_recurrent_draft_is_left_out_and_the_answer_says_why(
    commands: Commands, tiny_mamba: Path, tiny_llama: Path
) -> None:
    answer = commands.answer("-m", tiny_llama, "-md", tiny_mamba, *GREEDY, "--draft-max", "3")
    assert answer["stats"]["n_drafted"] == 0
    assert answer["stats"]["speculation"] == "off: the draft is a recurrent model and can't roll back tokens"


@pytest.mark.parametrize("arch", ["lfm2", "qwen35"])
def test_a_hybrid_target_takes_wrong_guesses_back(commands: Commands, tmp_path: Path, arch: str) -> None:
    target = make_model(tmp_path / "target.gguf", ModelRecipe(arch=arch))
    draft = make_model(tmp_path / "draft.gguf", ModelRecipe(n_layer=1))
    same = ("-m", target, *GREEDY, "--exact")
    drafted = commands.answer(*same, "-md", draft, "--draft-max", "3")
    assert drafted["stats"]["speculation"] == "on"
    assert drafted["stats"]["n_accepted"] < drafted["stats"]["n_drafted"]
    assert drafted["tokens"] == commands.answer(*same)["tokens"]
