"""Looks for an early exit in a process of its own, which may crash or be ended without harm."""

import json
import logging
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.backends.child import child_command, child_environment
from specchat.backends.child_process import MAX_REPLY, RunningChild, kill_tree, spawn
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import Cancelled, ComputeError, UserError
from specchat.domain.serialization import from_plain, to_plain
from specchat.domain.translatable_text import TranslatableText
from specchat.domain.types import ModelSettings
from specchat.services.engines import wire
from specchat.services.models.early_exit_store import EarlyExitStore
from specchat.services.models.model_files import find_local_path
from specchat.store.paths import Paths

if TYPE_CHECKING:  # what reads headers needs numpy
    from specchat.services.drafts.early_exit_offer import EarlyExitOffer, EarlyExitReport

log = logging.getLogger(__name__)

NAME = "early-exit"
_AS_USUAL = ModelSettings()


@dataclass(frozen=True, slots=True)
class EarlyExitTask:
    target: Path
    places: Paths
    settings: ModelSettings


def read_task(line: bytes) -> EarlyExitTask:
    """Reads the request of the parent process."""
    return from_plain(EarlyExitTask, json.loads(line))


class EarlyExitProcess:
    def __init__(self, places: Paths, store: Callable[[], EarlyExitStore]) -> None:
        self._places = places
        self._store = store

    def offer(self, reference: str) -> "EarlyExitOffer | None":
        """None: the target is not here, or has no layers for that."""
        from specchat.services.drafts.early_exit_offer import offer_early_exit

        with suppress(UserError):
            path = find_local_path(reference)
            return offer_early_exit(path) if path is not None else None
        return None

    def run(
        self,
        offer: "EarlyExitOffer",
        cancel: CancelToken,
        progress: Callable[[int, float], None],
        settings: ModelSettings = _AS_USUAL,
    ) -> "EarlyExitReport":
        """`progress`: with how many layers, and how far all of it is."""
        task = EarlyExitTask(offer.target.absolute(), self._places, settings)
        try:
            child = RunningChild(spawn(child_command(NAME), child_environment()))
        except OSError as error:
            raise ComputeError(
                "llama.cpp couldn't be started: {reason}", "Try again.", reason=error.strerror
            ) from error
        with ExitStack() as ended_early:
            ended_early.callback(self._store().delete_stale)
            ended_early.callback(_stop, child)
            with cancel.listening(lambda: kill_tree(child.process)), suppress(OSError):  # it died: reading says so too
                child.stdin.write(json.dumps(to_plain(task)).encode() + b"\n")
                child.stdin.flush()
                while (reply := _read_reply(child.stdout.readline(MAX_REPLY))) is not None:
                    match reply:
                        case UserError() | Cancelled():
                            raise reply
                        case n_layers, done:
                            progress(n_layers, done)
                        case report:
                            ended_early.pop_all()
                            child.stop()
                            return report
        cancel.check()
        raise ComputeError("llama.cpp stopped during the early exit test.", "Close other programs, and try again.")


def _read_reply(line: bytes) -> "EarlyExitReport | UserError | Cancelled | tuple[int, float] | None":
    """With a pair, how far it is. None: it died, perhaps while it wrote that."""
    from specchat.services.drafts.early_exit_offer import EarlyExitReport

    with suppress(ValueError, TypeError, KeyError):
        message = json.loads(line)
        if "failed" in message:
            return _read_failure(message["failed"])
        if "report" in message:
            return from_plain(EarlyExitReport, message["report"])
        n_layers, done = message["progress"]
        return int(n_layers), float(done)
    return None


def _read_failure(failed: dict[str, str]) -> UserError | Cancelled:
    said, hint = (from_plain(TranslatableText, failed[key]) for key in ("message", "hint"))
    return wire.to_error(wire.RequestFailed(failed["kind"], said, hint, failed["cause"]))


def _stop(child: RunningChild) -> None:
    if complaints := child.stop():
        log.info("The process that tried early exit said:\n%s", complaints)
