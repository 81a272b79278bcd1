"""The model card and the loss curves, written beside the models."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path

from evaluate import Evaluation, tables
from loss_curve import Curve, loss_svg, read_curve
from model import Shape

_CURVES = "demo-losses.svg"


def write_card(out: Path, works: Sequence[Path], target: Shape, draft: Shape, evaluation: Evaluation) -> None:
    """`works`: the folders of the trainings whose mean the pair is. The curves are those of the first."""
    trainings = [_curves(work) for work in works]
    (out / _CURVES).write_text(loss_svg(trainings[0]), encoding="utf-8")
    seen = {name: sum(curves[name][-1][0] for curves in trainings if name in curves) for name in trainings[0]}
    (out / "DEMO.md").write_text(_card(target, draft, seen, len(works), evaluation), encoding="utf-8")


def _curves(work: Path) -> dict[str, Curve]:
    files = {name: work / f"{name}.losses.jsonl" for name in ("shallow-target", "target", "draft")}
    return {name: read_curve(file) for name, file in files.items() if file.exists()}


def _card(target: Shape, draft: Shape, seen: dict[str, float], n_trainings: int, evaluation: Evaluation) -> str:
    return f"""# The demo pair

`demo-target.gguf` and `demo-draft.gguf` let specchat chat and speculate without any download. They are a tiny demo, not
an assistant: they answer questions about specchat and speculative decoding, and make everything else up.

| | parameters | layers | width | trained on |
| --- | --- | --- | --- | --- |
| target | {_millions(target)} | {target.n_layer} | {target.n_embd} | {_trained(seen)}{_averaged(n_trainings)} |
| draft | {_millions(draft)} | {draft.n_layer} | {draft.n_embd} | {seen["draft"]:.1f} M tokens |

Architecture `qwen3` with tied embeddings, {target.n_vocab} tokens (byte-level BPE), context {target.n_ctx}, Q8_0.
License: MIT. Made with `packaging/demo/make_demo.py` and Python {platform.python_version()}.

## Data

- questions and answers about specchat, small talk and honest refusals, written for this demo
  (`packaging/demo/text`, MIT);
- GSM8K, grade-school questions with worked answers (MIT), without its calculator notes;
- functions from Python's standard library (PSF license).

The draft learned from the target's probabilities on the same text, and from the target's own answers.

![loss curves]({_CURVES})

The two losses are not comparable: the draft's loss is mostly its distance from the target.

## Measured

We measured through specchat, with 4 guesses per pass and answers of at most 160 tokens. The training text didn't
contain the questions.

{tables(evaluation)}"""


def _trained(seen: dict[str, float]) -> str:
    deep = f"{seen['target']:.1f} M tokens"
    shallow = seen.get("shallow-target")
    return deep if shallow is None else f"{shallow:.1f} M tokens at half its depth, then {deep}"


def _averaged(n_trainings: int) -> str:
    return f", the mean of {n_trainings} training runs from the same start" if n_trainings > 1 else ""


def _millions(shape: Shape) -> str:
    return f"{shape.n_parameters / 1e6:.1f} M"
