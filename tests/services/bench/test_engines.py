"""Other engines, measured beside the models that are here."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.known_loads import knowing_loader
from support.scripted_engine import Reply, ScriptedEngine, delta, events, reply, scripted_engine, usage

from specchat.domain.benchmark import NO_TARGET, BenchMethod, BenchPlan, BenchPrompt, BenchReport
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import IncapableError, RemoteEngineError
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import SamplingParams
from specchat.services.bench.plan import plan_engines, plan_methods
from specchat.services.bench.report_export import format_csv, report_to_json
from specchat.services.bench.runner import Benchmark
from specchat.services.connections.remote_engine import RemoteEngine
from specchat.services.generation.pair_loader import PairLoader
from specchat.sources.engine_http import EngineHttp

PROMPTS = (BenchPrompt("chat", "Hello", "Be brief."), BenchPrompt("code", "A loop"))
CHAT = "/v1/chat/completions"


def talkative(body: Any) -> Reply:
    """As many tokens as were asked for; half of the guesses held."""
    n = body["max_tokens"]
    timings = {"draft_n": n // 2, "draft_n_accepted": n // 4}
    return events(*[delta("a ")] * (n - 1), delta("a", "length", Timings=timings), usage(5, n, timings=timings))


@pytest.fixture
def servers() -> Iterator[list[ScriptedEngine]]:
    """llama-server, and one that does not tell what it guesses."""
    with scripted_engine() as one, scripted_engine() as other:
        for server, owner in ((one, "llamacpp"), (other, "somebody")):
            server.replies = {"/v1/models": reply({"data": [{"id": "small", "owned_by": owner}]}), CHAT: talkative}
        yield [one, other]


@pytest.fixture
def loader() -> PairLoader:
    return knowing_loader()


def run(loader: PairLoader, servers: list[ScriptedEngine], *here: BenchMethod, engines: int = 2) -> BenchReport:
    pairs = [(method.target, method.draft) for method in here]
    served = [ServedModel(server.url, "small") for server in servers[:engines]]
    methods = (*here, *plan_engines(pairs, served))
    plan = BenchPlan(methods, PROMPTS, 2, 12, SamplingParams(temperature=0, seed=5), 512, threads=1)
    connect = lambda: RemoteEngine(EngineHttp(), reuses_prompts=False)  # noqa: E731
    return Benchmark(plan, loader, CancelToken(), connect=connect).run()


def test_they_take_turns_with_a_model_of_this_computer(
    loader: PairLoader, servers: list[ScriptedEngine], tiny_llama: Path
) -> None:
    (plain,) = plan_methods([(tiny_llama, None)], (), "none")
    report = run(loader, servers, plain)
    assert report.complete
    assert not report.problems
    assert len(report.runs) == 3 * len(PROMPTS) * 2
    orders = [[run.method for run in report.runs[at : at + 3]] for at in range(0, len(report.runs), 3)]
    assert all(len(set(order)) == 3 for order in orders)
    assert len({order[0] for order in orders}) > 1
    overall = {row.method: row for row in report.rows if row.workload is None}
    of_llama, of_other = (overall[method] for method in report.plan.methods[1:])
    assert of_llama.ratio is not None
    assert of_llama.ratio.n == 4
    assert (of_llama.acceptance_rate, of_llama.n_drafted, of_other.n_drafted) == (0.5, 24, 0)
    assert of_llama.same_as_plain is None
    assert not any(servers[0].url in sentence for sentence in report.advice)


def test_all_are_asked_the_same(loader: PairLoader, servers: list[ScriptedEngine]) -> None:
    run(loader, servers)
    asked = [[each.body for each in server.asked if each.line.endswith(CHAT)] for server in servers]
    assert [body["messages"] for body in asked[0]] == [body["messages"] for body in asked[1]]
    assert {body["seed"] for body in asked[0][1:]} == {5, 6}
    assert asked[0][1]["messages"][0] == {"role": "system", "content": "Be brief."}
    assert all(body["cache_prompt"] is False for body in asked[0])
    assert not any("cache_prompt" in body for body in asked[1])


def test_what_is_not_reported_stays_empty(loader: PairLoader, servers: list[ScriptedEngine]) -> None:
    report = run(loader, servers)
    assert {method.target for method in report.plan.methods} == {NO_TARGET}
    plain = report_to_json(report)
    assert isinstance(plain["runs"], list)
    stats = {run["name"]: run["stats"] for run in plain["runs"]}
    assert stats[f"{servers[0].url}#small"]["acceptance_rate"] == 0.5
    assert stats[f"{servers[1].url}#small"]["acceptance_rate"] is None
    heading, *lines = format_csv(report).splitlines()
    column = heading.split(",").index("acceptance_rate")
    assert {line.split(",")[column] for line in lines} == {"0.5", ""}


def test_one_that_fails_is_named(loader: PairLoader, servers: list[ScriptedEngine]) -> None:
    servers[1].replies[CHAT] = lambda body: talkative(body) if body["seed"] == 5 else Reply(b"", 500)
    report = run(loader, servers)
    assert f"default settings ({servers[1].url}#small): {servers[1].url} has a problem (error 500)." in report.problems
    assert len(report.runs) == 2 * 2 + 2


def test_one_that_does_not_count_tokens(loader: PairLoader, servers: list[ScriptedEngine]) -> None:
    """Its pieces may be any number of tokens."""
    servers[1].replies[CHAT] = events(delta("It is warm today. " * 20), delta("It is. " * 20, "stop"))
    with pytest.raises(IncapableError, match=f"{servers[1].url} doesn't report how many tokens"):
        run(loader, servers)


def test_one_that_is_not_there(loader: PairLoader, servers: list[ScriptedEngine]) -> None:
    servers[0].replies.clear()
    with pytest.raises(RemoteEngineError):
        run(loader, servers)
