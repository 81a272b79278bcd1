"""Parses requests of llama-server's own endpoints: completions, and gaps in code that editors want filled."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from specchat.domain.completions import CompletionTask, InfillPrompt, TextFile, TimeLimits
from specchat.server.completion_request import (
    LLAMA_LIMITS,
    MAX_TOKENS,
    ApiRequest,
    parse_grammar,
    parse_json_schema,
    parse_logit_bias,
    parse_prompts,
    parse_sampling,
    parse_stops,
)
from specchat.server.request_fields import RequestFields, raise_invalid_value, require_list
from specchat.server.sampler_list import narrows_gap

_MOST_FILES = 1_000
_LONGEST_MS = 3_600_000
_MOST_INDENT = 10_000
_MOST_FIELDS = 100
_MOST_LOGPROBS = 20


@dataclass(frozen=True, slots=True)
class LlamaRequest:
    request: ApiRequest
    fields: tuple[str, ...]
    """Of the answer, those that are wanted; none: all."""
    return_tokens: bool = False


def parse_infill_request(body: RequestFields, client: str) -> LlamaRequest:
    for name in ("input_prefix", "input_suffix"):
        body.required(name)
    gap = InfillPrompt(
        body.get_text("input_prefix") or "",
        body.get_text("input_suffix") or "",
        tuple(map(_file, body.get_items("input_extra", _MOST_FILES))),
        body.get_text("prompt") or "",
    )
    return _request(body, [gap], client)


def parse_llama_request(body: RequestFields, client: str) -> LlamaRequest:
    return _request(body, parse_prompts(body), client)


def _request(body: RequestFields, prompts: Sequence[str | tuple[int, ...] | InfillPrompt], client: str) -> LlamaRequest:
    longest = body.get_integer("n_predict", -1, MAX_TOKENS)
    n_probs = body.get_integer("n_probs", 0, _MOST_LOGPROBS)
    task = CompletionTask(
        prompt=prompts[0],
        sampling=parse_sampling(body, LLAMA_LIMITS),
        max_tokens=None if longest == -1 else longest,
        stop=parse_stops(body),
        ignore_eos=body.get_flag("ignore_eos"),
        top_logprobs=n_probs or None,
        json_schema=parse_json_schema(body),
        grammar=parse_grammar(body),
        client=client,
        logit_bias=parse_logit_bias(body),
        limits=_limits(body, is_warm_up=longest == 0),
        min_indent=body.get_integer("n_indent", 0, _MOST_INDENT) or 0,
        narrows_gap=narrows_gap(body),
    )
    tasks = tuple(replace(task, prompt=prompt) for prompt in prompts)
    return LlamaRequest(
        ApiRequest(tasks, body.get_flag("stream"), model=body.model), _fields(body), body.get_flag("return_tokens")
    )


def _file(fields: RequestFields) -> TextFile:
    text = fields.required_text("text")
    return TextFile(fields.get_text("filename") or "tmp", text)


def _limits(body: RequestFields, *, is_warm_up: bool) -> TimeLimits:
    """A warm-up is there to read the prompt: llama.vim sends it with a limit of a millisecond."""
    prompt_s, answer_s = _seconds(body, "t_max_prompt_ms"), _seconds(body, "t_max_predict_ms")
    return TimeLimits(None if is_warm_up else prompt_s, answer_s)


def _seconds(body: RequestFields, name: str) -> float | None:
    """0 or less: no limit."""
    limit = body.get_number(name, -_LONGEST_MS, _LONGEST_MS)
    return limit / 1000 if limit is not None and limit > 0 else None


def _fields(body: RequestFields) -> tuple[str, ...]:
    given: Sequence[object] = require_list(body.get("response_fields") or [], "response_fields", _MOST_FIELDS)
    names = tuple(name for name in given if isinstance(name, str))
    return names if len(names) == len(given) else raise_invalid_value("response_fields", "must be a list of strings")
