"""What is shown of many answers, against what llama-server itself has counted."""

from pathlib import Path

import pytest
from support.engine_servers import has_llama_server, llama_server

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
OPTIONS = ("--spec-type", "draft-simple", "--spec-draft-n-max", "4", "-c", "1024", "--metrics")


@pytest.mark.llama_server
@pytest.mark.skipif(not has_llama_server(), reason="SPECCHAT_TEST_LLAMA_SERVER is not set")
def test_the_figures_of_many_answers_are_the_engines_own(pair: tuple[Path, Path]) -> None:
    target, draft = pair
    drafted = accepted = 0
    with llama_server("-m", target, "-md", draft, *OPTIONS) as url:
        engine = RemoteEngine(EngineHttp())
        engine.load(PairChoice(ServedModel(url)), CancelToken(), lambda *_: None)
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
        totals = LlamaServerDialect().read_totals(EngineApi(EngineHttp(), parse_engine_address(url)), CancelToken())
    assert totals == GuessTotals(drafted, accepted)
    assert drafted > ANSWERS
