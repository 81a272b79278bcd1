"""Notes about options that were followed but were probably not intended."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from specchat.cli.output import one_line, print_note
from specchat.cli.quantities import format_size
from specchat.domain.compute_settings import CONTEXT_STEP
from specchat.domain.errors import UserError
from specchat.domain.rpc import rpc_warning
from specchat.domain.types import CacheType
from specchat.services.models.early_exit_store import EarlyExit

REPLACED_SUFFIX = ", replacing its previous content"


def note_small_context(asked: int | None) -> None:
    if asked is not None and asked < CONTEXT_STEP:
        print_note(f"Note: -c {asked} is too small; using the minimum of {CONTEXT_STEP} tokens.")


def note_rpc(servers: Sequence[str]) -> None:
    if warning := rpc_warning(servers):
        print_note(f"Note: {warning}")


def note_many_threads(asked: int | None) -> None:
    """They wait for one another: with 16 times as many as can run, an answer takes 50 times as long."""
    cores = _usable_cores()
    if asked is not None and asked > cores:
        print_note(
            f"Note: -t {asked} is more threads than this computer can run at once ({cores}), and makes answers slow. "
            f"Use -t {cores} or less."
        )


def _usable_cores() -> int:
    """The logical ones."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def note_large_context(asked: int | None, target: Path) -> None:
    if asked is None:
        return
    from specchat.services.models.header_facts import read_model_facts

    with suppress(UserError):  # whoever reads the file next says why
        longest = read_model_facts(target).n_ctx_train
        if longest is not None and asked > longest:
            print_note(
                f"Note: The target was trained for a context of {longest:,} tokens. "
                f"With -c {asked}, answers may get worse in long chats."
            )


def note_flash_attention(asked: bool | None, cache_type: CacheType, *, exact: bool) -> None:
    if asked is False and (exact or cache_type is not CacheType.F16):
        needing = "exact mode" if exact else f"--cache-type {cache_type}"
        print_note(f"Note: Ignoring -fa off because {needing} needs flash attention.")


def note_early_exit(target: EarlyExit | None) -> None:
    if target is not None:
        print_note(
            f"Note: {one_line(target.path.name)} has only the first layers of {one_line(target.target.name)}, and "
            "can't answer well by itself. Use it as the draft: --draft-type early-exit"
        )


def note_larger_draft(target: Path, draft: Path | None) -> None:
    if draft is None:
        return
    from specchat.services.drafts.draft_facts import read_draft_facts

    with suppress(UserError):  # whoever reads the files next says why
        sizes = read_draft_facts(target).size, read_draft_facts(draft).size
        if sizes[1] > sizes[0]:
            sizes_note = f"The draft ({format_size(sizes[1])}) is larger than the target ({format_size(sizes[0])})"
            print_note(f"Note: {sizes_note} and can only slow it down. Did you swap them?")
        elif sizes[1] == sizes[0]:
            print_note("Note: The draft is not smaller than the target and can only slow it down.")
