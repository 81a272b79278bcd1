"""What is shown of many answers, against what llama-server itself has counted."""

import pytest
from support.engine_servers import Served

from specchat.domain.cancel_token import CancelToken
from specchat.domain.connections import GuessTotals
from specchat.domain.engine import ChatTask
from specchat.domain.engine_address import parse_engine_address
from specchat.domain.model_ref import ServedModel
from specchat.domain.types import GenerationFinished, Message, PairChoice, Role, SamplingParams, TokenEvent
from specchat.services.connections.dialects.llama_server import LlamaServerDialect
from specchat.services.connections.engine_api import EngineApi
from specchat.services.connections.remote_engine import RemoteEngine
from specchat.services.generation.stats_tracker import StatsTracker
from specchat.sources.engine_http import EngineHttp

ANSWERS = 50


@pytest.mark.llama_server
def test_the_figures_of_many_answers_are_the_engines_own(engine: RemoteEngine, llama_server_with_draft: Served) -> None:
    url = llama_server_with_draft.url
    engine.load(PairChoice(ServedModel(url)), CancelToken(), lambda *_: None)
    before = totals(url)
    drafted, accepted = before.drafted, before.accepted
    for seed in range(ANSWERS):
        asked = (Message(Role.USER, f"Tell me of {seed} things"),)
        tracker = StatsTracker()
        for event in engine.generate(ChatTask(asked, SamplingParams(seed=seed), 16), CancelToken()):
            if isinstance(event, TokenEvent) and event.step is not None:
                tracker.add_step(event.step)
            if isinstance(event, GenerationFinished):
                shown = tracker.finish(event.stats)
                drafted, accepted = drafted + shown.drafted, accepted + shown.accepted
                assert tracker.snapshot().drafted <= shown.drafted
    assert totals(url) == GuessTotals(drafted, accepted)
    assert drafted - before.drafted > ANSWERS


def totals(url: str) -> GuessTotals:
    api = EngineApi(EngineHttp(), parse_engine_address(url))
    return LlamaServerDialect().read_totals(api, CancelToken()) or GuessTotals(0, 0)
