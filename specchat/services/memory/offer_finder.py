"""Finds pairs that this machine can run, without network access; unknown sizes are estimated."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from specchat.backends.cores import physical_cores
from specchat.domain.cancel_token import CancelToken
from specchat.domain.errors import HubNotFoundError
from specchat.domain.model_ref import ModelFile
from specchat.domain.types import Device, PairChoice
from specchat.services.bench.measured_pairs import SpeedLookup, no_measurements
from specchat.services.drafts.draft_candidates import PairMember, PairOffer, PairOffers, SpeedupEstimate, TargetOffer
from specchat.services.drafts.known_pairs import KnownModel, KnownPair, KnownPairs, Remark
from specchat.services.drafts.speedup import (
    ModelCost,
    apply_measurement,
    estimate_from_costs,
    estimate_known_pair,
    relation_of,
)
from specchat.services.memory.device_memory import known_devices, pooled_memory
from specchat.services.memory.fit_estimator import ModelSize, fit_listed
from specchat.services.memory.speed_estimate import DEFAULT_CORES, estimate_speed
from specchat.services.models.file_choice import choose_model, default_quantization, estimated_size
from specchat.services.models.head_lookup import has_mtp
from specchat.services.models.model_files import command_reference
from specchat.services.models.model_library import ModelLibrary
from specchat.services.models.pair_fit import DraftVerdict, Fit, LocalModel

if TYPE_CHECKING:
    from specchat.services.hub.hub import Hub

OnOffers = Callable[[PairOffers], None]

_COMFORTABLE_PACE = 10.0
"""Tokens per second: about twice as fast as most people read, so that a wrong estimate is fast enough, too."""


class OfferFinder:
    def __init__(self, library: ModelLibrary, known: KnownPairs, measured_here: SpeedLookup = no_measurements) -> None:
        self._library = library
        self._known = known
        self._measured_here = measured_here

    def find_offers(
        self, cancel: CancelToken, machine: Sequence[Device] = (), on_known: OnOffers = lambda offers: None
    ) -> PairOffers:
        """`on_known`: hears of known pairs at once; which models that are here go together may take a while.

        `machine`: the devices of another one.
        """
        room = _Room(machine) if machine else _Room(known_devices(), physical_cores())
        usable = [model for model in self._library.models() if not model.problems]
        models = [model for model in usable if model.can_answer]
        measured_here = no_measurements if machine else self._measured_here
        known = [_add_measurement(_offer(pair, models, usable, room), measured_here) for pair in self._known.pairs()]
        on_known(_offers(known, models, room))
        pairs = [_add_fit(offer, room) for offer in known]
        for target in models:
            cancel.check()
            smaller = [model for model in usable if model.size < target.size]
            drafts = self._drafts_here(target, smaller, measured_here, cancel)
            if best := min(drafts, key=lambda draft: draft[1].rank, default=None):
                pairs.append(_add_measurement(_offer_here(target, *best, room), measured_here))
        return _offers(pairs, models, room)

    def resolve_offer(
        self, offer: PairOffer, hub: "Hub", cancel: CancelToken, machine: Sequence[Device] = ()
    ) -> PairOffer:
        """With the files and sizes that the Hub tells."""
        target = _ask_hub(offer.target, hub, cancel, is_draft=False)
        draft = _ask_hub(offer.draft, hub, cancel, is_draft=True)
        fit, needed = _Room(machine or known_devices()).fit(target, draft)
        return replace(offer, target=target, draft=draft, fit=fit, needed=needed)

    def _drafts_here(
        self, target: LocalModel, smaller: Sequence[LocalModel], measured_here: SpeedLookup, cancel: CancelToken
    ) -> Iterator[tuple[LocalModel, SpeedupEstimate]]:
        """Without the memory: who compares many pairs weighs the best alone."""
        from specchat.services.drafts.draft_evaluator import estimate_between
        from specchat.services.drafts.draft_facts import read_draft_facts

        if not smaller:
            return
        facts = read_draft_facts(target.path)
        for option in self._library.check_drafts(smaller, target.path, cancel):
            if option.selectable and (draft := option.model):
                known = measured_here(target.path, draft.path)
                if option.verdict is DraftVerdict.TRANSLATABLE and known is None:
                    continue  # any small model would do: pairs that nobody tried are no offer
                expected = estimate_between(facts, read_draft_facts(draft.path), option.verdict, overlap=option.overlap)
                yield draft, apply_measurement(expected, known)


class _Room:
    def __init__(self, devices: Sequence[Device], cores: int = DEFAULT_CORES) -> None:
        """`cores`: of the processor."""
        self._cores = cores
        self._devices = devices
        self._free = pooled_memory(devices).free
        self._gpu = sum(device.free for device in devices if device.kind == "gpu")

    def fit(self, *models: PairMember) -> tuple[Fit, int]:
        return self._fit(models)

    def fit_here(self, target: PairMember, draft: PairMember) -> tuple[Fit, int]:
        """Estimates memory from headers, with the default context."""
        files = [ModelFile(Path(side.reference)) for side in (target, draft)]
        return self._fit((target, draft), PairChoice(files[0], files[1], draft_type="model"))

    def _fit(self, models: Sequence[PairMember], choice: PairChoice | None = None) -> tuple[Fit, int]:
        sizes = [ModelSize(model.size, model.parameters) for model in models]
        found = fit_listed(sizes, self._devices, choice)
        return found.verdict, found.needed

    def is_slow(self, needed: int) -> bool:
        """Part of it would lie outside the graphics cards."""
        return 0 < self._gpu < needed

    def runs_well(self, offer: PairOffer) -> bool:
        """Faster than one reads, and with as much memory left for other programs."""
        speed = offer.tokens_per_s
        return speed is None or (speed >= _COMFORTABLE_PACE and 2 * offer.needed <= self._free)

    def speed(self, read: float, needed: int, expected: SpeedupEstimate) -> float | None:
        """Tokens per second. None: nothing is known of graphics cards, nor of so tiny a model."""
        if expected.tiny or 0 < needed <= self._gpu:
            return None
        return expected.speedup * estimate_speed(read, self._cores)


def _offers(pairs: Iterable[PairOffer], models: Iterable[LocalModel], room: _Room) -> PairOffers:
    by_files = {(pair.target.reference, pair.draft.reference): pair for pair in reversed(list(pairs))}
    shown = sorted(by_files.values(), key=lambda offer: _rank(offer, room))
    in_pairs = {side.reference for pair in shown for side in (pair.target, pair.draft) if pair.target.here}
    return PairOffers(tuple(shown), tuple(_alone(models, in_pairs, room)))


def _alone(models: Iterable[LocalModel], in_pairs: set[str], room: _Room) -> list[TargetOffer]:
    """Those that guess by themselves also where another draft is known."""
    offers = []
    for model in models:
        side, guesses = _side_here(model), has_mtp(model.ref)
        if guesses or side.reference not in in_pairs:
            offers.append(TargetOffer(side, *room.fit(side), guesses))
    return sorted(offers, key=lambda offer: (list(Fit).index(offer.fit), -offer.target.parameters))


def _rank(offer: PairOffer, room: _Room) -> tuple[object, ...]:
    """What fits first, and runs well: then the larger, as it answers better. Of the others that fit the faster, of
    what does not the smaller. So tiny a target is no more than a toy.
    """
    runs_well = room.runs_well(offer)
    return (
        list(Fit).index(offer.fit),
        offer.expected.tiny,
        room.is_slow(offer.needed),
        not runs_well,
        not offer.chats,
        0 if runs_well else _drawback(offer),
        -offer.target.parameters,
        offer.expected.rank,
        offer.to_download,
        offer.target.reference,
    )


def _drawback(offer: PairOffer) -> float:
    """Of what does not run well: the least comes first."""
    return offer.needed if offer.fit is Fit.DOES_NOT_FIT else -(offer.tokens_per_s or 0.0)


def _offer(pair: KnownPair, models: Sequence[LocalModel], drafts: Sequence[LocalModel], room: _Room) -> PairOffer:
    """`drafts`: heads, too."""
    target = _side(pair.target, models, is_draft=False)
    draft = _side(pair.draft, drafts, is_draft=True)
    fit, needed = room.fit(target, draft)
    expected = estimate_known_pair(pair, target.quantization, draft.quantization) or _by_size(target, draft, pair)
    read = target.size
    if active := pair.target.active_parameters:
        read = estimated_size(active, target.quantization)
    chats = pair.remark is not Remark.COMPLETES_CODE
    speed = room.speed(read, needed, expected)
    return PairOffer(target, draft, fit, needed, expected, pair.remark_text, pair.own, chats, speed)


def _add_measurement(offer: PairOffer, measured_here: SpeedLookup) -> PairOffer:
    if not (offer.target.here and offer.draft.here):
        return offer
    found = measured_here(Path(offer.target.reference), Path(offer.draft.reference))
    if found is None:
        return offer
    return replace(offer, expected=apply_measurement(offer.expected, found), tokens_per_s=found.tokens_per_s)


def _add_fit(offer: PairOffer, room: _Room) -> PairOffer:
    """What is here need not be guessed."""
    if not (offer.target.here and offer.draft.here):
        return offer
    fit, needed = room.fit_here(offer.target, offer.draft)
    return replace(offer, fit=fit, needed=needed)


def _offer_here(target: LocalModel, draft: LocalModel, expected: SpeedupEstimate, room: _Room) -> PairOffer:
    from specchat.services.drafts.draft_facts import read_draft_facts

    sides = _side_here(target), _side_here(draft)
    fit, needed = room.fit_here(*sides)
    speed = room.speed(read_draft_facts(target.path).side.read, needed, expected)
    return PairOffer(*sides, fit, needed, expected, tokens_per_s=speed)


def _side(known: KnownModel, models: Sequence[LocalModel], *, is_draft: bool) -> PairMember:
    here = [model for model in models if known.matches(model.reference or str(model.path), model.name)]
    if here:
        usual = known.quantization or default_quantization(known.parameters, is_draft=is_draft)
        return _side_here(min(here, key=lambda model: (model.quantization != usual, model.size)))
    quantization = known.quantization or default_quantization(known.parameters, is_draft=is_draft)
    size = estimated_size(known.parameters, quantization)
    name = known.name or known.reference
    return PairMember(known.reference, name, quantization, known.parameters, size, here=False)


def _side_here(model: LocalModel) -> PairMember:
    facts = model.quantization, model.parameters, model.size
    return PairMember(str(model.path), model.name, *facts, here=True, named=command_reference(model))


def _ask_hub(side: PairMember, hub: "Hub", cancel: CancelToken, *, is_draft: bool) -> PairMember:
    if side.here:
        return side
    repo, _, file = side.reference.partition(":")
    models = hub.fetch_listing(repo, None, cancel).models
    chosen = choose_model(models, side.parameters, is_draft=is_draft, file=file or None)
    if chosen is None:
        raise HubNotFoundError(
            "{repo} no longer contains this pair's model.", "Choose another pair, or search Hugging Face.", repo=repo
        )
    return replace(side, reference=str(chosen.reference), quantization=chosen.quantization, size=chosen.size)


def _by_size(target: PairMember, draft: PairMember, pair: KnownPair) -> SpeedupEstimate:
    sides = ModelCost(target.parameters, target.size), ModelCost(draft.parameters, draft.size)
    return estimate_from_costs(*sides, relation_of(pair), pair.acceptance)
