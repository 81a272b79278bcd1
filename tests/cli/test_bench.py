"""`specchat bench` as scripts and people meet it."""

import csv
import io
import json
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from support.benches import FOUR, PLAIN, plan, runs
from support.commands import Commands, finished, run_process, started
from support.measured import report, row
from support.peer_server import make_server, wait_until_asked

from specchat.bootstrap import build_app
from specchat.cli import App
from specchat.cli.bench_progress import BenchProgressLine
from specchat.cli.bench_table import report_lines
from specchat.domain.benchmark import BenchMethod, BenchProgress, BenchReport
from specchat.services.bench.summary import summarize_runs
from specchat.services.bench.workloads import workload_names
from specchat.store.paths import Paths

Pair = tuple[Path, Path]
SHORT = ("-n", "12", "--repeat", "2", "-t", "1", "-c", "512", "--ignore-eos")


@pytest.fixture
def prompts(tmp_path: Path) -> Path:
    path = tmp_path / "prompts.jsonl"
    path.write_text('{"prompt": "Hello", "workload": "chat"}\n{"prompt": "A loop", "workload": "code"}\n')
    return path


def options(pair: Pair, prompts: Path) -> tuple[str | Path, ...]:
    return ("bench", "-m", pair[0], "-md", pair[1], "--prompts", prompts, *SHORT)


def test_json(commands: Commands, tiny_pair: Pair, prompts: Path) -> None:
    outcome = commands.run(*options(tiny_pair, prompts), "--k", "0,3,auto", "--json")
    assert outcome.code == 0
    report = outcome.json
    assert (report["complete"], report["problems"]) == (True, [])
    assert [method["name"] for method in report["plan"]["ways"]] == ["plain", "K=3", "auto"]
    assert report["plan"]["max_tokens"] == 12
    assert len(report["runs"]) == 3 * 2 * 2
    assert {(row["name"], row["workload"]) for row in report["rows"]} == {
        (name, workload) for name in ("plain", "K=3", "auto") for workload in (None, "chat", "code")
    }
    three = next(run for run in report["runs"] if run["name"] == "K=3")
    assert sum(drafted for _, drafted, _ in three["steps"]) == three["stats"]["n_drafted"]
    assert three["ratio"] > 0
    assert report["peak_memory"] > 1 << 20
    assert report["machine"]["devices"]
    assert 1 <= len(report["advice"]) <= 3


def test_in_exact_mode_all_ways_give_the_same_text(commands: Commands, tiny_pair: Pair, prompts: Path) -> None:
    report = commands.run(*options(tiny_pair, prompts), "--k", "0,3,auto", "--exact", "--json").json
    assert report["plan"]["exact"]
    assert {run["same_as_plain"] for run in report["runs"]} == {True}


def test_text(commands: Commands, tiny_pair: Pair, prompts: Path) -> None:
    outcome = commands.run(*options(tiny_pair, prompts), "--k", "3")
    lines = outcome.out.splitlines()
    assert outcome.code == 0
    assert outcome.err == ""
    assert [line for line in lines if line.endswith(":")] == ["chat:", "code:", "All prompts:"]
    assert max(map(len, lines)) <= 80
    heading, plain, guessing = lines[2:5]
    assert heading.split()[:3] == ["METHOD", "TOKENS/S", "RATIO"]
    assert plain.startswith("plain ")
    assert guessing.startswith("K=3 ")
    assert "%" in guessing
    assert "× as fast" in " ".join(lines) or "Plain decoding is fastest here. Next is " in outcome.out


@pytest.mark.parametrize(("exact", "ending"), [(False, ". --exact prevents this."), (True, "equally likely.")])
def test_another_answer_is_explained(exact: bool, ending: str) -> None:
    method = BenchMethod(Path("target.gguf"), Path("draft.gguf"), "model", 4)
    measured = report(replace(row(method, 1.6), n_same=7, n_compared=12))
    measured = replace(measured, plan=replace(measured.plan, exact=exact))
    figures, words = report_lines(measured)[2], " ".join(report_lines(measured)[3:])
    assert figures.split()[-3:] == ["7", "of", "12"]
    assert "rounding changed the choice" in words
    assert words.endswith(ending)
    same = report_lines(report(replace(row(method, 1.6), n_same=12, n_compared=12)))
    assert same[2].split()[-1] == "yes"
    assert "rounding" not in " ".join(same)


def test_medians_that_seem_to_disagree_are_explained() -> None:
    """A method that is twice as fast with each prompt, and one whose median speed tells another story."""

    def words(*speeds: float) -> str:
        measured = [*runs(PLAIN, (10, 10, 40)), *runs(FOUR, speeds)]
        return " ".join(report_lines(summarize_runs(plan(PLAIN, FOUR), measured)))

    assert "The two can differ" not in words(20, 20, 80)
    assert "The two can differ" in words(15, 40, 60)


