"""Lists the pairs that can run on this machine and stores the pairs added by the user."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from specchat.domain.cancel_token import CancelToken
from specchat.domain.hub import parse_hub_reference
from specchat.services.drafts.draft_candidates import PairMember, PairOffer, PairOffers
from specchat.ui.models.pairs_pane import PairsPane
from specchat.ui.threads.latest_task import LatestTask, PostCallback
from specchat.ui.threads.task_queue import TaskQueue

if TYPE_CHECKING:  # they take their time to import
    from specchat.services.drafts.known_pairs import KnownModel, KnownPair, KnownPairs
    from specchat.services.hub.hub import Hub
    from specchat.services.memory.offer_finder import OfferFinder


class PairsController(QObject):
    pair_requested = Signal(str, str)
    """The references of target and draft."""

    def __init__(
        self,
        pane: PairsPane,
        runnable: "Callable[[], OfferFinder]",
        known: "Callable[[], KnownPairs]",
        hub: "Callable[[], Hub]",
        logs: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._pane, self._runnable, self._known, self._hub = pane, runnable, known, hub
        self._looking, self._tasks = TaskQueue(logs, self), TaskQueue(logs, self)
        self._listing, self._asking = LatestTask(self._looking, parent=self), LatestTask(self._tasks, parent=self)
        self._asked: PairOffer | None = None
        requests = pane.requests
        requests.pairs_refresh_requested.connect(self.refresh)
        requests.pair_requested.connect(self._use)
        requests.lookup_cancelled.connect(self._give_up)
        requests.pair_entered.connect(self._add)
        requests.pair_removal_requested.connect(self._remove)

    def refresh(self) -> None:
        self._pane.show_loading()
        self._listing.start(self._list, partial(self._pane.show_problem, can_retry=True))

    def close(self) -> None:
        self._listing.stop()
        self._asking.stop()
        self._looking.close()
        self._tasks.close()

    def _list(self, cancel: CancelToken, post: PostCallback) -> None:
        """Known pairs at once, the rest together: cards that keep moving cannot be read."""

        def post_known(offers: PairOffers) -> None:
            post(partial(self._pane.show_offers, offers, complete=False))

        offers = self._runnable().find_offers(cancel, on_known=post_known)
        post(partial(self._pane.show_offers, offers))

    def _use(self, offer: PairOffer) -> None:
        self._give_up()
        if _has_file(offer.target) and _has_file(offer.draft):
            self._wish(offer)
            return
        self._asked = offer
        self._pane.show_lookup(offer)

        def ask(cancel: CancelToken, post: PostCallback) -> None:
            asked = self._runnable().resolve_offer(offer, self._hub(), cancel)
            post(partial(self._wish, asked))

        self._asking.start(ask, lambda _: self._wish(offer))

    def _wish(self, offer: PairOffer) -> None:
        """Where the Hub did not tell of its files, whoever gets the wish asks again, and says why that fails."""
        self._give_up()
        self._pane.problem.dismiss()
        self.pair_requested.emit(offer.target.reference, offer.draft.reference)

    def _give_up(self) -> None:
        self._asking.stop()
        if self._asked is not None:
            self._pane.hide_lookup(self._asked)
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


def _has_file(side: PairMember) -> bool:
    return side.here or parse_hub_reference(side.reference) is not None


def _key(offer: PairOffer) -> tuple[str, str]:
    return offer.target.reference.casefold(), offer.draft.reference.casefold()


def _is_meant(pair: "KnownPair", offer: PairOffer) -> bool:
    sides = (pair.target, offer.target), (pair.draft, offer.draft)
    return all(known.matches(side.reference, side.name) for known, side in sides)


def _model(reference: str) -> "KnownModel":
    """What its name tells: of a file that is here, the shelf tells the rest."""
    from specchat.services.drafts.known_pairs import make_known_model
    from specchat.services.models.model_description import describe_reference
    from specchat.services.models.model_names import parse_parameters

    seen = describe_reference(reference)
    return make_known_model(reference, seen.name, parse_parameters(seen.name), seen.quantization)
