"""Describes a token for its tooltip."""

from PySide6.QtCore import QCoreApplication

from specchat.domain.conversations import Mark
from specchat.domain.drafter_types import draft_type_of_origin
from specchat.ui.transcript.token_colouring import OriginKind, origin_kind
from specchat.ui.words.message_translation import translate_text
from specchat.ui.words.number_format import format_number


def describe_token(mark: Mark) -> str:
    parts = [_source(mark)]
    if mark.position is not None:
        position = QCoreApplication.translate("Token", "position {n} in the draft")
        parts.append(position.format(n=mark.position + 1))
    if mark.probability is not None:
        probability = QCoreApplication.translate("Token", "probability {p} %")
        parts.append(probability.format(p=_percent(mark.probability)))
    return " · ".join(parts)


def _source(mark: Mark) -> str:
    whose = origin_kind(mark)
    if whose is OriginKind.TARGET:
        return QCoreApplication.translate("Token", "Chosen by the target")
    if known := draft_type_of_origin(mark.origin):
        return translate_text(known.token)
    return QCoreApplication.translate("Token", "Guessed by {source}, accepted").format(source=mark.origin)


def _percent(share: float) -> str:
    percent = 100 * share
    return format_number(percent, 1 if percent < 10 else 0)
