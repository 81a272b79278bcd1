"""Jobs of several files: whole or not at all, whatever happens in between."""

import json
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from random import Random

import pytest
from huggingface_hub import close_session
from support.download_child import Task
from support.download_processes import download_processes
from support.downloading import BLOCK, IMPATIENT, add, content, downloader, manner, model
from support.hub import Fault, LocalHub

from specchat.domain.cancel import CancelToken
from specchat.domain.hub import Location, RemoteFile, RemoteModel
from specchat.services.download_jobs import Job, JobFile, JobState, ShownJob
from specchat.services.downloads import Downloads
from specchat.sources.download import Downloader
from specchat.sources.hub_cache import HubCache
from specchat.sources.transfer import Manner
from specchat.store.json_file import JsonFile

SECONDS = 60.0
KILLS = int(os.environ.get("SPECCHAT_KILLS", "5"))
TARGET, DRAFT = content(12 * BLOCK, seed=1), content(5 * BLOCK + 9, seed=2)
STALLED = Fault(stalled=3600)
STORED = "/repos/*"
PATIENT = manner(patience=replace(IMPATIENT, silence=3600))


class Desk:
    """Downloads, and what was heard of them."""

    def __init__(self, endpoint: str, folder: Path, how: Manner | None = None, parallel: int = 2) -> None:
        self._heard = threading.Condition()
        self.ended: list[Job] = []
        self.file = folder / "jobs.json"
        self.cache = HubCache(folder / "hub")
        self._loader = downloader(endpoint, self.cache.folder, how)
        self.downloads = Downloads(self._loader, JobFile(JsonFile(self.file)), self._changed, self._ended, parallel)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        with self._heard:
            assert self._heard.wait_for(condition, SECONDS)

    def wait_for(self, number: int, state: JobState) -> ShownJob:
        self.wait_until(lambda: self.shown(number).job.state is state)
        return self.shown(number)

    def shown(self, number: int) -> ShownJob:
        return next(each for each in self.downloads.jobs() if each.job.number == number)

    def missing(self, models: Sequence[RemoteModel]) -> int:
        return sum(self._loader.missing(file) for each in models for file in each.files)

    def found(self, *models: RemoteModel) -> list[bytes]:
        places = [self.cache.find(each.reference) for each in models]
        return [each.read_bytes() for each in places if each]

    def left(self) -> set[str]:
        """Among the blobs."""
        return {each.name for each in self.cache.folder.glob("models--*/blobs/*")}

    def _changed(self) -> None:
        with self._heard:
            self._heard.notify_all()

    def _ended(self, job: Job) -> None:
        with self._heard:
            self.ended.append(job)
            self._heard.notify_all()


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalHub]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    before = set(threading.enumerate())
    with LocalHub() as local_hub:
        yield local_hub
    close_session()
    assert set(threading.enumerate()) <= before


@pytest.fixture
def pair(hub: LocalHub) -> tuple[RemoteModel, RemoteModel]:
    target = add(hub, {"target.gguf": TARGET}, "alice/target-GGUF")["target.gguf"]
    draft = add(hub, {"draft.gguf": DRAFT}, "bob/draft-GGUF")["draft.gguf"]
    return model(target), model(draft)


@pytest.fixture
def desk(hub: LocalHub, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(hub.endpoint, tmp_path)
    desk.downloads.start()
    yield desk
    desk.downloads.close()


@pytest.fixture
def patient(hub: LocalHub, tmp_path: Path) -> Iterator[Desk]:
    """Waits for silent servers."""
    desk = Desk(hub.endpoint, tmp_path, PATIENT)
    desk.downloads.start()
    yield desk
    desk.downloads.close()


Pair = tuple[RemoteModel, RemoteModel]


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
    assert shown.again == "127.0.0.1 has been asked too often; it answers again in 29 seconds."
    assert (shown.job.state, shown.done, shown.seconds_left) == (JobState.RUNNING, 0, None)
    desk.downloads.pause(number)
    desk.wait_until(lambda: desk.shown(number).again is None)
    desk.downloads.resume(number)
    assert desk.wait_for(number, JobState.DONE).again is None


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
    assert "still to come" in problem.message
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
    key = target.first.sha256
    assert patient.left() == ({f"{key}.part", f"{key}.part.json", draft.first.sha256} if keep else set())
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
    place = desk.cache.place(pair[0].first)
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
    desk.cache.place(pair[1].first).unlink()
    JobFile(JsonFile(desk.file)).save([replace(job, state=JobState.INSTALLING)])
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
    desk.cache.remove(desk.cache.place(pair[1].first))
    JobFile(JsonFile(desk.file)).save([replace(job, state=JobState.INSTALLING)])
    again = Desk(hub.endpoint, tmp_path)
    again.downloads.start()
    again.wait_for(number, JobState.DONE)
    again.downloads.close()
    assert again.found(*pair) == [TARGET, DRAFT]


def test_a_mistake_of_ours_is_told_and_logged(pair: Pair, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    def broken(_: RemoteFile, __: CancelToken) -> Location:
        raise ZeroDivisionError("nothing to divide by")

    caplog.set_level(logging.INFO)
    ended: SimpleQueue[Job] = SimpleQueue()
    loader = Downloader(HubCache(tmp_path / "hub"), broken, manner())
    downloads = Downloads(loader, JobFile(JsonFile(tmp_path / "jobs.json")), lambda: None, ended.put)
    downloads.start()
    downloads.add(pair)
    job = ended.get(timeout=SECONDS)
    downloads.close()
    assert (job.state, job.problem and job.problem.message) == (JobState.FAILED, "specchat made a mistake.")
    assert "ZeroDivisionError: nothing to divide by" in caplog.text


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
    JobFile(JsonFile(desk.file)).save([Job(1, pair, "main")])
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
                JobFile(JsonFile(desk.file)).save([Job(1, pair, "main")])
                for each in pair:
                    desk.cache.remove(desk.cache.place(each.first))
                pairs += 1
    assert cut_off > 0
    again = Desk(hub.endpoint, tmp_path)
    again.downloads.start()
    again.downloads.add(pair)
    again.wait_for(1, JobState.DONE)
    again.downloads.close()
    assert again.found(*pair) == [TARGET, DRAFT]
    assert hub.bytes_sent(STORED) <= pairs * size + KILLS * 2 * BLOCK
