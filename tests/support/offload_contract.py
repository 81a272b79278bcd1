"""Run as a program: the drafters' contract with layers of both models on a device. Prints one JSON object.

The device's backend must be loaded before the first model, so this has a process of its own.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from support.pairs import DRAFT, EXACT, GREEDY, Runner, loaded, random_prompts

from specchat.backends.devices import available
from specchat.backends.llama_head import LlamaHead
from specchat.backends.llama_model import LlamaModel
from specchat.domain.cancel_token import CancelToken
from specchat.domain.heads import HeadKind
from specchat.domain.ports import Drafter
from specchat.domain.types import ModelSettings, SamplingParams
from specchat.drafters import head_drafter
from specchat.drafters.model_drafter import ModelDrafter
from specchat.engine.selftest import run_selftest

SAMPLINGS = [GREEDY, SamplingParams(temperature=0.8, seed=21)]


@contextmanager
def drafting(kind: str, target: LlamaModel, draft: Path, settings: ModelSettings) -> Iterator[Drafter]:
    """`kind`: of a head; "model": a model of its own."""
    if kind == "model":
        with loaded(draft, settings) as model:
            yield ModelDrafter(model)
        return
    with closing(LlamaHead(HeadKind(kind), target, draft, replace(settings, mtp=kind == HeadKind.MTP))) as head:
        target.capture_layers(head.layers)
        yield head_drafter(head)


def main(kind: str, target: Path, draft: Path, layers: int, prompts: int, tokens: int) -> dict[str, object]:
    def on_device(settings: ModelSettings) -> ModelSettings:
        return replace(settings, gpu_layers=layers, device=None if layers == 0 else "Vulkan0", n_ctx=512, threads=1)

    equal = different = accepted = drafted = 0
    with loaded(target, on_device(EXACT)) as t, drafting(kind, t, draft, on_device(DRAFT)) as drafter:
        selftest = run_selftest(t, CancelToken())
        if selftest.exact:
            t.max_batch = selftest.max_batch
        runner = Runner(t)
        for prompt in random_prompts(t.n_vocab, prompts):
            for sampling in SAMPLINGS:
                plain = runner.answer(None, prompt, sampling, tokens)
                found = runner.answer(drafter, prompt, sampling, tokens)
                same = sum(a == b for a, b in zip(plain.tokens, found.tokens, strict=True))
                equal, different = equal + same, different + tokens - same
                accepted, drafted = accepted + found.stats.n_accepted, drafted + found.stats.n_drafted
    return {
        "devices": [device.name for device in available()],
        "selftest": selftest.verdict,
        "rollback": selftest.rollback,
        "max_batch": selftest.max_batch,
        "equal": equal,
        "different": different,
        "drafted": drafted,
        "acceptance": accepted / max(1, drafted),
    }


if __name__ == "__main__":
    kind, target, draft, *numbers = sys.argv[1:]
    print(json.dumps(main(kind, Path(target), Path(draft), *map(int, numbers))))  # noqa: T201
