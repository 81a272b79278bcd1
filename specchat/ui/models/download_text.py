"""Formats the state, amount, speed and remaining time of downloads without flickering digits."""

import re
from datetime import datetime
from pathlib import PurePosixPath

from PySide6.QtCore import QCoreApplication, QLocale, QTime
from PySide6.QtGui import QFontMetrics

from specchat.domain.hub import RemoteModel
from specchat.services.hub.download_jobs import DownloadJob, DownloadStatus, JobState
from specchat.ui.models.download_progress import DownloadStats
from specchat.ui.widgets.hysteresis_rounder import HysteresisRounder
from specchat.ui.widgets.theme import SMALL_PX, body_font
from specchat.ui.words.joined_names import join_names
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number, format_size, join_units

translate = QCoreApplication.translate

_FILE = re.compile(r"(-\d{5}-of-\d{5})?\.(gguf|safetensors)$", re.IGNORECASE)
_KILO, _MEGA, _GIGA = 10**3, 10**6, 10**9
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_SEEN_BEFORE_GUESSING = 5
"""The first speeds say little about the rest."""


class DownloadRateText:
    """Speed and time left of one download, rounded so that no last digit flickers between two values."""

    def __init__(self) -> None:
        self._speed, self._time, self._seen = HysteresisRounder(), HysteresisRounder(), 0

    def words(self, shown: DownloadStatus) -> tuple[str, str]:
        if not shown.bytes_per_second or shown.is_checking:
            self._speed, self._time, self._seen = HysteresisRounder(), HysteresisRounder(), 0
            return "", ""
        self._seen += 1
        time = format_time_left(shown.seconds_left, self._time) if self._seen > _SEEN_BEFORE_GUESSING else ""
        return format_speed(shown.bytes_per_second, self._speed), time


def download_stats(shown: DownloadStatus, pace: DownloadRateText) -> DownloadStats:
    if shown.job.state is JobState.DONE:
        return DownloadStats(state_label(shown), format_size(sum(model.size for model in shown.gone) or shown.job.size))
    return DownloadStats(state_label(shown), format_amount(shown.done, shown.job.size), *pace.words(shown))


def widest_stats(shown: DownloadStatus) -> DownloadStats:
    """What the figures may come to, for which room is kept."""
    if shown.job.state is JobState.DONE:
        return download_stats(shown, DownloadRateText())
    whole = shown.job.size
    unit, decimals, words = _unit(whole)
    number_of_all = format_number(whole / unit, decimals)
    wide = QFontMetrics(body_font(SMALL_PX)).horizontalAdvance
    return DownloadStats(
        max((*_states().values(), _checking(), _again()), key=wide),
        join_units(words.format(done=number_of_all, whole=number_of_all)),
        join_units(translate("Downloads", "{n} MB/s").format(n=format_number(888))),
        translate("Downloads", "about {n} minutes left").format(n=format_number(88)),
    )


def state_label(shown: DownloadStatus) -> str:
    if shown.job.state is JobState.RUNNING:
        if shown.is_checking:
            return _checking()
        if shown.again:
            return _again()
    if shown.gone:
        return translate("Downloads", "Incomplete") if _is_partly_here(shown) else _gone()
    return _states()[shown.job.state]


def _checking() -> str:
    return translate("Downloads", "Checking")


def _again() -> str:
    return translate("Downloads", "Retrying")


def _gone() -> str:
    return translate("Downloads", "Deleted")


def _is_partly_here(shown: DownloadStatus) -> bool:
    return 0 < len(shown.gone) < len(shown.job.models)


def _states() -> dict[JobState, str]:
    return {
        JobState.WAITING: translate("Downloads", "Waiting"),
        JobState.RUNNING: translate("Downloads", "Downloading"),
        JobState.INSTALLING: translate("Downloads", "Installing"),
        JobState.PAUSED: translate("Downloads", "Paused"),
        JobState.FAILED: translate("Downloads", "Failed"),
        JobState.DONE: translate("Downloads", "Done"),
    }


def model_name(model: RemoteModel) -> str:
    return display_name(model.first.path)


