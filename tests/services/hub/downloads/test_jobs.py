"""Jobs of several files: whole or not at all, whatever happens in between."""

import json
import logging
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from queue import SimpleQueue

import pytest
from services.hub.downloads.desks import DRAFT, PATIENT, SECONDS, STALLED, STORED, TARGET, Desk, Pair
from support.downloading import BLOCK, QuickClock, add, content, manner, model
from support.hub import Fault, LocalHub

from specchat.domain.cancel_token import CancelToken
from specchat.domain.hub import DownloadLocation, RemoteFile
from specchat.services.hub.download_jobs import DownloadJob, DownloadJobStore, JobState
from specchat.services.hub.download_manager import DownloadManager
from specchat.sources.download import Downloader
from specchat.sources.hub_cache import HubCache
from specchat.sources.transfer import TransferSettings
from specchat.store.json_file import JsonFile


def test_a_pair_arrives(desk: Desk, pair: Pair) -> None:
    number = desk.downloads.add(pair)
    shown = desk.wait_for(number, JobState.DONE)
    assert desk.found(*pair) == [TARGET, DRAFT]
    assert shown.done == shown.fetched == shown.job.size == len(TARGET) + len(DRAFT)
    desk.wait_until(lambda: [job.number for job in desk.ended] == [number])
    assert len(desk.left()) == 2


def test_why_it_is_tried_again(hub: LocalHub, desk: Desk, pair: Pair) -> None:
    hub.fault("*/resolve/*/target.gguf", Fault(status=429, retry_after=29))
    number = desk.downloads.add(pair[:1])
    desk.wait_until(lambda: desk.shown(number).again is not None)
    shown = desk.shown(number)
    assert shown.again == "Too many requests to 127.0.0.1. Try again in 29 seconds."
    assert (shown.job.state, shown.done, shown.seconds_left) == (JobState.RUNNING, 0, None)
    desk.downloads.pause(number)
    desk.wait_until(lambda: desk.shown(number).again is None)
    desk.downloads.resume(number)
    assert desk.wait_for(number, JobState.DONE).again is None


def test_a_hub_that_stays_unavailable_is_given_up(hub: LocalHub, tmp_path: Path, pair: Pair) -> None:
    clock = QuickClock()
    desk = Desk(hub.endpoint, tmp_path, TransferSettings(clock=clock))
    desk.downloads.start()
    try:
        hub.fault("*/target.gguf", Fault(truncated=True, after_bytes=BLOCK), origin="cdn")
        hub.fault("*/target.gguf", Fault(status=503), times=None, origin="cdn")
        number = desk.downloads.add(pair)
        failed = desk.wait_for(number, JobState.FAILED)
        assert failed.job.problem is not None
        assert failed.job.problem.message == "127.0.0.1 refused to send target.gguf (error 503)."
        assert failed.done == BLOCK + len(DRAFT)
        assert (clock.waits[:7], sum(clock.waits)) == ([0.5, 1, 2, 4, 8, 16, 32], 600)
        hub.clear_faults()
        desk.downloads.resume(number)
        assert desk.wait_for(number, JobState.DONE).fetched == len(TARGET) + len(DRAFT)
    finally:
        desk.downloads.close()


def test_when_the_next_try_is(hub: LocalHub, desk: Desk, pair: Pair) -> None:
    hub.fault("*/resolve/*/target.gguf", Fault(status=503, retry_after=29))
    before = datetime.now()
    number = desk.downloads.add(pair[:1])
    desk.wait_until(lambda: desk.shown(number).pause is not None)
    pause = desk.shown(number).pause
    assert pause is not None
    assert pause.seconds == 29
    assert before + timedelta(seconds=29) <= pause.ends <= pause.gives_up
    desk.downloads.pause(number)
    desk.wait_until(lambda: desk.shown(number).pause is None)


def test_half_a_pair_is_nothing(hub: LocalHub, patient: Desk, pair: Pair) -> None:
    hub.fault("*/target.gguf", STALLED, after_bytes=1000, origin="cdn")
    number = patient.downloads.add(pair)
    patient.wait_until(lambda: len(patient.shown(number).job.arrived) == 1)
    assert patient.found(*pair) == []
    patient.downloads.pause(number)
    assert patient.found(*pair) == []
    patient.downloads.resume(number)
    patient.wait_for(number, JobState.DONE)
    assert patient.found(*pair) == [TARGET, DRAFT]
    assert hub.bytes_sent("/repos/*/target.gguf") <= len(TARGET) + BLOCK
    assert hub.bytes_sent("/repos/*/draft.gguf") == len(DRAFT)


def test_a_failure_is_explained_and_can_be_tried_again(hub: LocalHub, desk: Desk, pair: Pair) -> None:
    hub.fault("*/resolve/*/draft.gguf", Fault(status=404, error_code="EntryNotFound"), times=None)
    number = desk.downloads.add(pair)
    problem = desk.wait_for(number, JobState.FAILED).job.problem
    assert problem is not None
    assert "draft.gguf" in problem.message
    assert problem.hint
    assert desk.found(*pair) == []
    desk.wait_until(lambda: len(desk.ended) == 1)
    hub.clear_faults()
    desk.downloads.resume(number)
    assert desk.wait_for(number, JobState.DONE).job.problem is None
    assert desk.found(*pair) == [TARGET, DRAFT]
    desk.wait_until(lambda: len(desk.ended) == 2)
    assert [job.state for job in desk.ended] == [JobState.FAILED, JobState.DONE]


