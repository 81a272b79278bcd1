"""Determines the next step for the selected pair, such as downloading it or chatting with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from specchat.domain.hub import parse_hub_reference
from specchat.services.hub.download_jobs import DownloadStatus, JobState
from specchat.services.models.model_description import ModelDescription
from specchat.services.models.pair_fit import Fit
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_percent, format_size

translate = QCoreApplication.translate

_URGENCY = (JobState.FAILED, JobState.PAUSED, JobState.RUNNING, JobState.INSTALLING, JobState.WAITING)
"""Several downloads are summarized by the first of these states."""


class StepAction(StrEnum):
    WAIT = "wait"
    DOWNLOAD = "download"
    SHOW_DOWNLOADS = "show downloads"
    RESUME = "resume"
    """A download that failed."""
    CHAT = "chat"
    USE_SUGGESTION = "use suggestion"


class DraftAlternative(StrEnum):
    """What guesses in place of a draft."""

    NOT_CHOSEN = "not chosen"
    EARLIER_TEXT = "earlier text"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class NextStep:
    act: StepAction
    words: str
    note: str = ""
    """Why it cannot be done yet, or what to know before."""
    share: float | None = None
    """Of what is downloaded at the moment."""
    suggests: bool = False
    """Other settings instead."""
    warns: bool = False
    """It may go wrong."""


@dataclass(frozen=True, slots=True)
class PairStatus:
    target: ModelDescription | None = None
    draft: ModelDescription | None = None
    instead: DraftAlternative = DraftAlternative.NOT_CHOSEN
    checked: bool = False
    """All there is to know about the two is known."""
    obstacle: str = ""
    """Why they cannot be used."""
    fit: Fit | None = None
    suggestion: str | None = None
    """What to change for a better fit; empty: nothing would help; None: that is not known."""
    changed: str = ""
    """What was changed for it."""
    downloads: Mapping[str, DownloadStatus] = field(default_factory=dict)
    """By reference."""

    @property
    def missing(self) -> list[ModelDescription]:
        models = {model.reference: model for model in (self.target, self.draft) if model is not None}
        return [model for model in models.values() if model.here is False]

    @property
    def to_download(self) -> list[ModelDescription]:
        return [model for model in self.missing if model.reference not in self.downloads]

    @property
    def arriving(self) -> list[DownloadStatus]:
        """The downloads of what is missing, each once."""
        jobs = (self.downloads[model.reference] for model in self.missing if model.reference in self.downloads)
        return list({shown.job.number: shown for shown in jobs}.values())


class PairDownloads:
    """Those of the pair's models, of all that go on."""

    def __init__(self) -> None:
        self._jobs: Sequence[DownloadStatus] = ()
        self._done: set[int] = set()

    def update_jobs(self, jobs: Sequence[DownloadStatus], references: Sequence[str]) -> bool:
        """Whether one of the models has arrived."""
        done = {shown.job.number: shown for shown in jobs if shown.job.state is JobState.DONE}
        new = done.keys() - self._done
        self._jobs, self._done = jobs, set(done)
        return any(_holds(done[number], reference) for number in new for reference in references)

    def unfinished_jobs(self, references: Sequence[str]) -> Mapping[str, DownloadStatus]:
        """By reference."""
        unfinished = [shown for shown in self._jobs if shown.job.state is not JobState.DONE]
        return {reference: shown for reference in references for shown in unfinished if _holds(shown, reference)}

    def failed_job_numbers(self, references: Sequence[str]) -> set[int]:
        """The numbers of the jobs."""
        going = self.unfinished_jobs(references).values()
        return {shown.job.number for shown in going if shown.job.state is JobState.FAILED}