def test_of_no_guesses_no_share_is_accepted() -> None:
    measured = [*runs(PLAIN, (10, 10)), *runs(FOUR, (15, 15))]
    lines = report_lines(summarize_runs(plan(PLAIN, FOUR), measured))
    assert "60%" in lines[4]
    silent = [replace(each, stats=replace(each.stats, n_drafted=0, n_accepted=0)) for each in measured]
    lines = report_lines(summarize_runs(plan(PLAIN, FOUR), silent))
    assert not any("%" in line for line in lines[:5])


def test_several_models_one_of_them_without_a_draft(
    commands: Commands, tiny_pair: Pair, bad_pair: Pair, prompts: Path
) -> None:
    both = f"{tiny_pair[0]},{bad_pair[0]}"
    named = ("bench", "-m", both, "-md", tiny_pair[1], "-md", "none", "--prompts", prompts, *SHORT, "--k", "2")
    report = commands.run(*named, "--workload", "code", "--json").json
    assert [method["name"] for method in report["plan"]["ways"]] == ["plain", "K=2", "ngram K=2"] * 2
    assert {run["workload"] for run in report["runs"]} == {"code"}
    text = commands.run(*named, "--repeat", "1").out
    assert "TARGET" in text
    assert "ngram K=2" in text


def test_files(commands: Commands, tiny_pair: Pair, prompts: Path, tmp_path: Path) -> None:
    drawn: list[tuple[BenchReport, Path]] = []

    def drawing(places: Paths) -> App:
        return replace(build_app(places), plot=lambda: lambda report, path: drawn.append((report, path)))

    commands.make_app = drawing
    picture = tmp_path / "speeds.png"
    (tmp_path / "results.csv").write_text("older")
    replacing = "was written, replacing its previous content."
    for name, told in (("results.json", "{} was written."), ("results.csv", f"Note: {{}} {replacing}")):
        asked = (*options(tiny_pair, prompts), "--k", "2", "--out", tmp_path / name, "--plot", picture)
        outcome = commands.run(*asked)
        assert outcome.code == 0
        lines = [line for line in outcome.err.splitlines() if "was written" in line]
        assert lines == [told.format(tmp_path / name), f"{picture} was written."]
    assert [path for _, path in drawn] == [picture, picture]
    saved = json.loads((tmp_path / "results.json").read_text())
    rows = list(csv.DictReader(io.StringIO((tmp_path / "results.csv").read_text())))
    assert len(saved["runs"]) == len(rows) == 8
    assert {row["name"] for row in rows} == {"plain", "K=2"}
    assert all(float(row["tokens_per_s"]) > 0 for row in rows)
    assert all(float(row["ratio"]) > 0 for row in rows if row["name"] == "K=2")
    assert sorted(path.name for path in tmp_path.glob("results*")) == ["results.csv", "results.json"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (("--out", "results.txt"), "results.txt doesn't have a recognized file extension."),
        (("--out", "/nowhere/results.csv"), "Can't write /nowhere/results.csv: No such file or directory."),
        (("--plot", "speeds.svg"), "speeds.svg doesn't have a recognized file extension."),
        (("--peer", "/nowhere/llama-server"), "Can't find /nowhere/llama-server."),
        (("--draft-type", "unheard-of"), "Unknown draft type: unheard-of."),
        (("--workload", "cooking,x"), "prompts.jsonl contains no prompts for --workload cooking,x."),
        (("--prompts", "/nowhere/prompts.jsonl"), "Can't read /nowhere/prompts.jsonl: No such file or directory."),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_measured(
    commands: Commands, tiny_pair: Pair, prompts: Path, wrong: tuple[str, str], message: str
) -> None:
    outcome = commands.run(*options(tiny_pair, prompts), *wrong)
    assert outcome.code == 1
    assert outcome.refusal[0] == message
    assert outcome.stdout == b""


def test_a_draft_that_does_not_go_with_the_target(
    commands: Commands, tiny_pair: Pair, tiny_t5: Path, prompts: Path
) -> None:
    assert commands.run(*options((tiny_pair[0], tiny_t5), prompts)).code == 3


def test_the_kinds_that_a_file_has_are_named(commands: Commands, tiny_pair: Pair, prompts: Path) -> None:
    asked = (*options(tiny_pair, prompts), "--k", "0", "--workload")
    assert commands.run(*asked, "cooking").refusal[1] == "Omit --workload, or choose from: chat, code"
    workloads = {run["workload"] for run in commands.run(*asked, "", "--json").json["runs"]}
    assert workloads == {"chat", "code"}, "an empty one asks for none in particular"


@pytest.mark.parametrize("wrong", [("--k", "2,x"), ("--k", ""), ("--repeat", "0"), ("-n", "0"), ("--temp", "-1")])
def test_wrong_arguments(commands: Commands, tiny_pair: Pair, prompts: Path, wrong: tuple[str, str]) -> None:
    assert commands.run(*options(tiny_pair, prompts), *wrong).code == 2


def test_workloads(commands: Commands, tiny_pair: Pair) -> None:
    asked = ("bench", "-m", tiny_pair[0], "--k", "0", "-n", "8", "--repeat", "1", "-t", "1", "--json")
    report = commands.run(*asked, "--per-workload", "1").json
    assert [prompt["workload"] for prompt in report["plan"]["prompts"]] == list(workload_names())
    report = commands.run(*asked, "--workload", "code,chat").json
    assert sorted(prompt["workload"] for prompt in report["plan"]["prompts"]) == ["chat", "chat", "code", "code"]
    refused = commands.run(*asked, "--workload", "cooking")
    assert refused.code == 2
    assert refused.err.startswith(
        "usage: specchat bench [-m TARGET [-md DRAFT]] [--engine URL ...] [OPTIONS]\n"
        "specchat bench: error: unknown workload 'cooking'"
    )


def test_a_peer(commands: Commands, tiny_pair: Pair, prompts: Path, tmp_path: Path) -> None:
    report = commands.run(*options(tiny_pair, prompts), "--k", "0,2", "--peer", make_server(tmp_path), "--json").json
    names = {row["name"] for row in report["rows"]}
    assert names == {"plain", "K=2", "llama-server", "llama-server default", "llama-server K=2"}


def test_the_pair_is_remembered(commands: Commands, tiny_pair: Pair, prompts: Path, tmp_path: Path) -> None:
    """Where a busy computer did not spoil the figures; then that is told."""
    commands.home = tmp_path / "home"
    outcome = commands.run(*options(tiny_pair, prompts), "--k", "2")
    assert outcome.code == 0
    is_known = (commands.home / "cache" / "measured.json").exists()
    assert is_known == ("not remembered" not in outcome.out)


def test_too_few_answers_are_not_remembered_and_that_is_told(
    commands: Commands, tiny_pair: Pair, prompts: Path, tmp_path: Path
) -> None:
    commands.home = tmp_path / "home"
    outcome = commands.run(*options(tiny_pair, prompts), "--k", "2", "--repeat", "1")
    assert "Too few answers for a result (not remembered)" in outcome.out
    assert not (commands.home / "cache" / "measured.json").exists()


@pytest.mark.parametrize(("by", "as_json"), [(signal.SIGINT, ()), (signal.SIGINT, ("--json",)), (signal.SIGTERM, ())])
def test_interrupted(
    home: Path, tiny_pair: Pair, prompts: Path, tmp_path: Path, by: signal.Signals, as_json: tuple[str, ...]
) -> None:
    """The peer stops answering, so that it comes in the midst of things."""
    server, out = make_server(tmp_path, "hangs", 3), tmp_path / "results.json"
    asked = (*options(tiny_pair, prompts), "--k", "0", "--peer", server, "--out", out, *as_json)
    with started(home, *asked) as process:
        wait_until_asked(server, 4)
        process.send_signal(by)
        outcome = finished(process)
    assert outcome.code == 130
    saved = json.loads(out.read_text())
    assert not saved["complete"]
    assert 0 < len(saved["runs"]) < 8
    if as_json:
        assert outcome.json == saved
    else:
        assert "Interrupted. These are the results so far." in outcome.out


def test_interrupted_before_anything_was_measured(home: Path, tiny_pair: Pair, prompts: Path, tmp_path: Path) -> None:
    server, out = make_server(tmp_path, "hangs"), tmp_path / "results.json"
    with started(home, *options(tiny_pair, prompts), "--k", "0", "--peer", server, "--out", out) as process:
        wait_until_asked(server, 1)
        process.send_signal(signal.SIGINT)
        outcome = finished(process)
    assert (outcome.code, outcome.stdout) == (130, b"")
    assert not out.exists()


def test_progress_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    line = BenchProgressLine(lambda: now[0])
    for seconds, done in ((0, 0), (29, 1), (2, 2), (20, 3), (11, 4), (30, 8)):
        now[0] += seconds
        left = None if done < 4 else 22.5 * (8 - done)
        line.show(BenchProgress(done, 8, left, BenchMethod(Path("a.gguf")) if done else None))
    assert capsys.readouterr().err.splitlines() == [
        "plain: 2 of 8 answers",
        "plain: 4 of 8 answers, 1 min 30 s left",
        "plain: 8 of 8 answers",
    ]


def test_help(home: Path) -> None:
    assert "--per-workload" in run_process(home, "bench", "--help").out


def test_prompts_of_a_text(commands: Commands, tiny_pair: Pair, tmp_path: Path) -> None:
    path = tmp_path / "prompts.txt"
    path.write_text("Hello\n\nAnd you?\n")
    report = commands.run(*options(tiny_pair, path), "--k", "0", "--json").json
    assert {run["workload"] for run in report["runs"]} == {"own"}
    assert len(report["runs"]) == 2 * 2