def test_the_room_is_for_all_of_it(hub: LocalHub, desk: Desk, pair: Pair) -> None:
    target, draft = pair
    number = desk.downloads.add((target, replace(draft, files=(replace(draft.first, size=1 << 60),))))
    problem = desk.wait_for(number, JobState.FAILED).job.problem
    assert problem is not None
    assert "The download needs 1152921504.7 GB more" in problem.message
    assert hub.requests == []


@pytest.mark.parametrize("keep", [True, False])
def test_removed_while_it_runs(hub: LocalHub, patient: Desk, pair: Pair, keep: bool) -> None:
    target, draft = pair
    hub.fault("*/target.gguf", STALLED, after_bytes=1000, origin="cdn")
    number = patient.downloads.add(pair)
    patient.wait_until(lambda: len(patient.shown(number).job.arrived) == 1)
    hub.wait_until(lambda: hub.bytes_sent("/repos/*/target.gguf") == 1000)
    patient.downloads.remove(number, keep_parts=keep)
    assert patient.downloads.jobs() == []
    patient.downloads.close()
    begun, whole = target.first.sha256, draft.first.sha256
    kept = {f"{begun}.part", f"{begun}.part.json", whole, f"{whole}.part.json"}
    assert patient.left() == (kept if keep else set())
    assert json.loads(patient.file.read_text()) == {"jobs": []}


def test_what_another_job_needs_stays(hub: LocalHub, patient: Desk, pair: Pair) -> None:
    target, draft = pair
    hub.fault("*/target.gguf", STALLED, after_bytes=1000, origin="cdn")
    first = patient.downloads.add(pair)
    patient.wait_until(lambda: len(patient.shown(first).job.arrived) == 1)
    second = patient.downloads.add([draft])
    patient.wait_for(second, JobState.DONE)
    patient.downloads.remove(first)
    patient.wait_until(lambda: patient.left() == {draft.first.sha256})
    assert patient.found(target, draft) == [DRAFT]
    patient.downloads.remove(second)
    assert patient.found(draft) == [DRAFT]


def test_two_jobs_with_the_same_file_fetch_it_once(hub: LocalHub, desk: Desk, pair: Pair) -> None:
    target, draft = pair
    numbers = [desk.downloads.add(models) for models in ([target, draft], [draft, target], [draft])]
    for number in numbers:
        desk.wait_for(number, JobState.DONE)
    assert hub.bytes_sent(STORED) == len(TARGET) + len(DRAFT)


def test_the_same_job_twice_is_one(desk: Desk, pair: Pair) -> None:
    number = desk.downloads.add(pair)
    desk.downloads.pause(number)
    assert desk.downloads.add(pair) == number
    place = desk.cache.snapshot_path(pair[0].first)
    desk.wait_for(number, JobState.DONE)
    desk.cache.remove(place)
    assert desk.downloads.add(pair) == number
    desk.wait_until(lambda: len(desk.ended) == 2)
    assert desk.found(*pair) == [TARGET, DRAFT]


def test_one_at_a_time_in_order(hub: LocalHub, tmp_path: Path) -> None:
    desk = Desk(hub.endpoint, tmp_path, parallel=1)
    files = add(hub, {f"{name}.gguf": content(BLOCK, seed) for seed, name in enumerate("abc")})
    a, b, c = (desk.downloads.add([model(file)]) for file in files.values())
    desk.downloads.move(c, 0)
    desk.downloads.start()
    for number in (a, b, c):
        desk.wait_for(number, JobState.DONE)
    desk.downloads.close()
    assert [job.number for job in desk.ended] == [c, a, b]
    assert [each.job.number for each in desk.downloads.jobs()] == [c, a, b]


def test_more_at_a_time_when_allowed(hub: LocalHub, tmp_path: Path) -> None:
    desk = Desk(hub.endpoint, tmp_path, PATIENT, parallel=1)
    files = add(hub, {f"{name}.gguf": content(BLOCK, seed) for seed, name in enumerate("ab")})
    hub.fault("*", STALLED, times=2, after_bytes=100, origin="cdn")
    for file in files.values():
        desk.downloads.add([model(file)])
    desk.downloads.start()
    hub.wait_until(lambda: hub.bytes_sent("*") == 100)
    assert [each.job.state for each in desk.downloads.jobs()] == [JobState.RUNNING, JobState.WAITING]
    desk.downloads.parallel = 2
    hub.wait_until(lambda: hub.bytes_sent("*") == 200)
    desk.downloads.close()


def test_a_mistake_of_ours_is_told_and_logged(pair: Pair, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def broken(_: RemoteFile, __: CancelToken) -> DownloadLocation:
        raise ZeroDivisionError("nothing to divide by")

    caplog.set_level(logging.INFO)
    ended: SimpleQueue[DownloadJob] = SimpleQueue()
    loader = Downloader(HubCache(tmp_path / "hub"), broken, manner())
    downloads = DownloadManager(loader, DownloadJobStore(JsonFile(tmp_path / "jobs.json")), lambda: None, ended.put)
    downloads.start()
    downloads.add(pair)
    job = ended.get(timeout=SECONDS)
    downloads.close()
    assert (job.state, job.problem and job.problem.message) == (JobState.FAILED, "specchat hit an internal error.")
    assert "ZeroDivisionError: nothing to divide by" in caplog.text
