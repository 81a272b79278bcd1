import os
import signal
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from services.hub.downloads.desks import DRAFT, STALLED, STORED, TARGET, Desk, Pair
from support.download_child import Task
from support.download_processes import download_processes
from support.downloading import BLOCK
from support.hub import LocalHub

from specchat.services.hub.download_jobs import DownloadJob, DownloadJobStore, JobState
from specchat.store.json_file import JsonFile

KILLS = int(os.environ.get("SPECCHAT_KILLS", "5"))


def test_it_goes_on_after_a_restart(hub: LocalHub, patient: Desk, tmp_path: Path, pair: Pair) -> None:
    hub.fault("*/target.gguf", STALLED, after_bytes=BLOCK // 2, origin="cdn")
    number = patient.downloads.add(pair)
    patient.wait_until(lambda: len(patient.shown(number).job.arrived) == 1)
    hub.wait_until(lambda: hub.bytes_sent("/repos/*/target.gguf") == BLOCK // 2)
    patient.downloads.close()
    done = patient.shown(number).done
    assert len(DRAFT) <= done <= len(DRAFT) + BLOCK // 2
    again = Desk(hub.endpoint, tmp_path)
    assert again.shown(number).done == done
    again.downloads.start()
    again.wait_for(number, JobState.DONE)
    again.downloads.close()
    assert again.found(*pair) == [TARGET, DRAFT]
    assert hub.bytes_sent(STORED) <= len(TARGET) + len(DRAFT) + BLOCK


def test_what_was_paused_stays_paused(hub: LocalHub, desk: Desk, tmp_path: Path, pair: Pair) -> None:
    desk.downloads.close()
    number = desk.downloads.add(pair)
    desk.downloads.pause(number)
    again = Desk(hub.endpoint, tmp_path)
    again.downloads.start()
    assert again.shown(number).job.state is JobState.PAUSED
    again.downloads.close()
    assert hub.requests == []


def test_an_installation_that_was_cut_off_is_finished_at_the_start(
    hub: LocalHub, desk: Desk, tmp_path: Path, pair: Pair
) -> None:
    number = desk.downloads.add(pair)
    job = desk.wait_for(number, JobState.DONE).job
    desk.downloads.close()
    desk.cache.snapshot_path(pair[1].first).unlink()
    DownloadJobStore(JsonFile(desk.file)).save([replace(job, state=JobState.INSTALLING)])
    before = len(hub.requests)
    again = Desk(hub.endpoint, tmp_path)
    again.downloads.start()
    assert again.shown(number).job.state is JobState.DONE
    again.downloads.close()
    assert again.found(*pair) == [TARGET, DRAFT]
    assert len(hub.requests) == before


def test_what_vanished_before_it_was_installed_is_fetched_again(
    hub: LocalHub, desk: Desk, tmp_path: Path, pair: Pair
) -> None:
    number = desk.downloads.add(pair)
    job = desk.wait_for(number, JobState.DONE).job
    desk.downloads.close()
    desk.cache.remove(desk.cache.snapshot_path(pair[1].first))
    DownloadJobStore(JsonFile(desk.file)).save([replace(job, state=JobState.INSTALLING)])
    again = Desk(hub.endpoint, tmp_path)
    again.downloads.start()
    again.wait_for(number, JobState.DONE)
    again.downloads.close()
    assert again.found(*pair) == [TARGET, DRAFT]


@pytest.mark.parametrize("text", ["[]", "{", '{"jobs": [{"number": "one"}]}'])
def test_a_damaged_list_is_set_aside(hub: LocalHub, tmp_path: Path, text: str) -> None:
    (tmp_path / "jobs.json").write_text(text)
    assert Desk(hub.endpoint, tmp_path).downloads.jobs() == []
    assert (tmp_path / "jobs.damaged.json").read_text() == text


@pytest.mark.timeout(120 + 5 * KILLS)
def test_killed_at_any_moment_a_pair_is_whole_or_not_there(hub: LocalHub, tmp_path: Path, pair: Pair) -> None:
    random = Random(KILLS)
    desk = Desk(hub.endpoint, tmp_path)
    size = len(TARGET) + len(DRAFT)
    task = Task(hub.endpoint, str(desk.cache.folder), pair[0].first, 4 << 20, jobs=str(desk.file))
    DownloadJobStore(JsonFile(desk.file)).save([DownloadJob(1, pair, "main")])
    kills, cut_off, pairs = 0, 0, 1
    with download_processes() as processes:
        while kills < KILLS:
            missing, sent = desk.missing(pair), hub.bytes_sent(STORED)
            process = processes.start(task)
            more = random.randint(0, min(missing, size // 3))
            hub.wait_until(lambda: hub.bytes_sent(STORED) >= sent + more)  # noqa: B023
            if not processes.said_within(random.uniform(0, 0.02)):
                os.kill(process, signal.SIGKILL)
                kills += 1
            processes.end()
            cut_off += 0 < desk.missing(pair) < size
            found = desk.found(*pair)
            assert found in ([], [TARGET, DRAFT]) or '"installing"' in desk.file.read_text()
            if len(found) == 2:
                DownloadJobStore(JsonFile(desk.file)).save([DownloadJob(1, pair, "main")])
                for each in pair:
                    desk.cache.remove(desk.cache.snapshot_path(each.first))
                pairs += 1
    assert cut_off > 0
    again = Desk(hub.endpoint, tmp_path)
    again.downloads.start()
    again.downloads.add(pair)
    again.wait_for(1, JobState.DONE)
    again.downloads.close()
    assert again.found(*pair) == [TARGET, DRAFT]
    assert hub.bytes_sent(STORED) <= pairs * size + KILLS * 2 * BLOCK
