from contextlib import closing
from pathlib import Path

from support.choices import choice_of, files_of
from support.downloading import manner
from support.hub import Fault, LocalHub
from ui.manager.pair_plan.planning import DRAFT, REPO, TARGET, Desk, size_of, skeletons

from specchat.domain.cancel import CancelToken
from specchat.domain.hub import HubReference
from specchat.domain.said import Said
from specchat.gguf.skeleton import is_skeleton
from specchat.services.hub.download_jobs import Job, JobFile, JobState, Problem, ShownJob
from specchat.services.hub.downloads import Downloads
from specchat.services.hub.wanted_models import wanted_models
from specchat.sources.download import Downloader
from specchat.sources.hub_cache import HubCache
from specchat.store.json_file import JsonFile
from specchat.ui.manager.tray_step import Act
from specchat.ui.picker.rows import size

SECRET = "hf_canary"


def test_a_model_on_the_hub_by_its_header(desk: Desk, local: LocalHub, models: Path) -> None:
    desk.plan.use_pair(TARGET, DRAFT)
    desk.until(lambda: desk.step.startswith("Download ") and desk.tray.step.step.act is Act.DOWNLOAD)
    desk.until_measured()
    assert "not downloaded yet" in desk.tray.target.words()
    assert len(skeletons()) == 2
    remote = desk.needs()
    desk.press("trayButton")
    assert desk.wanted == [[TARGET, DRAFT]]
    desk.plan.use_draft(str(models / "draft.gguf"))
    desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD and "on this computer" in desk.tray.draft.words())
    desk.until(lambda: len(skeletons()) == 1)
    desk.plan.use_pair(str(models / "target.gguf"), str(models / "draft.gguf"))
    desk.until_step("Chat with this pair")
    desk.until_measured()
    assert desk.needs() == remote
    assert skeletons() == []


def test_a_repository_stands_for_its_usual_file(desk: Desk, local: LocalHub, models: Path) -> None:
    for name in ("target", "draft"):
        local.add(f"someone/{name}-1B-GGUF", {f"{name}-1B-Q8_0.gguf": models / f"{name}.gguf"})
    desk.plan.use_pair("someone/target-1B-GGUF", "someone/draft-1B-GGUF")
    desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD)
    assert desk.heard[-1] == ("someone/target-1B-GGUF:target-1B-Q8_0.gguf", "someone/draft-1B-GGUF:draft-1B-Q8_0.gguf")


def test_a_later_wish_outdates_the_one_before(desk: Desk, local: LocalHub, models: Path) -> None:
    local.fault("/api/models/*", Fault(stalled=3600))
    desk.plan.use_target(TARGET)
    local.wait_until(lambda: bool(local.requests))
    desk.plan.use_target(str(models / "target.gguf"))
    desk.until_step("Chat with this model")
    assert desk.tray.target.words().startswith("Target: target")
    assert not desk.tray.problem.isVisible()


def test_from_the_hub_to_a_chat(desk: Desk, local: LocalHub, models: Path) -> None:
    """The tray follows the download, and the pair is used from where it arrived."""
    cache = HubCache()
    jobs = JobFile(JsonFile(cache.folder / "jobs.json"))
    downloads = Downloads(Downloader(cache, desk.source.location, manner()), jobs, lambda: None, lambda job: None)
    local.fault("*target.gguf", Fault(reset=True), after_bytes=1000, origin="cdn")
    with closing(downloads):
        downloads.start()
        desk.plan.use_pair(TARGET, DRAFT)
        desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD)
        desk.press("trayButton")
        downloads.add(wanted_models(desk.hub, desk.wanted[0], CancelToken()).models)
        desk.plan.show_downloads(downloads.jobs())
        assert desk.tray.step.step.act in (Act.SHOW_DOWNLOADS, Act.WAIT)

        def arrived() -> bool:
            desk.plan.show_downloads(downloads.jobs())
            return desk.step == "Chat with this pair" and desk.tray.step.step.act is Act.CHAT

        desk.until(arrived)
    assert "on this computer" in desk.tray.target.words()
    desk.press("trayButton")
    desk.until(lambda: bool(desk.chosen))
    choice = desk.chosen[0]
    assert isinstance(choice.target, HubReference)
    target, _ = files_of(choice)
    assert target.is_relative_to(cache.folder)
    assert target.read_bytes() == (models / "target.gguf").read_bytes()
    assert not is_skeleton(target)
    desk.until(lambda: skeletons() == [])


