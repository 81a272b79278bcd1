"""`specchat chat --compare`: two answers to one question, one after the other."""

import shutil
from pathlib import Path

from support.commands import Commands
from support.scripted_engine import delta, events, reply, scripted_engine

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
    assert f"{target.stem}, target only" in shown
    assert "Both answers are the same." in shown


def test_whether_sampled_texts_are_the_same(commands: Commands) -> None:
    asked = ("chat", "-m", "demo", "-p", "What is a draft model?", "-n", "4", "-s", "1", "-t", "1", "--compare")
    assert "\n\nBoth answers are the same." in commands.run(*asked).out


def test_long_names_do_not_widen_the_table(commands: Commands, tiny_pair: tuple[Path, Path], tmp_path: Path) -> None:
    target, draft = (Path(shutil.copy(each, tmp_path / f"{each.stem}-{'long' * 6}.gguf")) for each in tiny_pair)
    shown = commands.run("chat", "-m", target, "-md", draft, *SAME, "--compare").out
    _, table = shown.split("ANSWER")
    assert f"\n  {target.stem} + {draft.stem}\nsecond " in table
    assert max(map(len, table.splitlines()[1:])) <= 80


def test_two_pairs(commands: Commands, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    asked = ("chat", "-m", target, "-md", draft, *SAME, "--compare-with", draft, "none")
    found = commands.run(*asked, "--json").json
    assert [each["target"] for each in found["answers"]] == [target.name, draft.name]
    assert not found["should_be_same"]
    if not found["same_text"]:
        assert found["first_difference"]["word"] >= 1
        assert f"--- {draft.stem}\n" in commands.run(*asked).out


def test_what_cannot_be_compared(commands: Commands, tiny_pair: tuple[Path, Path]) -> None:
    target, draft = tiny_pair
    for options, words in (
        (("-m", target, "--raw", "--compare"), "--raw can't be combined"),
        (("-m", target, "--draft-type", "none", "--compare"), "--compare needs guesses"),
        (("--engine", "http://localhost:1", "--compare"), "with --engine, use --compare-with TARGET"),
        (("-m", target, "--compare-with", "http://localhost:1"), "give the engine as --engine http://localhost:1 "),
        (("-m", target, "--compare-with", draft, draft, draft), "takes a target and a draft"),
    ):
        refused = commands.run("chat", "-p", "Hello", *options)
        assert (refused.code, words in refused.err) == (2, True), refused.err
    missing = commands.run("chat", "-p", "Hello", "-m", target, "--compare-with", "gone.gguf")
    assert (missing.code, missing.err) == (1, "File not found: gone.gguf.\nhint: Check the path.\n")


def test_with_another_engine(commands: Commands, tiny_pair: tuple[Path, Path], tmp_path: Path) -> None:
    target, _ = tiny_pair
    commands.home = tmp_path / "home"
    with scripted_engine() as server:
        server.replies = {
            "/v1/models": reply({"data": [{"id": target.name}]}),
            "/v1/chat/completions": events(delta("Yes."), delta(finish="stop")),
        }
        commands.run("engines", "add", "loc", server.url)
        refused = commands.run("chat", "-m", target, *SAME, "--compare-with", "loc")
        assert refused.code == 2
        assert "give the engine as --engine loc --compare-with TARGET" in refused.err
        asked = ("chat", "--engine", "loc", "-p", "Is it warm?", "-n", "4", "--compare-with", target)
        assert f"{target.stem} at {server.url.partition('://')[2]} " in commands.run(*asked).out
        theirs, ours = commands.run(*asked, "--json").json["answers"]
        assert (theirs["engine"], ours["engine"]) == (server.url, None)
