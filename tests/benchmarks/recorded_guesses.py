"""Records what a target answers, and what its draft would have guessed at every place, for `simulated_policies.py`.

python tests/benchmarks/recorded_guesses.py FILE --target T.gguf --draft D.gguf [-n 128] [--per-workload 3]
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.choices import choice_of

from specchat.domain.cancel_token import CancelToken
from specchat.domain.ports import LanguageModel
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import Message, ModelSettings, Role, SamplingParams, TokenEvent
from specchat.engine.sampling import Sampler
from specchat.engine.speculative import NoSpeculation
from specchat.engine.stop_rule_strategy import guess_facts
from specchat.engine.tokens import common_prefix
from specchat.services.bench.workloads import workload_names, workload_prompts
from specchat.services.chat.request_builder import AnswerOptions, build_chat_request
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

DEPTH = 12


@dataclass(frozen=True)
class Guess:
    token: int
    score: float
    probability: float
    entropy: float


@dataclass(frozen=True)
class Recording:
    workload: str
    prompt: Sequence[int]
    answer: Sequence[int]
    guesses: Sequence[Sequence[Guess]]
    """Before each token of the answer."""


def read_recordings(file: Path) -> list[Recording]:
    return [
        Recording(each["workload"], each["prompt"], each["answer"], [[Guess(**g) for g in c] for c in each["guesses"]])
        for each in json.loads(file.read_text(encoding="utf-8"))
    ]


def main() -> None:
    options = _options()
    settings = ModelSettings(n_ctx=2048)
    choice = choice_of(options.target, options.draft, settings, settings, draft_type="model", draft_max=DEPTH)
    found = list[Recording]()
    with tempfile.TemporaryDirectory() as folder:
        loader = PairLoader(JsonCache(Path(folder) / "loads.json"), JsonCache(Path(folder) / "tests.json"))
        with closing(loader.load(choice, CancelToken())) as pair:
            answer = AnswerOptions(SamplingParams(temperature=0), max_tokens=options.n, ignore_eos=options.ignore_eos)
            for prompt in workload_prompts(workload_names(), options.per_workload):
                asked = [Message(Role.SYSTEM, prompt.system)] if prompt.system else []
                request = build_chat_request(pair, [*asked, Message(Role.USER, prompt.text)], answer)
                plain = NoSpeculation(SpeculationOff.SWITCHED_OFF)
                events = pair.generate(request, CancelToken(), plain)
                tokens = [event.token for event in events if isinstance(event, TokenEvent)]
                assert pair.draft is not None
                pair.draft.keep(0)
                guesses = [guesses_after(pair.draft, [*request.prompt, *tokens[:i]]) for i in range(len(tokens))]
                found.append(Recording(prompt.workload, request.prompt, tokens, guesses))
                right = fmean(each[0].token == token for each, token in zip(guesses, tokens, strict=True))
                print(f"{prompt.workload}: {len(tokens)} tokens, {right:.0%} of the first guesses right", flush=True)
    options.file.write_text(json.dumps([asdict(each) for each in found]), encoding="utf-8")


def guesses_after(draft: LanguageModel, text: Sequence[int]) -> list[Guess]:
    sampler, cancel = Sampler(SamplingParams(temperature=0)), CancelToken()
    tokens = np.array(text, dtype=np.int32)
    known = draft.keep(min(common_prefix(draft.cached, tokens), len(tokens) - 1))
    logits, drafted = draft.evaluate(tokens[known:], 1, cancel), list[Guess]()
    while True:
        choice = sampler.guess(logits[0], tokens, ())
        facts = guess_facts(logits[0], choice.token)
        drafted.append(Guess(choice.token, choice.probability or 0.0, facts.probability, facts.entropy))
        if len(drafted) == DEPTH or draft.is_end_token(choice.token):
            return drafted
        logits = draft.evaluate(np.array([choice.token], dtype=np.int32), 1, cancel)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--target", type=Path, required=True)
    parser.add_argument("--draft", type=Path, required=True)
    parser.add_argument("-n", type=int, default=128)
    parser.add_argument("--per-workload", type=int, default=3)
    parser.add_argument("--ignore-eos", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
