"""The states of connections to other engines of which pictures are taken. What the engines would say is shown."""

from collections.abc import Mapping
from dataclasses import replace

from PySide6.QtWidgets import QLineEdit
from support import dialog_scenes
from support.stage import ONE, SMALL, Scene, Stage, settle

from specchat.domain.answer_tasks import PairInfo
from specchat.domain.connections import Capability, Connection, EngineReport, GuessTotals, ListedModel
from specchat.domain.engine_address import parse_engine_address
from specchat.domain.errors import EngineKeyError, EngineUnreachableError, RemoteEngineError, RpcError, UserError
from specchat.domain.model_ref import ServedModel
from specchat.domain.rpc import RpcDevice, RpcServer
from specchat.domain.speculation_status import NOT_REPORTED, ON
from specchat.domain.types import UNKNOWN, GenerationStats, PairChoice
from specchat.services.connections.dialects.openai import NO_CONTINUE, NO_COUNT, NO_GUESSES, NO_SETTING
from specchat.services.connections.engine_keys import exposure_warning
from specchat.services.connections.remote_answer import cut_off_error
from specchat.services.generation.stats_tracker import StatsSnapshot
from specchat.ui.engines.engine_card import EngineCard
from specchat.ui.engines.engine_list import EngineEntry
from specchat.ui.engines.key_dialog import KeyDialog
from specchat.ui.machines.machine_list import MachineEntry
from specchat.ui.models.manager_view import ManagerSection
from specchat.ui.overlay.reply_stats import ReplyStats

STUDIO, BOX, RACK = "http://localhost:1234", "http://192.168.1.20:8080", "https://gpu.example.org"
FAR = exposure_warning(parse_engine_address(BOX), has_key=True)
LACKS = {
    Capability.CONTINUE: NO_CONTINUE,
    Capability.GUESSES: NO_GUESSES,
    Capability.COUNT: NO_COUNT,
    Capability.TOP_K: NO_SETTING,
    Capability.MIN_P: NO_SETTING,
    Capability.REPEAT_PENALTY: NO_SETTING,
}
OF_STUDIO = EngineReport(
    STUDIO,
    "LM Studio",
    (ListedModel("qwen2.5-coder-7b-instruct", True, 8192), ListedModel("llama-3.2-3b-instruct", False)),
    LACKS,
)
OF_BOX = EngineReport(
    BOX,
    "llama-server",
    (ListedModel("/srv/models/Meta-Llama-3.1-70B-Instruct-Q4_K_M.gguf", True, 32_768),),
    {},
    () if FAR is None else (FAR,),
    "b6123-8ab1c2d",
    GuessTotals(48_210, 33_105),
)
UNREACHABLE = EngineUnreachableError(
    "Can't reach {where}.", "Check that the engine is running, and that its address and port are right.", where=RACK
)
ENTRIES = (
    EngineEntry(Connection("studio", STUDIO), OF_STUDIO),
    EngineEntry(Connection("box in the next room", BOX), OF_BOX),
    EngineEntry(Connection("rack", RACK), error=UNREACHABLE),
    EngineEntry(Connection("ollama", "http://localhost:11434"), is_asked=True),
)
FOUND = EngineReport("http://127.0.0.1:8000", "vLLM", (ListedModel("Qwen/Qwen2.5-7B-Instruct", True, 32_768),))
IN_STUDIO = ServedModel(STUDIO, OF_STUDIO.models[0].id)
TOLD = GenerationStats(n_prompt=40, n_generated=212, ttft_s=0.3, tokens_per_s=41.2)
_OF_GUESSES = ("n_verify_steps", "mean_accepted_length", "acceptance_rate", "saved_s")
UNTOLD = replace(TOLD, speculation=NOT_REPORTED, unreported=_OF_GUESSES)
GUESSED = replace(
    TOLD,
    n_drafted=180,
    n_accepted=131,
    n_verify_steps=81,
    acceptance_rate=131 / 180,
    mean_accepted_length=212 / 81,
    drafted_per_source={UNKNOWN: 180},
    accepted_per_source={UNKNOWN: 131},
    speculation=ON,
    unreported=("saved_s",),
)

_CARD = RpcDevice(24 << 30, 22 << 30, 32, 1 << 40)
MACHINES = (
    MachineEntry("192.168.1.20:50052", RpcServer("192.168.1.20:50052", (_CARD, _CARD))),
    MachineEntry(
        "den:50052",
        error=RpcError(
            "The RPC server at {address} isn't responding: it may be in use.",
            "It serves one program at a time. Unload the model in the other program, or load without that machine.",
            address="den:50052",
        ),
    ),
)


def show(stage: Stage, entries: tuple[EngineEntry, ...]) -> None:
    engines = stage.controller.engines
    engines.refresh = lambda: None  # type: ignore[method-assign]
    engines.entries = entries
    engines.changed.emit()


def pane(stage: Stage, entries: tuple[EngineEntry, ...] = ()) -> None:
    show(stage, entries)
    stage.controller.models.manager().open_at(ManagerSection.ENGINES)
    settle()


def listed(stage: Stage) -> None:
    pane(stage, ENTRIES)


