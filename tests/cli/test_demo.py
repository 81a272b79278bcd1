"""The pair that ships with the program, by its names."""

from pathlib import Path

import pytest
from support.commands import Commands

from specchat.services.models import demo_pair
from specchat.services.models.demo_pair import demo_files


def test_the_demo_answers_what_it_is_there_for(commands: Commands) -> None:
    answer = commands.answer("-m", "demo", "-p", "What is a draft model?", "--temp", "0")
    assert "guess" in answer["text"]
    assert "target" in answer["text"]
    assert answer["finish_reason"] == "stop"
    stats = answer["stats"]
    assert stats["speculation"] == "on"
    assert stats["acceptance_rate"] > 0.3
    assert set(answer["origins"]) == {"draft", "target"}, "four guesses a pass, unless told otherwise"


@pytest.mark.parametrize(
    ("suggested", "begins"),
    [
        ("What is a draft model?", "A draft model is"),
        ("Which draft fits my model?", "Take a draft of the same family"),
        ("Does a draft make the answer worse?", "No"),
    ],
)
def test_what_the_window_suggests_is_answered_rightly(commands: Commands, suggested: str, begins: str) -> None:
    assert commands.answer("-m", "demo-target", "-p", suggested, "--temp", "0")["text"].startswith(begins)


def test_of_the_demo_too_the_given_number_of_guesses_counts(commands: Commands) -> None:
    question = ("-m", "demo", "-p", "What is a draft model?", "--temp", "0")
    for given, most in (("0", 0), ("1", 1), ("auto", 64)):
        answer = commands.answer(*question, "--draft-max", given)
        assert len(answer["stats"]["accepted_per_position"]) <= most


def test_the_demo_says_the_same_without_its_draft(commands: Commands) -> None:
    question = ("-p", "What does the acceptance rate mean?", "--temp", "0", "--exact", "--draft-max", "4")
    alone = commands.answer("-m", "demo-target", *question)
    together = commands.answer("-m", "demo", *question)
    assert alone["text"] == together["text"]
    assert together["stats"]["n_accepted"] > 0
    assert alone["stats"]["n_drafted"] == 0


@pytest.mark.parametrize(
    ("reference", "parameters"), [("demo", 20_500_000), ("demo-target", 20_500_000), ("demo-draft", 1_100_000)]
)
def test_each_demo_file_has_a_name(commands: Commands, reference: str, parameters: int) -> None:
    facts = commands.run("inspect", reference, "--json").json
    assert facts["parameters"] == pytest.approx(parameters, rel=0.1)
    assert facts["quantization"] == "Q8_0"
    assert facts["n_ctx_train"] >= 2048
    assert facts["chat_template"]
    assert facts["problems"] == []


@pytest.mark.parametrize("pair", [("demo", "demo"), ("demo-target", "demo-draft")])
def test_the_demo_pair_has_one_tokenizer(commands: Commands, pair: tuple[str, str]) -> None:
    assert commands.run("compat", *pair, "--json").json["verdict"] == "identical"


def test_both_files_together_stay_small() -> None:
    assert sum(file.stat().st_size for file in demo_files()) < 25_000_000


def test_a_lost_demo_is_told(commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(demo_pair, "resources", lambda: tmp_path)
    refused = commands.run("chat", "-m", "demo", "-p", "Hello")
    assert refused.code == 1
    assert refused.refusal == (
        "demo-target.gguf, which is part of specchat, is missing.",
        "Reinstall specchat.",
    )
