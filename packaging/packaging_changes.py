"""Whether what the packaged program is made with has changed, so that it is worth the time to make it."""

from __future__ import annotations

import os

from project_venv import ROOT
from shell import output_of

BASE = "SPECCHAT_CHANGES_SINCE"
"""Names the commit to compare with."""
_FEW_COMMITS = 20
_WATCHED = (
    ".ci",
    "constraints.txt",
    "packaging",
    ":!packaging/demo",
    ":!packaging/*.md",
    ":!packaging/dev.py",
    ":!packaging/packaging_changes.py",
    ":!packaging/programs_for_tests.py",
    "pyproject.toml",
    "specchat/__main__.py",
    "specchat/backends/binding.py",
    "specchat/backends/child.py",
    "specchat/backends/library.py",
    "specchat/engine_child.py",
    "specchat/services/program/resources.py",
    "specchat/ui/start/spare_libraries.py",
    "specchat/ui/start/system_libraries.py",
    "tests/packaging/test_bundle.py",
)


def are_there() -> bool:
    """Where git cannot tell, they may be."""
    base = os.environ.get(BASE) or _branched_off() or _some_commits_ago()
    if not base or not output_of(["git", "-C", ROOT, "rev-parse", "--verify", f"{base}^{{commit}}"]):
        return True
    changed = output_of(["git", "-C", ROOT, "diff", "--name-only", base, "--", *_WATCHED])
    return bool(changed or output_of(["git", "-C", ROOT, "status", "--porcelain", "--", *_WATCHED]))


def _branched_off() -> str:
    """Where this branch left the main one; nothing on the main one itself."""
    head = output_of(["git", "-C", ROOT, "rev-parse", "HEAD"])
    base = output_of(["git", "-C", ROOT, "merge-base", "HEAD", "origin/HEAD"])
    return base if base != head else ""


def _some_commits_ago() -> str:
    commits = output_of(["git", "-C", ROOT, "rev-list", f"--max-count={_FEW_COMMITS + 1}", "HEAD"]).split()
    return commits[-1] if len(commits) > _FEW_COMMITS else ""
