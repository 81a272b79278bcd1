"""A target and a head for it, loaded, and the contexts in which the head guesses."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from support.ggufs import ModelRecipe, make_model, quieten
from support.heads import make_assistant, make_dflash, make_eagle3, make_mtp_sidecar
from support.medusa import make_borrowing_medusa, make_medusa
from support.pairs import DRAFT, EXACT

from specchat.backends.llama_head import LlamaHead
from specchat.backends.llama_model import LlamaModel
from specchat.backends.medusa_head import MedusaHeads
from specchat.domain.cancel_token import CancelToken
from specchat.domain.heads import HeadKind
from specchat.domain.ports import Constraint
from specchat.domain.proposal import Proposal
from specchat.domain.types import ModelSettings, SampledToken
from specchat.drafters import head_drafter
from specchat.drafters.head_drafter import HeadDrafter
from specchat.engine.sampling import Logits
from specchat.engine.tokens import Tokens
from specchat.gguf.medusa import read_stored_heads


@dataclass(frozen=True)
class HeadCase:
    name: str
    kind: HeadKind
    recipe: ModelRecipe
    make: Callable[[Path, ModelRecipe], Path] | None = None
    """None: the target's file holds it."""


HEAD = replace(DRAFT, guesses=True)


def _dspark(path: Path, recipe: ModelRecipe) -> Path:
    return make_dflash(path, recipe, is_dspark=True)


def _dflash2(path: Path, recipe: ModelRecipe) -> Path:
    return make_dflash(path, recipe, selects=True)


_QWEN35 = quieten(ModelRecipe(arch="qwen35"), 0, 0.05)
_GEMMA4 = quieten(ModelRecipe(arch="gemma4"), 0, 0.05)
_STEP35 = replace(quieten(ModelRecipe(arch="step35"), 0, 0.05), mtp_layers=3)
HEAD_CASES = (
    HeadCase("EAGLE-3, llama", HeadKind.EAGLE3, ModelRecipe(), make_eagle3),
    HeadCase("EAGLE-3, qwen3", HeadKind.EAGLE3, ModelRecipe(arch="qwen3"), make_eagle3),
    HeadCase("DFlash, llama", HeadKind.DFLASH, ModelRecipe(), make_dflash),
    HeadCase("DFlash, qwen35", HeadKind.DFLASH, _QWEN35, make_dflash),
    HeadCase("DFlash2, llama", HeadKind.DFLASH, ModelRecipe(), _dflash2),
    HeadCase("DSpark, qwen3", HeadKind.DSPARK, ModelRecipe(arch="qwen3"), _dspark),
    HeadCase("MTP, qwen35", HeadKind.MTP, replace(_QWEN35, mtp_layers=1)),
    HeadCase("MTP of three layers, step35", HeadKind.MTP, _STEP35),
    HeadCase("assistant, gemma4", HeadKind.MTP, _GEMMA4, make_assistant),
    HeadCase("EAGLE-3, gemma4", HeadKind.EAGLE3, _GEMMA4, make_eagle3),
    HeadCase("MTP in a file of its own, qwen35", HeadKind.MTP, _QWEN35, make_mtp_sidecar),
    HeadCase("Medusa, llama", HeadKind.MEDUSA, quieten(ModelRecipe(), 0, 0.05), make_medusa),
    HeadCase("Medusa without outputs, qwen2", HeadKind.MEDUSA, ModelRecipe(arch="qwen2"), make_borrowing_medusa),
)


@dataclass
class Lab:
    target: LlamaModel
    head: LlamaHead | MedusaHeads
    drafter: HeadDrafter


@contextmanager
def head_lab(
    case: HeadCase, folder: Path, settings: ModelSettings = EXACT, head_settings: ModelSettings = HEAD
) -> Iterator[Lab]:
    mtp = case.kind is HeadKind.MTP
    file = make_model(folder / "target.gguf", case.recipe)
    target = LlamaModel(file, replace(settings, mtp=mtp and case.make is None))
    path = case.make(folder / "head.gguf", case.recipe) if case.make else None
    head = _load_head(case, target, path, replace(head_settings, n_ctx=settings.n_ctx, mtp=mtp))
    target.capture_layers(head.layers)
    try:
        yield Lab(target, head, head_drafter(head))
    finally:
        head.close()
        target.close()


def _load_head(
    case: HeadCase, target: LlamaModel, path: Path | None, settings: ModelSettings
) -> LlamaHead | MedusaHeads:
    if case.kind is not HeadKind.MEDUSA:
        return LlamaHead(case.kind, target, path, settings)
    assert path is not None
    return MedusaHeads(path, read_stored_heads(path, target.weights.path), target, settings)


@dataclass
class GreedyContext:
    """The text as far as it is known, all of it but the last token evaluated."""

    target: LlamaModel
    text: Sequence[int]
    cancel: CancelToken = field(default_factory=CancelToken)

    @property
    def tokens(self) -> Tokens:
        return np.array(self.text, dtype=np.int32)

    draft_tokens = text_tokens = tokens
    constraint: Constraint | None = None

    def guess(self, logits: Logits, drafted: Sequence[int]) -> SampledToken:
        return SampledToken(int(logits.argmax()), 0.5)

    def guess_earlier(self, logits: Logits, length: int) -> SampledToken:
        return self.guess(logits, ())

    def worth_another(self, score: float) -> bool:
        return True


def evaluate_text(target: LlamaModel, tokens: Sequence[int]) -> None:
    """The last one as an answer's tokens are: with its logits."""
    array = np.array(tokens, dtype=np.int32)
    if len(array) > 1:
        target.evaluate(array[:-1], 0, CancelToken())
    target.evaluate(array[-1:], 1, CancelToken())


def proposal_after(lab: Lab, text: Sequence[int], budget: int = 4) -> Proposal:
    """The target goes on from what it has of this text."""
    cached = lab.target.cached.tolist()
    same = next((i for i, (a, b) in enumerate(zip(cached, text, strict=False)) if a != b), min(len(cached), len(text)))
    kept = lab.target.keep(min(same, len(text) - 2))
    evaluate_text(lab.target, text[kept:-1])
    return lab.drafter.propose(GreedyContext(lab.target, text), budget)


def fresh_proposal(lab: Lab, text: Sequence[int], budget: int = 4) -> Proposal:
    lab.target.keep(0)
    lab.head.clear()
    drafter = head_drafter(lab.head)
    found = proposal_after(Lab(lab.target, lab.head, drafter), text, budget)
    lab.head.clear()
    return found
