from contextlib import closing
from pathlib import Path

from support.choices import choice_of, files_of
from support.downloading import manner
from support.hub import Fault, LocalHub
from ui.pair.pair_editor.planning import DRAFT, REPO, TARGET, Desk, size_of, skeletons

from specchat.domain.cancel_token import CancelToken
from specchat.domain.hub import HubReference
from specchat.domain.translatable_text import TranslatableText
from specchat.gguf.skeleton import is_skeleton
from specchat.services.hub.download_jobs import DownloadJob, DownloadJobStore, DownloadProblem, DownloadStatus, JobState
from specchat.services.hub.download_manager import DownloadManager
from specchat.services.hub.requested_models import resolve_requested_models
from specchat.sources.download import Downloader
from specchat.sources.hub_cache import HubCache
from specchat.store.json_file import JsonFile
from specchat.ui.pair.next_step import StepAction
from specchat.ui.words.number_format import format_size

SECRET = "hf_canary"


def test_a_model_on_the_hub_by_its_header(controller: Desk, local: LocalHub, models: Path) -> None:
    controller.editor.use_pair(TARGET, DRAFT)
    controller.until(
        lambda: controller.step.startswith("Download ") and controller.tray.step.step.act is StepAction.DOWNLOAD
    )
    controller.until_measured()
    assert "not downloaded" in controller.tray.target.words()
    assert len(skeletons()) == 2
    remote = controller.needs()
    controller.press("trayButton")
    assert controller.wanted == [[TARGET, DRAFT]]
    controller.editor.use_draft(str(models / "draft.gguf"))
    controller.until(
        lambda: (
            controller.tray.step.step.act is StepAction.DOWNLOAD and "on this computer" in controller.tray.draft.words()
        )
    )
    controller.until(lambda: len(skeletons()) == 1)
    controller.editor.use_pair(str(models / "target.gguf"), str(models / "draft.gguf"))
    controller.until_step("Chat with this pair")
    controller.until_measured()
    assert controller.needs() == remote
    assert skeletons() == []


def test_a_repository_stands_for_its_usual_file(controller: Desk, local: LocalHub, models: Path) -> None:
    for name in ("target", "draft"):
        local.add(f"someone/{name}-1B-GGUF", {f"{name}-1B-Q8_0.gguf": models / f"{name}.gguf"})
    controller.editor.use_pair("someone/target-1B-GGUF", "someone/draft-1B-GGUF")
    controller.until(lambda: controller.tray.step.step.act is StepAction.DOWNLOAD)
    assert controller.heard[-1] == (
        "someone/target-1B-GGUF:target-1B-Q8_0.gguf",
        "someone/draft-1B-GGUF:draft-1B-Q8_0.gguf",
    )


def test_a_later_wish_outdates_the_one_before(controller: Desk, local: LocalHub, models: Path) -> None:
    local.fault("/api/models/*", Fault(stalled=3600))
    controller.editor.use_target(TARGET)
    local.wait_until(lambda: bool(local.requests))
    controller.editor.use_target(str(models / "target.gguf"))
    controller.until_step("Chat with this model")
    assert controller.tray.target.words().startswith("Target: target")
    assert not controller.tray.problem.isVisible()


def test_from_the_hub_to_a_chat(controller: Desk, local: LocalHub, models: Path) -> None:
    """The tray follows the download, and the pair is used from where it arrived."""
    cache = HubCache()
    jobs = DownloadJobStore(JsonFile(cache.folder / "jobs.json"))
    downloads = DownloadManager(
        Downloader(cache, controller.source.location, manner()), jobs, lambda: None, lambda job: None
    )
    local.fault("*target.gguf", Fault(reset=True), after_bytes=1000, origin="cdn")
    with closing(downloads):
        downloads.start()
        controller.editor.use_pair(TARGET, DRAFT)
        controller.until(lambda: controller.tray.step.step.act is StepAction.DOWNLOAD)
        controller.press("trayButton")
        downloads.add(resolve_requested_models(controller.hub, controller.wanted[0], CancelToken()).models)
        controller.editor.show_downloads(downloads.jobs())
        assert controller.tray.step.step.act in (StepAction.SHOW_DOWNLOADS, StepAction.WAIT)

        def arrived() -> bool:
            controller.editor.show_downloads(downloads.jobs())
            return controller.step == "Chat with this pair" and controller.tray.step.step.act is StepAction.CHAT

        controller.until(arrived)
    assert "on this computer" in controller.tray.target.words()
    controller.press("trayButton")
    controller.until(lambda: bool(controller.chosen))
    choice = controller.chosen[0]
    assert isinstance(choice.target, HubReference)
    target, _ = files_of(choice)
    assert target.is_relative_to(cache.folder)
    assert target.read_bytes() == (models / "target.gguf").read_bytes()
    assert not is_skeleton(target)
    controller.until(lambda: skeletons() == [])


