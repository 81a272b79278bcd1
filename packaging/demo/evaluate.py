"""What the demo pair is worth, through specchat itself: answers to questions it never saw, and accepted guesses.

python packaging/demo/evaluate.py [TARGET DRAFT] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from specchat.domain.cancel_token import CancelToken
from specchat.domain.model_ref import ModelFile
from specchat.domain.types import (
    GenerationFinished,
    GenerationStats,
    Message,
    ModelSettings,
    PairChoice,
    Role,
    SamplingParams,
    TokenEvent,
)
from specchat.services.chat.request_builder import AnswerOptions, build_chat_request
from specchat.services.generation.loaded_pair import LoadedPair
from specchat.services.generation.pair_loader import PairLoader
from specchat.store.json_cache import JsonCache

HERE = Path(__file__).parent / "evaluation"
RESOURCES = Path(__file__).parents[2] / "resources"
DRAFT_LENGTH = 4
LONGEST_ANSWER = 160


@dataclass(frozen=True, slots=True)
class Answered:
    question: str
    answer: str
    correct: bool


@dataclass(frozen=True, slots=True)
class Acceptance:
    category: str
    temperature: float
    rate: float
    mean_accepted_length: float
    n_drafted: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    answers: tuple[Answered, ...]
    acceptance: tuple[Acceptance, ...]

    @property
    def n_correct(self) -> int:
        return sum(answer.correct for answer in self.answers)


def evaluate(target: Path, draft: Path) -> Evaluation:
    with _loaded(target, draft) as pair:
        answers = tuple(_answered(pair, entry) for entry in _entries("questions.jsonl"))
        acceptance = tuple(one for temperature in (0.0, 0.8) for one in _acceptance(pair, temperature))
    return Evaluation(answers, acceptance)


def acceptance(target: Path, draft: Path) -> Iterator[Acceptance]:
    with _loaded(target, draft) as pair:
        for temperature in (0.0, 0.8):
            yield from _acceptance(pair, temperature)


@contextmanager
def _loaded(target: Path, draft: Path) -> Iterator[LoadedPair]:
    settings = ModelSettings(n_ctx=2048)
    choice = PairChoice(
        ModelFile(target), ModelFile(draft), settings, settings, draft_type="model", draft_max=DRAFT_LENGTH
    )
    with tempfile.TemporaryDirectory() as folder:
        loader = PairLoader(JsonCache(Path(folder) / "loads.json"), JsonCache(Path(folder) / "tests.json"))
        with closing(loader.load(choice, CancelToken())) as pair:
            yield pair


def _answered(pair: LoadedPair, entry: dict[str, list[list[str]]]) -> Answered:
    question = str(entry["question"])
    answer, _ = _ask(pair, question, 0.0)
    said = answer.lower()
    correct = all(any(words.lower() in said for words in group) for group in entry["must"])
    return Answered(question, answer, correct)


def _acceptance(pair: LoadedPair, temperature: float) -> Iterator[Acceptance]:
    prompts: dict[str, list[str]] = {}
    for entry in _entries("prompts.jsonl"):
        prompts.setdefault(entry["category"], []).append(entry["prompt"])
    everything: list[GenerationStats] = []
    for category, asked in prompts.items():
        stats = [_ask(pair, prompt, temperature)[1] for prompt in asked]
        everything += stats
        yield _sum(category, temperature, stats)
    yield _sum("all", temperature, everything)


def _sum(category: str, temperature: float, stats: Sequence[GenerationStats]) -> Acceptance:
    drafted = sum(one.n_drafted for one in stats)
    accepted = sum(one.n_accepted for one in stats)
    generated = sum(one.n_generated for one in stats)
    passes = sum(one.n_verify_steps for one in stats)
    return Acceptance(category, temperature, accepted / max(1, drafted), generated / max(1, passes), drafted)


def _ask(pair: LoadedPair, question: str, temperature: float) -> tuple[str, GenerationStats]:
    options = AnswerOptions(SamplingParams(temperature=temperature, seed=1), max_tokens=LONGEST_ANSWER)
    request = build_chat_request(pair, [Message(Role.USER, question)], options)
    text: list[str] = []
    for event in pair.generate(request, CancelToken()):
        if isinstance(event, TokenEvent | GenerationFinished):
            text.append(event.text)
        if isinstance(event, GenerationFinished):
            return "".join(text), event.stats
    raise AssertionError("an answer without an end")


def _entries(name: str) -> list[dict]:  # type: ignore[type-arg]
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line]


def tables(evaluation: Evaluation) -> str:
    """For the model card."""
    lines = ["| prompts | temperature | accepted | tokens per pass |", "| --- | --- | --- | --- |"]
    for one in evaluation.acceptance:
        lines.append(f"| {one.category} | {one.temperature:g} | {one.rate:.0%} | {one.mean_accepted_length:.2f} |")
    lines += ["", f"{evaluation.n_correct} of {len(evaluation.answers)} questions answered correctly:", ""]
    lines += ["| question | answer | correct |", "| --- | --- | --- |"]
    for answer in evaluation.answers:
        lines.append(f"| {answer.question} | {_cell(answer.answer)} | {'yes' if answer.correct else 'no'} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", nargs="?", type=Path, default=RESOURCES / "demo-target.gguf")
    parser.add_argument("draft", nargs="?", type=Path, default=RESOURCES / "demo-draft.gguf")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything there as well")
    options = parser.parse_args()
    evaluation = evaluate(options.target, options.draft)
    print(tables(evaluation))
    if options.json:
        options.json.write_text(json.dumps(asdict(evaluation), indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
