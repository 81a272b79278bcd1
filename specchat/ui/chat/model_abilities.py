"""Refuses what the loaded model, or its engine, cannot do, and shows that it can't."""

from collections.abc import Sequence

from PySide6.QtCore import QObject

from specchat.domain.connections import Capability
from specchat.domain.errors import IncapableError, UserError
from specchat.domain.media import Media
from specchat.domain.pictures import Picture
from specchat.domain.recordings import Recording
from specchat.ui.composer.composer import Composer
from specchat.ui.session import Session
from specchat.ui.transcript.action_widgets import ActionKind
from specchat.ui.transcript.transcript_view import TranscriptView
from specchat.ui.words.message_translation import translate_text


class ModelAbilities(QObject):
    def __init__(self, session: Session, transcript: TranscriptView, composer: Composer, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._transcript, self._composer = session, transcript, composer
        session.pair_changed.connect(self._show)
        composer.attaching.set_hearing(False)

    def require_senses(self, media: Sequence[Media]) -> None:
        pair = self._session.pair
        if pair is None:
            return
        if not pair.sees_pictures and any(isinstance(each, Picture) for each in media):
            raise IncapableError(
                self.tr("This model can't see pictures."),
                self.tr("Choose a model with a vision encoder (mmproj), or remove the pictures."),
            )

        if not pair.hears_recordings and any(isinstance(each, Recording) for each in media):
            raise IncapableError(
                self.tr("This model can't hear recordings."),
                self.tr("Choose a model with an audio encoder (mmproj), or remove the recordings."),
            )

    def require_continue(self) -> None:
        if reason := self.why_no_continue():
            raise UserError(reason, self.tr("To continue it, choose a model from another engine."))

    def why_no_continue(self) -> str:
        """Empty where it can be done."""
        pair = self._session.pair
        reason = pair.lacks.get(Capability.CONTINUE) if pair is not None else None
        return translate_text(reason) if reason is not None else ""

    def _show(self) -> None:
        self._composer.attaching.set_hearing(self._session.hears_recordings)
        reason = self.why_no_continue()
        self._composer.set_no_prefill(reason)
        kinds = (ActionKind.CONTINUE, ActionKind.PREFILL) if reason else ()
        self._transcript.set_unavailable(dict.fromkeys(kinds, reason))