def test_problems_can_be_mended(controller: Desk, local: LocalHub, models: Path) -> None:
    gated = "someone/gated"
    local.add(gated, {"target.gguf": models / "target.gguf"}, gating="auto")
    pages: list[str] = []
    controller.requests.web_page_requested.connect(pages.append)
    controller.editor.use_target(f"{gated}:target.gguf")
    controller.until_problem("access token is set")
    assert (
        controller.tray.target.words()
        == f"Target: target. {format_size(size_of(models / 'target.gguf'))} · not downloaded"
    )
    assert controller.step.startswith("Download ")
    assert controller.note.startswith("Resolve the problem above")
    controller.token = SECRET
    local.token(SECRET)
    controller.press("trayProblemAgain")
    controller.until_problem("You haven't accepted the license for someone/gated yet.")
    controller.press("trayProblemPage")
    assert pages == [f"{local.endpoint}/{gated}"]
    local.token(SECRET, accepted={gated})
    controller.press("trayProblemAgain")
    controller.until(lambda: controller.tray.step.step.act is StepAction.DOWNLOAD)
    assert not controller.tray.problem.isVisible()


def test_what_both_would_take_is_known_before_a_refusal(controller: Desk, local: LocalHub, models: Path) -> None:
    gated = "someone/gated"
    local.add(gated, {"target.gguf": models / "target.gguf"}, gating="auto")
    controller.editor.use_pair(f"{gated}:target.gguf", DRAFT)
    controller.until_problem("access token is set")
    assert controller.step == f"Download {format_size(size_of(models / 'target.gguf', models / 'draft.gguf'))}"
    local.add(gated, {"target.gguf": models / "target.gguf"})
    controller.press("trayProblemAgain")
    controller.until(lambda: controller.tray.step.step.act is StepAction.DOWNLOAD)


def test_files_that_are_not_there(controller: Desk, local: LocalHub, models: Path, tmp_path: Path) -> None:
    controller.editor.use_pair(str(tmp_path / "gone.gguf"), None)
    controller.until_problem("gone.gguf")
    controller.editor.use_pair(f"{REPO}:gone.gguf", None)
    controller.until_problem("has no model file gone.gguf")
    local.add("someone/text", {"README.md": b"# Text"})
    controller.editor.use_pair("someone/text", None)
    controller.until_problem("someone/text has no GGUF models.")
    controller.editor._use(None, None)
    assert not controller.tray.problem.isVisible()
    assert controller.note == "Choose a target first."
    controller.editor.use_draft(str(models / "draft.gguf"))
    controller.until(lambda: "on this computer" in controller.tray.draft.words())
    assert controller.note == "Choose a target first."


def test_what_was_deleted_can_be_downloaded_again(controller: Desk, models: Path) -> None:
    """Also while it is loaded: what it takes is then in use."""
    cache = HubCache()
    places = [
        cache.folder / "models--someone--small-GGUF" / "snapshots" / ("c" * 40) / f"{name}.gguf"
        for name in ("target", "draft")
    ]
    places[0].parent.mkdir(parents=True)
    for place in places:
        place.hardlink_to(models / place.name)
    controller.loaded = choice_of(places[0], places[1])
    controller.editor.use_pair(*map(str, places))
    controller.until_step("Chat with this pair")
    places[0].unlink()
    controller.editor.refresh()
    controller.until(lambda: controller.tray.step.step.act is StepAction.DOWNLOAD)
    controller.until_measured()
    assert controller.heard[-1] == (TARGET, str(places[1]))
    assert not controller.tray.problem.isVisible()
    controller.press("trayButton")
    assert controller.wanted == [[TARGET]]


def test_a_download_that_failed_is_tried_again(controller: Desk, local: LocalHub) -> None:
    controller.editor.use_pair(TARGET, None)
    controller.until(lambda: controller.tray.step.step.act is StepAction.DOWNLOAD)
    models = resolve_requested_models(controller.hub, [TARGET], CancelToken()).models
    job = DownloadJob(
        7,
        models,
        "main",
        JobState.FAILED,
        problem=DownloadProblem(TranslatableText("No network."), TranslatableText("Look for one.")),
    )
    controller.editor.show_downloads([DownloadStatus(job, 0, 0, 0.0, is_checking=False)])
    assert (controller.step, controller.note) == ("Try again", "The download failed at 0\u00a0%. No network.")
    controller.press("trayButton")
    assert controller.resumed == [7]


def test_what_may_not_be_downloaded_is_not_offered_for_a_chat(controller: Desk, local: LocalHub, models: Path) -> None:
    gated = "someone/gated"
    local.add(gated, {"target.gguf": models / "target.gguf"}, gating="auto")
    controller.editor.use_target(f"{gated}:target.gguf")
    controller.until_problem("access token is set")
    wanted = resolve_requested_models(controller.hub, [f"{gated}:target.gguf"], CancelToken()).models
    job = DownloadJob(
        7,
        wanted,
        "main",
        JobState.FAILED,
        problem=DownloadProblem(TranslatableText("No token."), TranslatableText("Give one.")),
    )
    controller.editor.show_downloads([DownloadStatus(job, 0, 0, 0.0, is_checking=False)])
    assert (controller.step, controller.tray.step.step.act) == ("Download failed", StepAction.WAIT)
    local.add(gated, {"target.gguf": models / "target.gguf"})
    controller.press("trayProblemAgain")
    controller.until_step("Try again")
