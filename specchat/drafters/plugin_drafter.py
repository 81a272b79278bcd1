"""Wraps a drafter of an installed package, so that its failures cannot harm the answer."""

import logging
from collections.abc import Callable

import numpy as np

from specchat.domain.errors import Cancelled, DrafterError, SettingError
from specchat.domain.ports import DraftContext, Drafter
from specchat.domain.proposal import Proposal
from specchat.domain.speculation_status import DrafterFailure
from specchat.engine.tokens import Tokens, common_prefix

log = logging.getLogger(__name__)


class PluginDrafter:
    def __init__(self, name: str, drafter: Drafter) -> None:
        self.name = name
        self._drafter = drafter

    @classmethod
    def load(cls, name: str, make: Callable[[], Drafter]) -> "PluginDrafter":
        try:
            return cls(name, make())
        except Exception as error:  # noqa: BLE001 - a plug-in may raise anything
            log.info("Couldn't create the drafter %s", name, exc_info=True)
            raise SettingError(
                "The drafter {name} failed to start: {reason}", "Update or remove its package.", name=name, reason=error
            ) from None

    def propose(self, context: DraftContext, budget: int) -> Proposal:
        cached = context.target.cached.copy()
        try:
            return _well_formed(self._drafter.propose(context, budget), self.name)
        except Cancelled:
            raise
        except Exception as error:
            log.info("The drafter %s failed", self.name, exc_info=True)
            raise DrafterError(DrafterFailure(str(error), self.name)) from error
        finally:
            _restore_cache(context, cached)

    def observe(self, accepted: int, proposal: Proposal) -> None:
        try:
            self._drafter.observe(accepted, proposal)
        except Exception as error:
            log.info("The drafter %s failed", self.name, exc_info=True)
            raise DrafterError(DrafterFailure(str(error), self.name)) from error


def _restore_cache(context: DraftContext, wanted: Tokens) -> None:
    """It may have used the target for itself. More than what was there before comes with the next pass."""
    target = context.target
    if np.array_equal(target.cached, wanted):  # states beyond it stay, too
        return
    kept = target.keep(common_prefix(target.cached, wanted))
    if kept < len(wanted):
        target.evaluate(wanted[kept:], 0, context.cancel)


def _well_formed(proposal: Proposal, name: str) -> Proposal:
    """Plain ints, one origin and one confidence each, so that nothing later stumbles. It gets no probes."""
    tokens = tuple(int(token) for token in proposal.tokens)
    n = len(tokens)
    origins = tuple(str(o) for o in proposal.origins) if len(proposal.origins) == n else (name,) * n
    confidences = tuple(float(c) for c in proposal.confidences) if len(proposal.confidences) == n else (0.5,) * n
    parents = tuple(int(p) for p in proposal.parents)
    is_tree = len(parents) == n and all(-1 <= parent < i for i, parent in enumerate(parents))
    seconds = tuple(None if second is None else int(second) for second in proposal.seconds)
    return Proposal(tokens, origins, confidences, parents if is_tree else (), seconds if len(seconds) == n else ())
