"""Creates the speculation that a pair's choice asks for."""

from specchat.domain.benchmark import CHAIN_POLICY, TREE_POLICY
from specchat.domain.drafter_types import AUTO, EARLY_EXIT, MODEL
from specchat.domain.ports import Drafter, LanguageModel
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import LOOKAHEAD, NGRAM, PairChoice
from specchat.drafters import DrafterSetup, make_drafter
from specchat.drafters.grammar_drafter import GrammarDrafter
from specchat.drafters.lookahead_drafter import LookaheadDrafter
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.draft_sources import DraftSource
from specchat.engine.fixed_length import FixedLengthStrategy
from specchat.engine.lookahead_strategy import LookaheadStrategy
from specchat.engine.speculative import NoSpeculation, Speculation
from specchat.engine.stop_rule_strategy import StopRuleStrategy
from specchat.engine.stop_rules import STOP_RULES, make_stop_rule
from specchat.services.generation.drafter_choice import drafter_name, speculation_off_reason
from specchat.services.generation.pair_slot import PairSlot


def make_speculation(choice: PairChoice, slot: PairSlot, setup: DrafterSetup, policy: str, longest: int) -> Speculation:
    target, learned, costs = slot.target, slot.profile, slot.costs
    name = drafter_name(choice)
    draft = setup.draft if name in (MODEL, EARLY_EXIT) else None
    reason = speculation_off_reason(choice) or _rollback_limit(target, draft)
    if name is None or reason is not None:
        return NoSpeculation(reason or SpeculationOff.NO_DRAFT)
    if name == LOOKAHEAD:
        if target.max_branches_alone == 1:
            return NoSpeculation(SpeculationOff.ONE_BRANCH)
        return LookaheadStrategy(LookaheadDrafter(), choice.draft_max, learned.costs)
    if choice.draft_max is not None:
        return FixedLengthStrategy(make_drafter(name, setup), choice.draft_max, costs, branches=policy == TREE_POLICY)
    if policy in STOP_RULES:
        return StopRuleStrategy(make_drafter(name, setup), make_stop_rule(policy), costs)

    def source(drafter: Drafter) -> DraftSource:
        greedy, sampled = (learned.calibration(drafter.name, sampled=sampled) for sampled in (False, True))
        return DraftSource(drafter, greedy, sampled)

    is_auto = choice.draft_type == AUTO
    is_free = is_auto or name == NGRAM
    names = [] if name == NGRAM else [name]
    if is_auto:
        names = [*([MODEL] if setup.draft is not None else []), *setup.heads]
    return AutoStrategy(
        costs,
        longest=longest,
        text=source(make_drafter(NGRAM, setup)) if is_free else None,
        drafts=[source(make_drafter(each, setup)) for each in names],
        clock=slot.clock,
        grammar=source(GrammarDrafter()) if is_free else None,
        branches=policy != CHAIN_POLICY,
    )


def _rollback_limit(target: LanguageModel, draft: LanguageModel | None) -> SpeculationOff | None:
    if target.max_rollback == 0:
        return SpeculationOff.RECURRENT_TARGET
    if draft is not None and draft.max_rollback < draft.n_ctx:
        return SpeculationOff.RECURRENT_DRAFT
    return None
