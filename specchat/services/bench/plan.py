"""Plans the methods that a benchmark compares and checks that they can run."""

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from specchat.domain.benchmark import AUTO_POLICY, NO_TARGET, TREE_POLICY, BenchMethod, BenchPlan
from specchat.domain.drafter_types import AUTO, DRAFTER_TYPES, MODEL, NONE
from specchat.domain.errors import SettingError
from specchat.domain.heads import HeadKind
from specchat.domain.model_ref import ModelFile, ServedModel
from specchat.domain.types import NGRAM
from specchat.drafters import require_known_drafter
from specchat.engine.stop_rules import POLICIES, require_known_policy
from specchat.gguf.files import read_model, require_compatible
from specchat.services.models.head_lookup import draft_type_of, has_mtp
from specchat.services.models.model_files import require_downloaded, resolve_pair

__all__ = [
    "DEFAULT_LENGTHS",
    "POLICIES",
    "Pairs",
    "find_server",
    "plan_engines",
    "plan_methods",
    "require_usable",
    "resolve_pairs",
]

Pairs = Sequence[tuple[Path, Path | None]]

DEFAULT_LENGTHS: tuple[int | None, ...] = (0, 2, 4, 8, None)


def resolve_pairs(targets: Sequence[str], drafts: Sequence[str]) -> Pairs:
    """Each target with each draft, or with the one that it brings along."""
    require_downloaded([*targets, *drafts])
    named: Sequence[str | None] = drafts or [None]
    return [resolve_pair(target, draft) for target in targets for draft in named]


def plan_methods(
    pairs: Pairs,
    lengths: Sequence[int | None],
    draft_type: str = "auto",
    peer: Path | None = None,
    policies: Sequence[str] = (AUTO_POLICY,),
) -> tuple[BenchMethod, ...]:
    """Plain decoding by each target, asked for or not, and each pair with each length."""
    found: dict[BenchMethod, None] = {}
    for target, draft in pairs:
        found[BenchMethod(target)] = None
        found |= dict.fromkeys(_guessing(target, draft, lengths, draft_type, policies))
        if peer is not None:
            found |= dict.fromkeys(_by_peer(target, draft, lengths, peer))
    return tuple(found)


def plan_engines(pairs: Pairs, engines: Sequence[ServedModel]) -> tuple[BenchMethod, ...]:
    """They are compared with plain decoding by the first target, if there is one."""
    target = pairs[0][0] if pairs else NO_TARGET
    return tuple(dict.fromkeys(BenchMethod(target, engine=str(engine)) for engine in engines))


def _guessing(
    target: Path, draft: Path | None, lengths: Sequence[int | None], draft_type: str, policies: Sequence[str]
) -> Iterator[BenchMethod]:
    if draft_type == NONE:
        return
    if draft is None and draft_type in (AUTO, MODEL):
        draft_type = HeadKind.MTP.value if has_mtp(ModelFile(target)) else NGRAM
    known = DRAFTER_TYPES.get(draft_type)
    if known is not None and not known.is_draft:
        draft = None
    for length in lengths:
        if length:
            yield BenchMethod(target, draft, draft_type, length)
            if TREE_POLICY in policies:
                yield BenchMethod(target, draft, draft_type, length, policy=TREE_POLICY)
        elif length is None:
            # auto makes trees itself
            of_auto = [AUTO_POLICY if policy == TREE_POLICY else policy for policy in policies]
            yield from (BenchMethod(target, draft, draft_type, None, policy=policy) for policy in of_auto)


def _by_peer(target: Path, draft: Path | None, lengths: Sequence[int | None], peer: Path) -> Iterator[BenchMethod]:
    """Its n-gram drafting outlives a request, and would know the answers of the round before."""
    yield BenchMethod(target, peer=peer)
    if draft is not None:
        draft_type = draft_type_of(ModelFile(draft))
    elif has_mtp(ModelFile(target)):
        draft_type = HeadKind.MTP.value
    else:
        return
    if draft_type == HeadKind.MEDUSA:  # llama-server has no such heads
        return
    yield BenchMethod(target, draft, draft_type, None, peer)
    for length in lengths:
        if length:
            yield BenchMethod(target, draft, draft_type, length, peer)


def find_server(named: str) -> Path:
    """A path, or the name of a program that the system finds."""
    path = Path(named).expanduser()
    if not path.is_file():
        found = shutil.which(named)
        if found is None:
            raise SettingError(
                "Can't find {name}.", "Build or download llama-server, and pass its path with --peer.", name=named
            )
        return Path(found)
    if not os.access(path, os.X_OK):
        raise SettingError("{name} is not a program.", "Set --peer to the llama-server program.", name=named)
    return path.absolute()


def require_usable(plan: BenchPlan) -> None:
    """Whatever headers tell, before minutes are spent."""
    of_files = [method for method in plan.methods if not method.engine]
    for target in dict.fromkeys(method.target for method in of_files):
        read_model(target)
    for target, draft in dict.fromkeys((method.target, method.draft) for method in of_files):
        if draft is not None:
            require_compatible(target, draft)
    for method in plan.methods:
        if method.draft_type not in (AUTO, NONE):
            require_known_drafter(method.draft_type)
        require_known_policy(method.policy)
    if not plan.prompts:
        raise SettingError("No prompts specified.", "Specify a prompt file or a workload.")
