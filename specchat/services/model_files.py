"""Model files before they are loaded: what a reference names, what a header says, whether two go together."""

import os
import re
from pathlib import Path

from specchat.domain.errors import IncompatibleError, ModelFileError
from specchat.gguf.compatibility import Compatibility, Verdict
from specchat.gguf.files import compare_files, read_model
from specchat.gguf.summary import ModelSummary
from specchat.services.demo_pair import DEMO, demo_draft, demo_file

_ON_THE_HUB = re.compile(r"[\w.-]+/[\w.-]+(@[\w./-]+)?:.+\.gguf")


def resolve(reference: str) -> Path:
    """Whether the file is there and readable shows when it is read."""
    demo = demo_file(reference)
    if demo is not None:
        return demo
    path = _at_home(Path(reference))
    if _ON_THE_HUB.fullmatch(reference) and not os.path.exists(path):
        raise ModelFileError(
            f"{reference} is a model on the Hub, which this version cannot open.",
            "Download the file and give its path.",
        )
    return path


def resolve_pair(target: str, draft: str | None) -> tuple[Path, Path | None]:
    """The demo brings its draft along."""
    if draft == DEMO or (draft is None and target == DEMO):
        return resolve(target), demo_draft()
    return resolve(target), resolve(draft) if draft is not None else None


def _at_home(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError:  # ~ of nobody here is an ordinary character
        return path


def inspect(reference: str) -> ModelSummary:
    return read_model(resolve(reference))


def compare(target: str, draft: str) -> Compatibility:
    target_file, draft_file = resolve_pair(target, draft)
    assert draft_file is not None
    return compare_files(target_file, draft_file)


def require_compatible(target: Path, draft: Path) -> Compatibility:
    result = compare_files(target, draft)
    if result.verdict is Verdict.INCOMPATIBLE:
        raise IncompatibleError(
            f"{draft.name} cannot draft for {target.name}: {result.reasons[0].message}",
            "Choose a draft of the target's own family, or leave the draft out.",
        )
    return result