def next_step(now: PairStatus) -> NextStep:
    """What cannot be used is not downloaded either."""
    words = _words(now)
    if now.target is None:
        return NextStep(StepAction.WAIT, words, translate("Step", "Choose a target first."))
    if now.obstacle:
        return NextStep(StepAction.WAIT, words, now.obstacle)
    if now.missing and not now.to_download:
        return _downloading(now.arriving)
    if not now.checked:
        return NextStep(StepAction.WAIT, words, translate("Step", "Reading model headers…"))
    note = _memory_note(now)
    if not (note or now.draft or now.missing or now.instead is DraftAlternative.NOTHING):
        note = translate("Step", "Without a draft, specchat guesses from earlier text.")
    act = StepAction.DOWNLOAD if now.to_download else StepAction.CHAT
    return NextStep(act, words, note, suggests=bool(now.suggestion), warns=now.fit is Fit.DOES_NOT_FIT)


def _words(now: PairStatus) -> str:
    """What would be done, or is under way, also where it cannot be done yet."""
    if now.to_download:
        return _download_words(now)
    return _state_words(now.arriving) if now.missing else _chat_words(now)


def _chat_words(now: PairStatus) -> str:
    if now.fit is Fit.DOES_NOT_FIT:
        return translate("Step", "Load anyway")
    if now.draft is None:
        return translate("Step", "Chat with this model")
    return translate("Step", "Chat with this pair")


def _download_words(now: PairStatus) -> str:
    if now.fit is Fit.DOES_NOT_FIT:
        words = translate("Step", "Download {size} anyway")
    else:
        words = translate("Step", "Download {size}")
    sizes = [model.size for model in now.to_download]
    return words.format(size=format_size(sum(sizes)) if all(sizes) else "").strip()


def _memory_note(now: PairStatus) -> str:
    match now.fit:
        case Fit.DOES_NOT_FIT if now.suggestion == "":
            return translate("Step", "No settings make it fit. Choose a smaller model.")
        case Fit.DOES_NOT_FIT if now.suggestion is not None:
            return translate("Step", "Fits with {changes}.").format(changes=now.suggestion)
        case Fit.DOES_NOT_FIT:
            return translate("Step", "Doesn't fit: loading may fail or be very slow.")
        case Fit.TIGHT if now.suggestion:
            return translate("Step", "More memory stays free with {changes}.").format(changes=now.suggestion)
        case Fit.TIGHT:
            return translate("Step", "Almost no free memory will be left: other programs may slow down.")
    return translate("Step", "Changed: {changes}.").format(changes=now.changed) if now.changed else ""


def _downloading(jobs: Sequence[DownloadStatus]) -> NextStep:
    if _state(jobs) is JobState.FAILED:
        return NextStep(StepAction.RESUME, translate("Step", "Try again"), _failure(jobs))
    note = translate("Step", "Click to see downloads.")
    return NextStep(StepAction.SHOW_DOWNLOADS, _state_words(jobs), note, _share(jobs))


def _failure(jobs: Sequence[DownloadStatus]) -> str:
    words = translate("Step", "The download failed at {percent}.").format(percent=_percent(jobs))
    problem = next((shown.job.problem for shown in jobs if shown.job.problem is not None), None)
    return f"{words} {translate_text(problem.message)}" if problem is not None else words


def _state_words(jobs: Sequence[DownloadStatus]) -> str:
    match _state(jobs):
        case JobState.FAILED:
            words = translate("Step", "Download failed")
        case JobState.PAUSED:
            words = translate("Step", "Paused at {percent}")
        case JobState.WAITING:
            words = translate("Step", "Waiting at {percent}")
        case _:
            words = translate("Step", "Downloading {percent}")
    return words.format(percent=_percent(jobs))


def _state(jobs: Sequence[DownloadStatus]) -> JobState:
    return min((shown.job.state for shown in jobs), key=_URGENCY.index)


def _share(jobs: Sequence[DownloadStatus]) -> float:
    return sum(shown.done for shown in jobs) / max(1, sum(shown.job.size for shown in jobs))


def _percent(jobs: Sequence[DownloadStatus]) -> str:
    return format_percent(int(100 * min(_share(jobs), 1)) / 100)


def _holds(shown: DownloadStatus, reference: str) -> bool:
    remote = parse_hub_reference(reference)
    return remote is not None and any((file.repo, file.path) == (remote.repo, remote.file) for file in shown.job.files)