def found(stage: Stage) -> None:
    pane(stage, ENTRIES[:1])
    stage.controller.engines.searched.emit([FOUND])
    settle()
    stage.controller.models.manager().view.findChildren(EngineCard, "engineCard")[0].activated.emit(None)


def nothing_found(stage: Stage) -> None:
    pane(stage)
    stage.controller.engines.searched.emit([])


def machines(stage: Stage) -> None:
    pane(stage, ENTRIES[:1])
    listed = stage.controller.machines
    listed.entries = MACHINES
    listed.changed.emit()
    settle()


def adding_machine(stage: Stage) -> None:
    pane(stage)
    stage.controller.models.manager()._engines_pane.open_machine_dialog()
    stage.find(QLineEdit, "machineAddressField").setText("192.168.1.20")


def adding(stage: Stage) -> None:
    pane(stage)
    stage.controller.models.manager()._engines_pane.open_dialog()
    stage.find(QLineEdit, "engineAddressField").setText("192.168.1.20:8080")
    stage.find(QLineEdit, "engineKeyField").setText("sk-1234567890")


def adding_nonsense(stage: Stage) -> None:
    adding(stage)
    stage.find(QLineEdit, "engineAddressField").setText("ftp://box")


def key(stage: Stage) -> None:
    dialog = KeyDialog(parse_engine_address(BOX), f"{BOX} requires a key.", stage.controller.window)
    dialog.open()


def picker(stage: Stage, target: ServedModel = IN_STUDIO) -> None:
    dialog_scenes.pair_picker(stage)
    show(stage, ENTRIES)
    stage.controller.picker.show_served(PairChoice(target))
    settle()
    stage.controller.picker.open_below(stage.controller.window.header.pair)


def picker_far(stage: Stage) -> None:
    picker(stage, ServedModel(BOX, OF_BOX.models[0].id))


def loaded(stage: Stage) -> None:
    stage.open(0)
    show(stage, ENTRIES)
    info = PairInfo("qwen2.5-coder-7b-instruct", None, 8192, NOT_REPORTED, "", engine="LM Studio", lacks=LACKS)
    choice = PairChoice(ServedModel(STUDIO, "qwen2.5-coder-7b-instruct"))
    stage.controller.pair._last_attempt = choice
    stage.controller.session.set_pair(info, choice)
    stage.controller.pair._show_pair()
    settle()


def overlay(stage: Stage, stats: GenerationStats) -> None:
    loaded(stage)
    stage.controller.window.overlay.set_folded(False)
    settle()
    stage.controller.window.overlay.show_stats(StatsSnapshot.from_stats(stats))


def folded(stage: Stage, stats: GenerationStats) -> None:
    overlay(stage, stats)
    stage.controller.window.overlay.set_folded(True)


def settings(stage: Stage) -> None:
    loaded(stage)
    dialog_scenes.settings(stage)


def replies(stage: Stage) -> None:
    loaded(stage)
    titles = "What is a tide?", "And a spring tide?", "Why are there two a day?"
    stats = GUESSED, UNTOLD, replace(GUESSED, n_generated=80, tokens_per_s=38.0)
    shown = [ReplyStats(title, each, "qwen2.5-coder-7b") for title, each in zip(titles, stats, strict=True)]
    details = stage.controller.stats_overlay._details()
    details.show_replies(shown)
    stage.controller.window.show_page(details)


def failed(stage: Stage, error: UserError, words: str = "") -> None:
    loaded(stage)
    stage.controller.notifications.show_error(error, lambda: None, words)


def lost(stage: Stage) -> None:
    error: RemoteEngineError = cut_off_error(STUDIO, can_continue=True)
    failed(stage, error, "Continue")


def refused(stage: Stage) -> None:
    error = EngineKeyError("{where} rejected the key.", "specchat engines add", where=BOX)
    failed(stage, error)
    stage.dialog().close()


SCENES: Mapping[str, Scene] = {
    "engines-empty": Scene(pane, sizes=ONE),
    "engines": Scene(listed, twice=True),
    "engines-found": Scene(found, sizes=ONE),
    "engines-none-found": Scene(nothing_found, sizes=ONE, modes=("light",)),
    "engines-add": Scene(adding, Stage.dialog, ONE, twice=True),
    "engines-add-mistake": Scene(adding_nonsense, Stage.dialog, ONE, modes=("light",)),
    "machines": Scene(machines, twice=True),
    "machines-add": Scene(adding_machine, Stage.dialog, ONE, twice=True),
    "engine-key": Scene(key, Stage.dialog, ONE),
    "engine-key-refused": Scene(refused, sizes=ONE),
    "engine-lost": Scene(lost, sizes=ONE),
    "engine-picker": Scene(picker, Stage.picker, ONE, twice=True),
    "engine-picker-far": Scene(picker_far, Stage.picker, ONE),
    "engine-settings": Scene(settings, sizes=((900, 900),)),
    "engine-overlay": Scene(lambda stage: overlay(stage, UNTOLD), sizes=ONE, twice=True),
    "engine-overlay-guesses": Scene(lambda stage: overlay(stage, GUESSED), sizes=ONE),
    "engine-pill": Scene(lambda stage: folded(stage, GUESSED), sizes=(SMALL,), modes=("light",)),
    "engine-replies": Scene(replies, sizes=((1100, 700),)),
}