def display_name(path: str) -> str:
    return _FILE.sub("", PurePosixPath(path).name)


def job_title(job: DownloadJob) -> str:
    return model_name(job.models[0]) if job.models else translate("Downloads", "No model")


def job_subtitle(shown: DownloadStatus) -> str:
    """Why it does not simply go on, or what of it is gone; what comes with it; or else from where it comes."""
    job = shown.job
    if status_reason(shown):
        return status_reason(shown)
    others = ", ".join(map(model_name, job.models[1:]))
    if others:
        return translate("Downloads", "with {names}").format(names=others)
    return job.models[0].first.repo if job.models else ""


def status_reason(shown: DownloadStatus) -> str:
    if _is_partly_here(shown):
        return translate("Downloads", "Deleted: {names}").format(names=join_names(list(map(model_name, shown.gone))))
    if not shown.again or shown.job.state is not JobState.RUNNING:
        return ""
    if shown.pause is None:
        return translate_text(shown.again)
    words = translate("Downloads", "{reason} specchat will retry at {time} and give up at {end}.")
    return words.format(
        reason=translate_text(shown.again), time=_time(shown.pause.ends), end=_time(shown.pause.gives_up)
    )


def _time(moment: datetime) -> str:
    return QLocale().toString(QTime(moment.hour, moment.minute, moment.second), QLocale.FormatType.ShortFormat)


def joined_model_names(job: DownloadJob) -> str:
    return join_names([model_name(model) for model in job.models])


def format_amount(done: int, whole: int) -> str:
    """In the unit of the whole, so that the words keep their length. What is not whole does not look whole."""
    unit, decimals, words = _unit(whole)
    step = unit // 10**decimals
    so_far = done if done >= whole else done // step * step
    return join_units(
        words.format(done=format_number(so_far / unit, decimals), whole=format_number(whole / unit, decimals))
    )


def _unit(whole: int) -> tuple[int, int, str]:
    if whole >= _GIGA:
        return _GIGA, 1, translate("Downloads", "{done} of {whole} GB")
    if whole >= _MEGA:
        return _MEGA, 0, translate("Downloads", "{done} of {whole} MB")
    return _KILO, 0, translate("Downloads", "{done} of {whole} kB")


def format_speed(bytes_per_second: float, steady: HysteresisRounder) -> str:
    if bytes_per_second <= 0:
        return ""
    shown = steady.round_to(bytes_per_second, _speed_unit(bytes_per_second))
    if shown < _MEGA:
        return join_units(translate("Downloads", "{n} kB/s").format(n=format_number(shown / _KILO)))
    number = format_number(shown / _MEGA, 1 if shown < 10 * _MEGA else 0)
    return join_units(translate("Downloads", "{n} MB/s").format(n=number))


def _speed_unit(bytes_per_second: float) -> float:
    if bytes_per_second < _MEGA:
        return 10 * _KILO if bytes_per_second > 100 * _KILO else _KILO
    return 0.1 * _MEGA if bytes_per_second < 10 * _MEGA else _MEGA


def format_time_left(seconds: float | None, steady: HysteresisRounder) -> str:
    if seconds is None:
        return ""
    unit = _time_unit(seconds)
    shown = steady.round_to(seconds, unit)
    if shown < _MINUTE:
        return translate("Downloads", "less than a minute left")
    if shown < 90 * _MINUTE:
        one, several = translate("Downloads", "about a minute left"), translate("Downloads", "about {n} minutes left")
        return _counted(shown / _MINUTE, one, several)
    if shown < 2 * _DAY:
        return _counted(shown / _HOUR, "", translate("Downloads", "about {n} hours left"))
    return _counted(shown / _DAY, "", translate("Downloads", "about {n} days left"))


def _counted(count: float, one: str, several: str) -> str:
    return one if round(count) == 1 else several.format(n=format_number(round(count)))


def _time_unit(seconds: float) -> float:
    if seconds >= 2 * _DAY:
        return _DAY
    if seconds >= 90 * _MINUTE:
        return _HOUR
    return _MINUTE if seconds < 20 * _MINUTE else 5 * _MINUTE
