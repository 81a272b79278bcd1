"""Tools: a call that asks for consent, its result, and the settings of servers."""

import sys
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QWidget
from support.stage import ONE, Scene, Stage, settle
from support.windows import wait_until

from specchat.domain.tool_servers import ServerState, ToolServerConfig
from specchat.domain.tools import CalledTool, CallState
from specchat.domain.types import ToolCall

RAW = str(Path(__file__).parent / "mcp" / "raw_server.py")
_HARBOR = ToolCall("call00001", "files__look", '{"path": "minutes/harbour.txt", "lines": [1, 40]}')


def tool_settings(stage: Stage) -> None:
    service = stage.controller.tools.service
    weather = ("weather-server", "--city", "Oslo", "--token", "t-123456")
    service.file.save(ToolServerConfig("weather", "uvx", weather, {"API_KEY": "k-123456"}))
    service.file.save(ToolServerConfig("search", url="https://search.example/mcp"))
    for name, kind in (("files", "plain"), ("notes", "dies")):
        service.file.save(ToolServerConfig(name, sys.executable, ("-S", "-E", RAW, kind)))
    configs = {server.config.name: server.config for server in service.servers()}
    service.enable(configs["files"])
    service.enable(configs["notes"])
    service.consents.enable(ToolServerConfig("search", url="https://old.example/mcp"))
    wanted = {"files": ServerState.RUNNING, "notes": ServerState.FAILED}

    def is_ready() -> bool:
        return all(each.status.state is wanted.get(each.config.name, each.status.state) for each in service.servers())

    wait_until(is_ready, "the servers are not ready")
    stage.open(0)
    session = stage.controller.session
    if session.pair is not None:
        session.set_pair(replace(session.pair, calls_tools=True))
    stage.controller.settings.open("tools")
    settle()


def left_out(stage: Stage) -> None:
    """The context has no room for one of the tools."""
    tool_settings(stage)
    page = stage.controller.settings.page()

    def is_shown() -> bool:
        stage.controller.tools.set_n_left_out(1)  # until the context is counted, which says otherwise
        return page.findChild(QWidget, "toolsWithoutRoom") is not None

    wait_until(is_shown, "nothing is said of it")
    settle()


def enabling(stage: Stage) -> None:
    tool_settings(stage)
    card = stage.controller.settings.page().tools_page.cards[0]
    card.switch.click()
    settle()


def adding(stage: Stage) -> None:
    tool_settings(stage)
    stage.controller.settings.page().tools_page.add.click()
    settle()


def call(stage: Stage) -> None:
    tool_settings(stage)
    stage.controller.window.leave_page()
    messages = stage.controller.services.messages
    path = stage.controller.session.path
    messages.add_calls(path[-1].id, [CalledTool(_HARBOR, "files", "look")])
    stage.controller.chat.reload_path()
    settle()


def gone(stage: Stage) -> None:
    """The server was removed while its call waited."""
    call(stage)
    stage.controller.tools.service.remove("files")
    settle()


def results(stage: Stage) -> None:
    call(stage)
    controller = stage.controller
    waiting = controller.session.path[-1]
    messages = controller.services.messages
    messages.save_result(waiting.id, CallState.DONE, "The harbour wall is to be repaired by October.\nMoved by Ada.")
    added = messages.add_calls(
        waiting.id, [CalledTool(_HARBOR, "files", "remove"), CalledTool(_HARBOR, "files", "look")]
    )
    messages.save_result(added[0].id, CallState.DENIED, "")
    messages.save_result(added[1].id, CallState.FAILED, "No such file.")
    controller.chat.reload_path()
    settle()
    canvas = controller.window.transcript
    canvas.toggle_fold(canvas.message_layout.row(len(canvas.message_layout.entries) - 3), 0)
    settle()


def _dialog(stage: Stage) -> QWidget:
    return stage.dialog()


SCENES = {
    "tool-settings": Scene(tool_settings, sizes=ONE, twice=True),
    "tool-left-out": Scene(left_out, sizes=ONE),
    "tool-enabling": Scene(enabling, _dialog, ONE),
    "tool-adding": Scene(adding, _dialog, ONE),
    "tool-call": Scene(call, sizes=ONE, twice=True),
    "tool-gone": Scene(gone, sizes=ONE),
    "tool-results": Scene(results, sizes=ONE),
}
