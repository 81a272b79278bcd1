"""The guesses that engines report, of one answer and of all."""

import pytest
from support.scripted_dialects import CHAT, ask, load, make_lm_studio, make_sglang, make_vllm
from support.scripted_engine import Reply, ScriptedEngine, delta, events, reply, usage

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import GuessTotals
from specchat.domain.engine_address import parse_engine_address
from specchat.services.connections.dialects import detect_dialect
from specchat.services.connections.engine_api import EngineApi
from specchat.services.connections.remote_engine import RemoteEngine
from specchat.sources.engine_http import EngineHttp


def test_vllm_tells_what_was_accepted_at_the_end(engine: RemoteEngine, server: ScriptedEngine) -> None:
    make_vllm(server)
    metrics = {"speculative_decoding": {"num_draft_tokens": 30, "num_accepted_draft_tokens": 12, "num_spec_steps": 10}}
    server.replies[CHAT] = events(delta("It"), delta(" is.", "stop"), usage(7, 22, metrics=metrics))
    load(engine, server)
    stats = ask(engine)[1].stats
    assert (stats.n_drafted, stats.n_accepted, stats.n_verify_steps) == (30, 12, 10)
    assert (stats.acceptance_rate, stats.mean_accepted_length) == (0.4, 2.2)
    assert stats.drafted_per_source == {"unknown": 30}
    assert stats.speculation == "on"


@pytest.mark.parametrize("place", ["stats", "usage"])
def test_lm_studio_tells_what_was_accepted(engine: RemoteEngine, server: ScriptedEngine, place: str) -> None:
    make_lm_studio(server)
    counts = {"total_draft_tokens_count": 30, "accepted_draft_tokens_count": 12, "rejected_draft_tokens_count": 18}
    last = usage(7, 22)
    last[place] = {**last.get(place, {}), **counts}  # type: ignore[dict-item]
    server.replies["/api/v0/chat/completions"] = events(delta("It is.", "stop"), last)
    load(engine, server)
    stats = ask(engine)[1].stats
    assert (stats.n_drafted, stats.n_accepted, stats.n_verify_steps) == (30, 12, 10)


METRICS = b"""# HELP vllm:spec_decode_num_draft_tokens_total Number of draft tokens.
vllm:spec_decode_num_draft_tokens_total{model_name="a"} 100.0
vllm:spec_decode_num_draft_tokens_total{model_name="b"} 20.0
vllm:spec_decode_num_accepted_tokens_total{model_name="a"} 90.0
vllm:spec_decode_num_accepted_tokens_per_pos_total{position="0"} 7.0
"""


@pytest.mark.parametrize(
    ("metrics", "totals"),
    [
        (METRICS, GuessTotals(120, 90)),
        (METRICS.replace(b" 90.0", b" 900.0"), None),
        (METRICS.replace(b" 90.0", b" NaN"), None),
        (b"", None),
    ],
)
def test_what_it_counts_for_everyone(server: ScriptedEngine, metrics: bytes, totals: GuessTotals | None) -> None:
    make_vllm(server)
    server.replies |= {"/metrics": Reply(metrics, kind="text/plain"), "/version": reply({"version": "0.32.0"})}
    api = EngineApi(EngineHttp(), parse_engine_address(server.url))
    dialect = detect_dialect(api, CancelToken())
    assert dialect.read_totals(api, CancelToken()) == totals
    assert dialect.read_version(api, CancelToken()) == "0.32.0"


@pytest.mark.parametrize(("told", "mean"), [(2.5, 2.5), (0.5, None), ("many", None), (None, None), (10**400, None)])
def test_a_mean_for_everyone(server: ScriptedEngine, told: object, mean: float | None) -> None:
    make_sglang(server)
    server.replies["/server_info"] = reply({"internal_states": [{"avg_spec_accept_length": told}]})
    api = EngineApi(EngineHttp(), parse_engine_address(server.url))
    found = detect_dialect(api, CancelToken()).read_totals(api, CancelToken())
    assert (found and found.mean_length) == mean
