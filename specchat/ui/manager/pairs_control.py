"""Finds out what can be run on this machine, and keeps the user's own pairs."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel import CancelToken
from specchat.domain.hub import parse_reference
from specchat.services.drafts.values import Offers, PairOffer, PairSide
from specchat.ui.manager.pairs_pane import PairsPane
from specchat.ui.threads.newest import Newest, Tell
from specchat.ui.threads.tasks import Tasks

if TYPE_CHECKING:  # they take their time to import
    from specchat.services.drafts.known_pairs import KnownModel, KnownPair, KnownPairs
    from specchat.services.hub.hub import Hub
    from specchat.services.memory.runnable import Runnable


class PairsControl(QObject):
    pairWanted = Signal(str, str)
    """The references of target and draft."""
    targetWanted = Signal(str)
    """Of one that has no draft yet."""

    def __init__(
        self,
        pane: PairsPane,
        runnable: "Callable[[], Runnable]",
        known: "Callable[[], KnownPairs]",
        hub: "Callable[[], Hub]",
        logs: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._pane, self._runnable, self._known, self._hub = pane, runnable, known, hub
        self._looking, self._tasks = Tasks(logs, self), Tasks(logs, self)
        self._listing, self._asking = Newest(self._looking, parent=self), Newest(self._tasks, parent=self)
        self._asked: PairOffer | None = None
        pane.refreshWanted.connect(self.refresh)
        pane.pairWanted.connect(self._use)
        pane.pairGivenUp.connect(self._give_up)
        pane.targetWanted.connect(self.targetWanted)
        pane.pairEntered.connect(self._add)
        pane.pairRemoved.connect(self._remove)

    def refresh(self) -> None:
        self._pane.show_loading()
        self._listing.begin(self._list, partial(self._pane.show_problem, can_retry=True))

    def close(self) -> None:
        self._listing.stop()
        self._asking.stop()
        self._looking.close()
        self._tasks.close()

    def _list(self, cancel: CancelToken, tell: Tell) -> None:
        """Known pairs at once, the rest together: cards that keep moving cannot be read."""

        def tell_known(offers: Offers) -> None:
            tell(partial(self._pane.show_offers, offers, complete=False))

        offers = self._runnable().offers(cancel, told=tell_known)
        tell(partial(self._pane.show_offers, offers))

    def _use(self, offer: PairOffer) -> None:
        self._give_up()
        if _has_file(offer.target) and _has_file(offer.draft):
            self._wish(offer)
            return
        self._asked = offer
        self._pane.show_asking(offer)

        def ask(cancel: CancelToken, tell: Tell) -> None:
            asked = self._runnable().asked(offer, self._hub(), cancel)
            tell(partial(self._wish, asked))

        self._asking.begin(ask, lambda _: self._wish(offer))

    def _wish(self, offer: PairOffer) -> None:
        """Where the Hub did not tell of its files, whoever gets the wish asks again, and says why that fails."""
        self._give_up()
        self._pane.clear_problem()
        self.pairWanted.emit(offer.target.reference, offer.draft.reference)

    def _give_up(self) -> None:
        self._asking.stop()
        if self._asked is not None:
            self._pane.show_asked(self._asked)
            self._asked = None

    def _add(self, target: str, draft: str) -> None:
        def add() -> None:
            from specchat.services.drafts.known_pairs import KnownPair

            self._known().add(KnownPair(_model(target), _model(draft)))

        def added(_: None) -> None:
            self._pane.close_dialog()
            self.refresh()

        self._tasks.run(add, added, self._pane.show_entry_problem)

    def _remove(self, offer: PairOffer) -> None:
        def remove() -> None:
            known = self._known()
            own = [pair for pair in known.pairs() if pair.own and _is_meant(pair, offer)]
            exact = [pair for pair in own if pair.key == _key(offer)]
            for pair in exact or own[:1]:
                known.remove(pair)

        self._tasks.run(remove, lambda _: self.refresh(), self._pane.show_problem)


def _has_file(side: PairSide) -> bool:
    return side.here or parse_reference(side.reference) is not None


def _key(offer: PairOffer) -> tuple[str, str]:
    return offer.target.reference.casefold(), offer.draft.reference.casefold()


def _is_meant(pair: "KnownPair", offer: PairOffer) -> bool:
    sides = (pair.target, offer.target), (pair.draft, offer.draft)
    return all(known.is_meant(side.reference, side.name) for known, side in sides)


def _model(reference: str) -> "KnownModel":
    """What its name tells: of a file that is here, the shelf tells the rest."""
    from specchat.services.drafts.known_pairs import known_model
    from specchat.services.models.chosen_model import at_first_sight
    from specchat.services.models.model_names import parameters_named

    seen = at_first_sight(reference)
    return known_model(reference, seen.name, parameters_named(seen.name), seen.quantization)
