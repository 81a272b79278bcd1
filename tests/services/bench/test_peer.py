"""llama-server beside us: a program that listens as it does stands for it."""

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from support.benches import PROMPTS
from support.known_loads import knowing_loader
from support.peer_server import log_of, make_server

from specchat.domain.benchmark import BenchMethod, BenchPlan
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import ModelLoadError
from specchat.domain.types import Device, SamplingParams
from specchat.services.bench import memory_groups
from specchat.services.bench.llama_server import build_server_command
from specchat.services.bench.plan import plan_methods
from specchat.services.bench.runner import Benchmark
from specchat.services.generation.pair_loader import PairLoader

Pair = tuple[Path, Path]


@pytest.fixture
def loader() -> PairLoader:
    return knowing_loader()


def plan(pair: Pair, server: Path) -> BenchPlan:
    sampling = SamplingParams(temperature=0, seed=(1 << 40) + 7)
    return BenchPlan(
        plan_methods([pair], (0, 3), peer=server), PROMPTS[:1], 1, 12, sampling, 512, threads=1, ignore_eos=True
    )


def entries(server: Path, key: str) -> list[Any]:
    lines = map(json.loads, log_of(server).read_text().splitlines())
    return [line[key] for line in lines if key in line]


def all_end(pids: Iterable[int]) -> bool:
    """Soon, that is: a busy machine takes its time to end what was killed."""
    latest = time.monotonic() + 60
    while any(map(_runs, pids)):
        if time.monotonic() > latest:
            return False
        time.sleep(0.05)
    return True


def _runs(pid: int) -> bool:
    """One that ended may wait for ever in a container for somebody to look after it."""
    try:
        return bool(psutil.Process(pid).status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD))
    except psutil.NoSuchProcess:
        return False


@contextmanager
def cancelling_when(condition: Callable[[], object], cancel: CancelToken) -> Iterator[None]:
    ended = threading.Event()

    def watch() -> None:
        while not (condition() or ended.wait(0.01)):
            pass
        cancel.cancel()

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def test_it_is_given_the_same_tokens_and_the_same_sampling(loader: PairLoader, tiny_pair: Pair, tmp_path: Path) -> None:
    server = make_server(tmp_path)
    asked = plan(tiny_pair, server)
    report = Benchmark(asked, loader, CancelToken(), free=lambda _: 1 << 40).run()
    assert report.complete
    assert report.problems == ()
    bodies = entries(server, "asked")
    ours = {run.stats.n_prompt for run in report.runs}
    assert {len(body["prompt"]) for body in bodies if body["n_predict"] == 12} >= ours
    assert {(body["cache_prompt"], body["ignore_eos"], body["temperature"], body["seed"]) for body in bodies} == {
        (False, True, 0, 7)
    }
    peers = {run.method.draft_max: run for run in report.runs if run.method.peer}
    assert peers.keys() == {0, 3, None}
    assert peers[0].stats.tokens_per_s == pytest.approx(100)
    assert (peers[3].stats.n_drafted, peers[3].stats.n_accepted) == (12, 6)
    assert peers[3].stats.mean_accepted_length == 2
    assert (peers[3].stats.ttft_s, peers[3].same_as_plain) == (0.02, None)
    assert all(row.ratio for row in report.rows if row.method.peer)
    assert all_end(entries(server, "pid"))


def test_how_it_is_started() -> None:
    method = BenchMethod(Path("t.gguf"), Path("d.gguf"), "model", 5, Path("server"))

    def command(method: BenchMethod) -> list[str]:
        return build_server_command(method, 8123, n_ctx=512, threads=2, layers=None, draft_layers=0)

    drafting = " ".join(command(method))
    assert drafting.startswith("server -m t.gguf -c 512 -np 1 --offline -t 2 -tb 2 -ngl 999 --host 127.0.0.1 ")
    assert "-md d.gguf -ngld 0 -td 2 -tbd 2 --spec-type draft-simple --spec-draft-n-max 5" in drafting
    assert "--spec-type draft-eagle3" in " ".join(command(replace(method, draft_type="eagle3")))
    mtp = command(BenchMethod(method.target, None, "mtp", 5, method.peer))
    assert ("-md" in mtp, "draft-mtp" in mtp) == (False, True)
    assert "--spec-draft-n-max" not in command(replace(method, draft_max=None))
    assert "-md" not in command(BenchMethod(method.target, peer=method.peer))


def test_one_that_does_not_start(loader: PairLoader, tiny_pair: Pair, tmp_path: Path) -> None:
    server = make_server(tmp_path, "dies")
    with pytest.raises(ModelLoadError) as caught:
        Benchmark(plan(tiny_pair, server), loader, CancelToken()).run()
    assert caught.value.message == "llama-server-dies failed to start: error: it cannot load this"


def test_a_file_that_cannot_be_run(loader: PairLoader, tiny_pair: Pair, tmp_path: Path) -> None:
    server = tmp_path / "server"
    server.write_bytes(b"no program at all")
    server.chmod(0o755)
    with pytest.raises(ModelLoadError, match="server failed to start: "):
        Benchmark(plan(tiny_pair, server), loader, CancelToken()).run()


@pytest.mark.parametrize("kind", ["gpu", "cpu"])
def test_one_that_found_no_graphics_card(
    loader: PairLoader, tiny_pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """It is told where ours uses one."""
    server = make_server(tmp_path, "no-gpu")
    monkeypatch.setattr(memory_groups, "list_devices", lambda: [Device("Card0", "A card", kind, 1 << 30, 1 << 30)])
    report = Benchmark(plan(tiny_pair, server), loader, CancelToken(), free=lambda _: 1 << 40).run()
    found = "llama-server-no-gpu found no GPU and ran on the CPU, so its results aren't comparable."
    assert [str(problem) for problem in report.problems] == ([found] if kind == "gpu" else [])


def test_one_that_fails_when_asked_is_told_and_ours_go_on(loader: PairLoader, tiny_pair: Pair, tmp_path: Path) -> None:
    """The warm-up is answered elsewhere: this one has no room beside us, and comes when something is measured."""
    server = make_server(tmp_path, "fails")
    report = Benchmark(plan(tiny_pair, server), loader, CancelToken(), free=lambda _: 0).run()
    assert report.complete
    assert {run.method.peer for run in report.runs} == {None}
    assert len(report.runs) == 2
    assert len(report.problems) == 1 + 3
    assert all("llama-server didn't respond" in problem for problem in report.problems[1:])


def test_cancelled_while_it_answers(loader: PairLoader, tiny_pair: Pair, tmp_path: Path) -> None:
    server = make_server(tmp_path, "hangs")
    cancel = CancelToken()
    with cancelling_when(lambda: log_of(server).exists() and entries(server, "asked"), cancel):
        report = Benchmark(plan(tiny_pair, server), loader, cancel, free=lambda _: 0).run()
    assert not report.complete
    assert len(report.runs) == 2
    assert all_end(entries(server, "pid"))
