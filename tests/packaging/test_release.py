import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import contents
import pytest
import release_notes
from program_version import program_version
from shell import SetupError

from specchat import __version__
from specchat.services.program import update_checker

yaml: Any = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
WORKFLOW = ROOT / ".github" / "workflows" / "release.yml"
CHANGELOG = """# Changelog

## 0.2.0 (2026-12-01)

- More.

  With details.

## 0.1.0

- First.

## 0.0.1
"""


@pytest.fixture(scope="module")
def workflow() -> dict[Any, Any]:
    parsed: dict[Any, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    return parsed


def steps(workflow: dict[Any, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_notes_of_each_version() -> None:
    assert release_notes.notes_of("0.2.0", CHANGELOG) == "- More.\n\n  With details."
    assert release_notes.notes_of("0.1.0", CHANGELOG) == "- First."


@pytest.mark.parametrize("version", ["0.0.1", "0.3.0", "0.1", "2.0", "0x1.0"])
def test_no_notes(version: str) -> None:
    with pytest.raises(SetupError, match=f"no notes below .## {version}"):
        release_notes.notes_of(version, CHANGELOG)


def test_the_tag_is_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert release_notes.released_version(f"v{__version__}", ROOT) == __version__
    assert program_version(ROOT) == __version__
    assert release_notes.main(["v99.0"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert f"The tag is v99.0, but specchat/__init__.py says {__version__}" in said.err
    assert release_notes.main([]) == 2


def test_the_news_are_what_the_program_reads() -> None:
    notes = "- Schöner.\n- Faster."
    news = release_notes.news("v0.2.0", "0.2.0", notes).encode()
    assert json.loads(news)["page"] == "https://github.com/specchat/specchat/releases/tag/v0.2.0"
    update = update_checker._read(news, "github.com")
    assert (update.version, update.notes) == ("0.2.0", notes)
    assert update.page.partition("/releases/")[0] == update_checker.ADDRESS.partition("/releases/")[0]


def test_what_starts_a_release(workflow: dict[Any, Any]) -> None:
    assert set(workflow[True]) == {"push", "workflow_dispatch"}  # YAML reads "on" as true
    assert workflow[True]["push"] == {"tags": ["v*"]}
    assert workflow["permissions"] == {"contents": "read"}
    writers = [name for name, job in workflow["jobs"].items() if "permissions" in job]
    assert writers == ["draft"]
    assert "--draft" in workflow["jobs"]["draft"]["steps"][-1]["run"]


def test_each_step_calls_what_exists(workflow: dict[Any, Any]) -> None:
    called = set()
    for step in steps(workflow):
        called |= set(re.findall(r"\b(?:packaging|tests|specchat)/[\w./-]+\.\w+", step.get("run", "")))
    assert called >= {"packaging/build.py", "packaging/release_notes.py"}
    assert [name for name in called if not (ROOT / name).is_file()] == []


@pytest.mark.skipif(sys.platform == "win32", reason="has no shell of that kind")
def test_the_scripts_are_well_formed(workflow: dict[Any, Any]) -> None:
    for name in ("check", "linux", "macos", "draft"):
        for step in workflow["jobs"][name]["steps"]:
            assert "run" not in step or shlex.split(step["run"], comments=True)


def test_whose_actions_are_used(workflow: dict[Any, Any]) -> None:
    used = {step["uses"] for step in steps(workflow) if "uses" in step}
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", action) for action in used)


def test_jobs_wait_for_one_another(workflow: dict[Any, Any]) -> None:
    jobs = workflow["jobs"]
    assert set(jobs["draft"]["needs"]) == {"linux", "windows", "macos"}
    for name in ("linux", "windows", "macos"):
        assert jobs[name]["needs"] == "check"
        assert any("--smoke-test" in step.get("run", "") for step in jobs[name]["steps"])
        checkout = next(step for step in jobs[name]["steps"] if step.get("uses", "").startswith("actions/checkout@"))
        assert checkout["with"]["fetch-depth"] == 0
    assert jobs["macos"]["env"]["MACOSX_DEPLOYMENT_TARGET"] == contents.OLDEST_MACOS


@pytest.mark.llama_source
def test_the_vulkan_sdk_is_that_of_llama_cpp(workflow: dict[Any, Any]) -> None:
    theirs = Path(os.environ["SPECCHAT_TEST_LLAMA_SOURCE"], ".github", "workflows", "release.yml")
    used = {
        job["env"]["VULKAN_VERSION"]
        for job in yaml.safe_load(theirs.read_text(encoding="utf-8"))["jobs"].values()
        if "VULKAN_VERSION" in job.get("env", {})
    }
    assert used == {workflow["jobs"]["windows"]["env"]["VULKAN_VERSION"]}
