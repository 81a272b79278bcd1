"""Tokens a pass in JSON and calls, with what the grammar forces as guesses and without.

python tests/benchmarks/jump_ahead.py TARGET [--repeat 3]

Ten schemas with an answer each, as a tool call or as JSON in one of three ways to put blanks. The target computes every
pass for real, but recites the answer in its usual tokens, so that a model which knows no JSON serves as well. Three in
turn: plain, with guesses from the text (the outlines of calls and keys among it), and with those and the grammar's.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.text_alone import LONGEST, Reciting
from support.call_formats import HERMES

from specchat.backends.grammar.json_schema import json_rule
from specchat.backends.grammar.token_grammar import GrammarCompiler
from specchat.domain.cancel_token import CancelToken
from specchat.domain.speculation_status import SpeculationOff
from specchat.domain.types import (
    GRAMMAR,
    GenerationFinished,
    GenerationRequest,
    GenerationStats,
    ModelSettings,
    SamplingParams,
)
from specchat.drafters.grammar_drafter import GrammarDrafter
from specchat.drafters.suffix_drafter import SuffixDrafter
from specchat.engine.auto_strategy import AutoStrategy
from specchat.engine.cost_measurement import measure_costs
from specchat.engine.costs import PassCosts
from specchat.engine.draft_sources import DraftSource
from specchat.engine.speculative import Generation, NoSpeculation, Speculation
from specchat.engine.tokens import BETWEEN
from specchat.services.answers.outlines import call_outlines, json_outline
from specchat.services.answers.tool_calls import calls_rule

TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
STYLES: Sequence[Mapping[str, Any]] = ({}, {"separators": (",", ":")}, {"indent": 2})


def an_object(*optional: str, **properties: Any) -> dict[str, Any]:
    required = [name for name in properties if name not in optional]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def a_list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


@dataclass(frozen=True)
class Case:
    name: str
    asked: str
    schema: Mapping[str, Any]
    answer: Any
    is_call: bool = False

    @property
    def tool(self) -> Mapping[str, Any]:
        return {"type": "function", "function": {"name": self.name, "parameters": self.schema}}

    @property
    def rule(self) -> str:
        return calls_rule(HERMES, [self.tool], several=False) if self.is_call else json_rule(self.schema, strict=True)

    @property
    def outlines(self) -> list[str]:
        return call_outlines(HERMES, [self.tool]) if self.is_call else json_outline(self.schema)

    def written(self, style: Mapping[str, Any]) -> str:
        value = {"name": self.name, "arguments": self.answer} if self.is_call else self.answer
        text = json.dumps(value, ensure_ascii=False, **style)
        return f"{HERMES.begin}{text}{HERMES.end}" if self.is_call else text


PERSON = an_object(name=TEXT, address=an_object(street=TEXT, city=TEXT, postcode=TEXT))
CASES = (
    Case(
        "get_weather",
        "What is the weather in Cologne tomorrow?",
        an_object("unit", city=TEXT, days=WHOLE, unit={"enum": ["celsius", "fahrenheit"]}),
        {"city": "Cologne", "days": 1, "unit": "celsius"},
        is_call=True,
    ),
    Case(
        "send_email",
        "Tell Ann that the meeting is at ten.",
        an_object("cc", to=a_list(TEXT), subject=TEXT, body=TEXT, cc=a_list(TEXT)),
        {"to": ["ann@example.org"], "subject": "Meeting", "body": "Hello Ann, the meeting is at ten."},
        is_call=True,
    ),
    Case(
        "create_event",
        "Lunch with Ben on Friday at noon in the park.",
        an_object(title=TEXT, start=an_object(date=TEXT, time=TEXT), place=TEXT, is_private={"type": "boolean"}),
        {
            "title": "Lunch with Ben",
            "start": {"date": "2026-11-27", "time": "12:00"},
            "place": "the park",
            "is_private": False,
        },
        is_call=True,
    ),
    Case(
        "read_file",
        "Show me the first lines of main.py.",
        an_object(path=TEXT, first_line=WHOLE, last_line=WHOLE),
        {"path": "src/main.py", "first_line": 1, "last_line": 20},
        is_call=True,
    ),
    Case(
        "person",
        "Bob lives in 5 High Street, Leeds LS1 4AB.",
        an_object(person=PERSON, is_complete={"type": "boolean"}),
        {
            "person": {"name": "Bob", "address": {"street": "5 High Street", "city": "Leeds", "postcode": "LS1 4AB"}},
            "is_complete": True,
        },
    ),
    Case(
        "points",
        "The corners of a unit square.",
        an_object(points=a_list(an_object(label=TEXT, x=WHOLE, y=WHOLE))),
        {
            "points": [
                {"label": label, "x": x, "y": y} for label, x, y in (("A", 0, 0), ("B", 1, 0), ("C", 1, 1), ("D", 0, 1))
            ]
        },
    ),
    Case(
        "sentiment",
        "I love this phone, but its battery is poor.",
        an_object(
            sentiment={"enum": ["positive", "negative", "mixed"]}, confidence={"type": "number"}, aspects=a_list(TEXT)
        ),
        {"sentiment": "mixed", "confidence": 0.9, "aspects": ["phone", "battery"]},
    ),
    Case(
        "shape",
        "A red circle with a radius of three.",
        {
            "anyOf": [
                an_object(kind={"const": "circle"}, radius=WHOLE, colour=TEXT),
                an_object(kind={"const": "square"}, side=WHOLE, colour=TEXT),
            ]
        },
        {"kind": "circle", "radius": 3, "colour": "red"},
    ),
    Case(
        "adresse",
        "Schulstraße 3 in Köln.",
        an_object(straße=TEXT, hausnummer=WHOLE, größe={"enum": ["klein", "groß"]}, ort=TEXT),
        {"straße": "Schulstraße", "hausnummer": 3, "größe": "klein", "ort": "Köln"},
    ),
    Case(
        "recipe",
        "Pancakes for two.",
        an_object(
            "note",
            title=TEXT,
            ingredients=a_list(an_object(name=TEXT, amount=WHOLE, unit={"enum": ["g", "ml", "piece"]})),
            note=TEXT,
        ),
        {
            "title": "Pancakes",
            "ingredients": [
                {"name": "flour", "amount": 200, "unit": "g"},
                {"name": "milk", "amount": 300, "unit": "ml"},
                {"name": "egg", "amount": 2, "unit": "piece"},
            ],
        },
    ),
)


class _Bench:
    def __init__(self, target: Reciting) -> None:
        self._target = target
        self._tokenize = target.vocabulary.tokenize_on
        self._grammars = GrammarCompiler(target, self._tokenize)
        self._costs = PassCosts()
        measure_costs(target, [], self._costs, CancelToken())
        self.methods: Mapping[str, Speculation] = {
            "plain": NoSpeculation(SpeculationOff.SWITCHED_OFF),
            "text": AutoStrategy(self._costs, LONGEST, DraftSource(SuffixDrafter())),
            "text and grammar": AutoStrategy(
                self._costs, LONGEST, DraftSource(SuffixDrafter()), grammar=DraftSource(GrammarDrafter())
            ),
        }

    def ask(self, case: Case, style: Mapping[str, Any], method: str) -> GenerationStats:
        prompt, end = self._tokenize(case.asked), self._target.end_tokens[0]
        answer = [*self._tokenize(case.written(style)), end]
        self._target.keep(0)
        self._target.says = np.array([*prompt, *answer], dtype=np.int32)
        seeds = [token for part in case.outlines for token in (*self._tokenize(part), BETWEEN)]
        request = GenerationRequest(
            tuple(prompt),
            SamplingParams(temperature=0),
            constraint=self._grammars.constraint(f"start: {case.rule}", {}),
            text_before=(*seeds, *prompt),
        )
        *_, last = Generation(self._target, request, self.methods[method], self._costs, CancelToken()).events()
        assert isinstance(last, GenerationFinished)
        assert last.stats.n_generated == len(answer)
        return last.stats


def main() -> None:
    options = _options()
    with closing(Reciting(options.target, ModelSettings(n_ctx=2048, max_draft=LONGEST))) as target:
        bench = _Bench(target)
        print(
            f"{'tokens a pass':<14} tokens {'text':>6} {'both':>6}"
            "  of the grammar's guesses accepted; times as fast as text alone"
        )
        rows = [_row(bench, case, i, options.repeat) for i, case in enumerate(CASES)]
        passes = [sum(column) for column in zip(*(row[:3] for row in rows), strict=True)]
        print(f"{'all':<14} {passes[0]:6} {passes[0] / passes[1]:6.2f} {passes[0] / passes[2]:6.2f}")
        print(f"times as fast: {sum(row[3] for row in rows) / sum(row[4] for row in rows):.2f}")


def _row(bench: _Bench, case: Case, number: int, repeat: int) -> tuple[int, int, int, float, float]:
    """Tokens, passes without and with the grammar's guesses, and the seconds of these."""
    style = STYLES[number % len(STYLES)] if not case.is_call else {}
    found: dict[str, list[GenerationStats]] = {method: [] for method in bench.methods}
    for _ in range(repeat):
        for method in bench.methods:
            found[method].append(bench.ask(case, style, method))
    text, both = found["text"][-1], found["text and grammar"][-1]
    seconds = {method: median(each.n_generated / each.tokens_per_s for each in found[method]) for method in found}
    n_tokens = both.n_generated - 1
    guessed, held = (counts.get(GRAMMAR, 0) for counts in (both.drafted_per_source, both.accepted_per_source))
    print(
        f"{case.name:<14} {n_tokens:6} {n_tokens / text.n_verify_steps:6.2f} {n_tokens / both.n_verify_steps:6.2f}"
        f"  {held} of {guessed}; {seconds['text'] / seconds['text and grammar']:.2f}",
        flush=True,
    )
    return n_tokens, text.n_verify_steps, both.n_verify_steps, seconds["text"], seconds["text and grammar"]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    return parser.parse_args()


if __name__ == "__main__":
    main()
