"""What the tooltip of a token says."""

from PySide6.QtCore import QCoreApplication

from specchat.domain.conversations import Mark
from specchat.domain.draft_types import type_of_origin
from specchat.ui.transcript.colouring import Owner, owner
from specchat.ui.words.amounts import number
from specchat.ui.words.said import in_words


def describe(mark: Mark) -> str:
    parts = [_source(mark)]
    if mark.position is not None:
        position = QCoreApplication.translate("Token", "position {n} in the draft")
        parts.append(position.format(n=mark.position + 1))
    if mark.probability is not None:
        probability = QCoreApplication.translate("Token", "probability {p} %")
        parts.append(probability.format(p=_percent(mark.probability)))
    return " · ".join(parts)


def _source(mark: Mark) -> str:
    whose = owner(mark)
    if whose is Owner.TARGET:
        return QCoreApplication.translate("Token", "Chosen by the target")
    if known := type_of_origin(mark.origin):
        return in_words(known.token)
    return QCoreApplication.translate("Token", "Guessed by {source}, accepted").format(source=mark.origin)


def _percent(share: float) -> str:
    percent = 100 * share
    return number(percent, 1 if percent < 10 else 0)
