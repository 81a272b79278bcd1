"""Pairs that come and go: lost amid an answer, and others in their place."""

import os
import sys
from dataclasses import replace
from pathlib import Path

from support.calling_model import COLORS, make_calling_model
from support.choices import choice_of
from support.day.hands import LONG_TOKENS, Hands
from support.day.other_engine import other_engine
from support.ggufs import make_pair
from support.processes import engines_below
from support.projectors import LLAVA
from support.windows import wait_for_pair, wait_until

from specchat.domain.model_ref import ServedModel
from specchat.domain.tool_servers import ToolServerConfig
from specchat.domain.tools import CallState
from specchat.domain.types import ModelSettings, PairChoice
from specchat.services.bench.llama_server import find_free_port

_SMALL = ModelSettings(n_ctx=1024, threads=1)
_LARGE = replace(_SMALL, n_ctx=8192)
_TOOLS = ToolServerConfig(
    "raw",
    sys.executable,
    ("-S", "-E", str(Path(__file__).parents[1] / "mcp" / "raw_server.py"), "tells_color"),
    {"SKY": COLORS[0]},
)


class Pairs:
    def __init__(self, hands: Hands, choice: PairChoice, folder: Path) -> None:
        self._hands, self._desk, self._choice, self._home = hands, hands.desk, choice, folder / "elsewhere"
        (folder / "endless").mkdir()
        self._files = make_pair(folder / "endless")
        self._endless = choice_of(*self._files, _LARGE, _LARGE, draft_type="model", draft_max=3)
        seeing, _ = LLAVA.make(folder / "seeing")
        self._seeing = choice_of(seeing, None, _SMALL, draft_type="none")
        self._calling = choice_of(make_calling_model(folder / "calling.gguf"), None, _SMALL, draft_type="none")
        self._desk.tools.service.file.save(_TOOLS)
        self._port = find_free_port()

    def load_endless(self) -> None:
        """Whose answers end where they are stopped."""
        self._hands.load(self._endless, "load another pair")

    def lose_process(self) -> None:
        """llama.cpp is killed amid an answer; the pair comes back, and the answer goes on."""
        self._hands.new_chat(LONG_TOKENS)
        self._hands.send()
        (engine,) = engines_below(os.getpid())
        with self._hands.noting("come back after a crash"):
            engine.kill()
            self._hands.listener.failure()
            wait_for_pair(self._desk)
        self._hands.try_again()

    def load_seeing(self) -> None:
        self._hands.load(self._seeing, "load a model that sees pictures")

    def call_tool(self) -> None:
        self._hands.load(self._calling, "load a model")
        tools = self._desk.tools.service
        tools.enable(_TOOLS)
        wait_until(lambda: tools.find("raw", "look") is not None, "the tool is not there")
        self._hands.new_chat()
        with self._hands.noting("call a tool, and answer"):
            self._hands.ask()
            self._hands.click("allowCall")
            self._hands.listener.end()
        calls = [message.called.state for message in self._desk.session.path if message.called is not None]
        assert calls == [CallState.DONE]
        tools.disable("raw")

    def lose_connection(self) -> None:
        """Another engine goes away amid an answer, and comes back."""
        target, draft = self._files
        begin = (self._home, self._port, "-m", target, "-md", draft, "--draft-max", 3, "-c", _LARGE.n_ctx)
        with other_engine(*begin) as url:
            self._hands.load(PairChoice(ServedModel(url, target.name)), "load another engine's model")
            self._hands.new_chat(LONG_TOKENS)
            self._hands.send()
        self._hands.listener.failure()
        with other_engine(*begin):
            self._hands.try_again()

    def load_anew(self) -> None:
        """Without its draft, and with it again."""
        for choice in (replace(self._choice, draft=None, draft_type="none"), self._choice):
            self._hands.load(choice, "load a pair")
