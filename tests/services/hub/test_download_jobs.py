"""The list of downloads, as anything may have left it."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from specchat.services.hub.download_jobs import DownloadJobStore, JobState
from specchat.store.json_file import JsonFile

FILE: Mapping[str, object] = {"repo": "a/b", "commit": "c" * 40, "path": "x.gguf", "size": 5, "sha256": "a" * 64}


def job(file: Mapping[str, object] | None = None, **changes: object) -> dict[str, object]:
    model = {"files": [{**FILE, **(file or {})}], "kind": "model", "quantization": ""}
    return {"number": 1, "models": [model], "revision": "main", **changes}


def kept(folder: Path, *jobs: object) -> DownloadJobStore:
    (folder / "downloads.json").write_text(json.dumps({"jobs": jobs}))
    return DownloadJobStore(JsonFile(folder / "downloads.json"))


def test_a_job_that_ran_waits(tmp_path: Path) -> None:
    (waiting,) = kept(tmp_path, job(state="running")).load()
    assert waiting.state is JobState.WAITING


@pytest.mark.parametrize(
    "wrong",
    [
        job({"repo": "../.."}),
        job({"path": "../../x.gguf"}),
        job({"path": "a" * 300}),
        job({"path": "\ud800.gguf"}),
        job({"commit": ".."}),
        job({"sha256": "../x"}),
        job({"size": -1}),
        job(models=[]),
        job(models=[{"files": [], "kind": "model", "quantization": ""}]),
        job(number="1"),
        5,
    ],
    ids=str,
)
def test_a_list_that_makes_no_sense_is_kept_aside(tmp_path: Path, wrong: object) -> None:
    assert kept(tmp_path, job(number=2), wrong).load() == []
    assert [path.name for path in tmp_path.iterdir()] == ["downloads.damaged.json"]
