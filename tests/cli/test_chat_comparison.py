"""`specchat chat --compare`: two answers to one question, one after the other."""

from pathlib import Path

from support.commands import Commands

SAME = ("-p", "Is it warm?", "-n", "16", "--ignore-eos", "--temp", "0", "-t", "1", "-c", "256")


def test_with_and_without_the_draft(commands: Commands, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    asked = (
        "chat",
        "-m",
        target,
        "-md",
        draft,
        "--exact",
        "--draft-max",
        "3",
        "--prefill",
        "Well,",
        *SAME,
        "--compare",
    )
    found = commands.run(*asked, "--json").json
    pair, alone = found["answers"]
    assert (pair["draft"], pair["compared"], alone["compared"]) == (draft.name, "pair", "target only")
    assert pair["text"] == alone["text"]
    assert pair["text"].startswith("Well,")
    assert (found["same_text"], found["should_be_same"], found["first_difference"]) == (True, True, None)
    assert pair["stats"]["n_drafted"] > 0 == alone["stats"]["n_drafted"]
    assert pair["exact"] == alone["exact"] == "passed"
    assert min(found["speed_ratio"], pair["total_s"], alone["total_s"]) > 0
    shown = commands.run(*asked).out
    assert shown.startswith(pair["text"])
    assert "TOKENS/S  FIRST TOKEN" in shown
    assert f"{target.name}, target only" in shown
    assert "Both answers are the same." in shown


def test_two_pairs(commands: Commands, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    asked = ("chat", "-m", target, "-md", draft, *SAME, "--compare-with", draft, "none")
    found = commands.run(*asked, "--json").json
    assert [each["target"] for each in found["answers"]] == [target.name, draft.name]
    assert not found["should_be_same"]
    if not found["same_text"]:
        assert found["first_difference"]["word"] >= 1
        assert f"--- {draft.name}\n" in commands.run(*asked).out


def test_what_cannot_be_compared(commands: Commands, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    for options, words in (
        (("-m", target, "--raw", "--compare"), "--raw can't be combined"),
        (("-m", target, "--draft-type", "none", "--compare"), "--compare needs guesses"),
        (("--engine", "http://localhost:1", "--compare"), "--compare needs -m"),
        (("-m", target, "--compare-with", draft, draft, draft), "takes a target and a draft"),
    ):
        refused = commands.run("chat", "-p", "Hello", *options)
        assert (refused.code, words in refused.err) == (2, True), refused.err
    missing = commands.run("chat", "-p", "Hello", "-m", target, "--compare-with", "gone.gguf")
    assert missing.code == 1