def test_problems_can_be_mended(desk: Desk, local: LocalHub, models: Path) -> None:
    gated = "someone/gated"
    local.add(gated, {"target.gguf": models / "target.gguf"}, gating="auto")
    pages: list[str] = []
    desk.plan.pageRequested.connect(pages.append)
    desk.plan.use_target(f"{gated}:target.gguf")
    desk.until_problem("you have given no token")
    assert desk.tray.target.words() == f"Target: target. {size(size_of(models / 'target.gguf'))} · not downloaded yet"
    assert desk.step.startswith("Download ")
    assert desk.note.startswith("Nothing can be done with this pair")
    desk.token = SECRET
    local.token(SECRET)
    desk.press("trayProblemAgain")
    desk.until_problem("You have not accepted the licence of someone/gated yet.")
    desk.press("trayProblemPage")
    assert pages == [f"{local.endpoint}/{gated}"]
    local.token(SECRET, accepted={gated})
    desk.press("trayProblemAgain")
    desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD)
    assert not desk.tray.problem.isVisible()


def test_what_both_would_take_is_known_before_a_refusal(desk: Desk, local: LocalHub, models: Path) -> None:
    gated = "someone/gated"
    local.add(gated, {"target.gguf": models / "target.gguf"}, gating="auto")
    desk.plan.use_pair(f"{gated}:target.gguf", DRAFT)
    desk.until_problem("you have given no token")
    assert desk.step == f"Download {size(size_of(models / 'target.gguf', models / 'draft.gguf'))}"
    local.add(gated, {"target.gguf": models / "target.gguf"})
    desk.press("trayProblemAgain")
    desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD)


def test_files_that_are_not_there(desk: Desk, local: LocalHub, models: Path, tmp_path: Path) -> None:
    desk.plan.use_pair(str(tmp_path / "gone.gguf"), None)
    desk.until_problem("gone.gguf")
    desk.plan.use_pair(f"{REPO}:gone.gguf", None)
    desk.until_problem("has no model file gone.gguf")
    local.add("someone/text", {"README.md": b"# Text"})
    desk.plan.use_pair("someone/text", None)
    desk.until_problem("someone/text has no GGUF models.")
    desk.plan._use(None, None)
    assert not desk.tray.problem.isVisible()
    assert desk.note == "Choose a target first."
    desk.plan.use_draft(str(models / "draft.gguf"))
    desk.until(lambda: "on this computer" in desk.tray.draft.words())
    assert desk.note == "Choose a target first."


def test_what_was_deleted_can_be_downloaded_again(desk: Desk, models: Path) -> None:
    """Also while it is loaded: what it takes is then in use."""
    cache = HubCache()
    places = [
        cache.folder / "models--someone--small-GGUF" / "snapshots" / ("c" * 40) / f"{name}.gguf"
        for name in ("target", "draft")
    ]
    places[0].parent.mkdir(parents=True)
    for place in places:
        place.hardlink_to(models / place.name)
    desk.loaded = choice_of(places[0], places[1])
    desk.plan.use_pair(*map(str, places))
    desk.until_step("Chat with this pair")
    places[0].unlink()
    desk.plan.refresh()
    desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD)
    desk.until_measured()
    assert desk.heard[-1] == (TARGET, str(places[1]))
    assert not desk.tray.problem.isVisible()
    desk.press("trayButton")
    assert desk.wanted == [[TARGET]]


def test_a_download_that_failed_is_tried_again(desk: Desk, local: LocalHub) -> None:
    desk.plan.use_pair(TARGET, None)
    desk.until(lambda: desk.tray.step.step.act is Act.DOWNLOAD)
    models = wanted_models(desk.hub, [TARGET], CancelToken()).models
    job = Job(7, models, "main", JobState.FAILED, problem=Problem(Said("No network."), Said("Look for one.")))
    desk.plan.show_downloads([ShownJob(job, 0, 0, 0.0, is_checking=False)])
    assert (desk.step, desk.note) == ("Try again", "The download failed at 0 %. No network.")
    desk.press("trayButton")
    assert desk.resumed == [7]


def test_what_may_not_be_downloaded_is_not_offered_for_a_chat(desk: Desk, local: LocalHub, models: Path) -> None:
    gated = "someone/gated"
    local.add(gated, {"target.gguf": models / "target.gguf"}, gating="auto")
    desk.plan.use_target(f"{gated}:target.gguf")
    desk.until_problem("you have given no token")
    wanted = wanted_models(desk.hub, [f"{gated}:target.gguf"], CancelToken()).models
    job = Job(7, wanted, "main", JobState.FAILED, problem=Problem(Said("No token."), Said("Give one.")))
    desk.plan.show_downloads([ShownJob(job, 0, 0, 0.0, is_checking=False)])
    assert (desk.step, desk.tray.step.step.act) == ("Download failed", Act.WAIT)
    local.add(gated, {"target.gguf": models / "target.gguf"})
    desk.press("trayProblemAgain")
    desk.until_step("Try again")
