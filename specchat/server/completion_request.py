"""Parses completion requests; ignores unknown fields and rejects unsupported ones."""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

from specchat.domain.completions import CompletionTask, InfillPrompt
from specchat.domain.types import SAMPLING_LIMITS, Message, Role, SamplingParams
from specchat.server.messages import parse_messages, parse_tool_choice, parse_tools
from specchat.server.request_fields import RequestFields, raise_invalid_value, require_list
from specchat.server.sampler_list import select_samplers

MAX_TOKENS = 1 << 24
_HIGHEST_SEED = (1 << 63) - 1
_MOST_PROMPT_TOKENS = 1 << 20
_MOST_STOPS = 16
_LONGEST_STOP = 256
_MOST_LOGPROBS = 20
_USUAL_LENGTH = 16
"""The default length of a completion, as in OpenAI's API; a chat's answer ends by itself."""
_MOST_BIASED = 1_000
_MOST_BIAS = 100
_LONGEST_NUMBER = 11
MOST_ANSWERS = 16
"""The most answers to one request; each of them waits for its own turn."""
_DEFAULTS = SamplingParams()
LLAMA_LIMITS: Mapping[str, tuple[float, float]] = {
    **SAMPLING_LIMITS,
    "repetition_penalty": SAMPLING_LIMITS["repeat_penalty"],
    "repeat_last_n": SAMPLING_LIMITS["penalty_last_n"],
    "seed": (-_HIGHEST_SEED - 1, _HIGHEST_SEED),
}
"""For llama-server's and Ollama's requests, which have hardly any themselves."""
_OPENAI_LIMITS = {
    **LLAMA_LIMITS,
    "temperature": (0, 2),
    "frequency_penalty": (-2, 2),
    "presence_penalty": (-2, 2),
}
_LONGEST_GRAMMAR = _LONGEST_VARIABLES = 64 << 10
_UNSUPPORTED: Mapping[str, tuple[object, ...]] = {
    "best_of": (1,),
    "lora": ([],),
    "min_tokens": (0,),
    "bad_words": ([],),
    "allowed_token_ids": ([],),
    "stop_token_ids": ([],),
    "use_beam_search": (False,),
    "include_stop_str_in_output": (False,),
    "chat_template": ("",),
    "guided_json": (),
    "guided_regex": ("",),
    "guided_choice": ([],),
    "guided_grammar": ("",),
    "structured_outputs": ({},),
}
"""Fields of llama-server, vLLM and OpenAI that would change any answer, with the values that do not."""


@dataclass(frozen=True, slots=True)
class ApiRequest:
    tasks: tuple[CompletionTask, ...]
    """Each is one answer."""
    stream: bool
    include_usage: bool = False
    n: int = 1
    """Answers to each prompt."""
    echoed: tuple[str, ...] = ()
    """Prompts that their answers begin with."""
    model: str = ""
    """As the client calls it; empty: any."""

    @property
    def task(self) -> CompletionTask:
        """The first one."""
        return self.tasks[0]


def parse_chat_request(body: RequestFields, client: str) -> ApiRequest:
    for name in ("functions", "audio", "web_search_options"):
        body.reject(name, [], {})
    body.reject("function_call", "none", "auto")
    body.reject("modalities", ["text"])
    known = parse_tools(body)
    longest = _most_tokens(body, "max_completion_tokens")
    messages, begun = _begun(body, parse_messages(body))
    task = CompletionTask(
        prompt=messages,
        begun=begun,
        sampling=parse_sampling(body),
        max_tokens=_length(_most_tokens(body, "max_tokens") if longest is None else longest),
        stop=parse_stops(body),
        ignore_eos=body.get_flag("ignore_eos"),
        top_logprobs=parse_top_logprobs(body),
        json_schema=parse_json_schema(body),
        grammar=parse_grammar(body),
        tools=known,
        tool_choice=parse_tool_choice(body, known),
        one_call=not body.get_flag("parallel_tool_calls", default=True),
        thoughts_apart=_thoughts_apart(body),
        template_variables=_template_variables(body),
        client=client,
        logit_bias=parse_logit_bias(body),
    )
    if task.grammar and task.tools and task.tool_choice not in ("auto", "none"):
        raise_invalid_value("grammar", "can't be combined with a required tool call")
    return _asked(body, [task])


def parse_text_request(body: RequestFields, client: str) -> ApiRequest:
    longest = _most_tokens(body, "max_tokens")
    prompts = parse_prompts(body)
    suffix = body.get_text("suffix") or ""
    task = CompletionTask(
        prompt=prompts[0],
        sampling=parse_sampling(body),
        max_tokens=_length(_USUAL_LENGTH if longest is None else longest),
        stop=parse_stops(body),
        ignore_eos=body.get_flag("ignore_eos"),
        top_logprobs=body.get_integer("logprobs", 0, _MOST_LOGPROBS),
        json_schema=parse_json_schema(body),
        grammar=parse_grammar(body),
        client=client,
        logit_bias=parse_logit_bias(body),
    )
    tasks = [replace(task, prompt=_around_gap(prompt, suffix) if suffix else prompt) for prompt in prompts]
    request = _asked(body, tasks)
    return replace(request, echoed=_echoed(prompts, request)) if body.get_flag("echo") else request


def _around_gap(prompt: str | tuple[int, ...], suffix: str) -> InfillPrompt:
    return (
        InfillPrompt(prompt, suffix)
        if isinstance(prompt, str)
        else raise_invalid_value("suffix", "needs a text prompt")
    )


def _echoed(prompts: Sequence[str | tuple[int, ...]], request: ApiRequest) -> tuple[str, ...]:
    texts = tuple(prompt for prompt in prompts if isinstance(prompt, str))
    if len(texts) < len(prompts):
        raise_invalid_value("echo", "needs a text prompt")
    if request.task.top_logprobs is not None:
        raise_invalid_value("echo", "can't be combined with logprobs")
    return tuple(text for text in texts for _ in range(request.n))


def _begun(body: RequestFields, messages: tuple[Message, ...]) -> tuple[tuple[Message, ...], str]:
    """As vLLM and llama.cpp have it: the last message is the answer so far."""
    if not body.get_flag("continue_final_message"):
        body.reject("add_generation_prompt", True)
        return messages, ""
    if body.get_flag("add_generation_prompt"):
        raise_invalid_value("add_generation_prompt", "can't be combined with continue_final_message")
    *asked, last = messages
    if not asked:
        raise_invalid_value("continue_final_message", "needs a message before the assistant's")
    if last.role is not Role.ASSISTANT or last.tool_calls:
        raise_invalid_value("continue_final_message", "needs an assistant message without tool calls at the end")
    return tuple(asked), last.content


def _asked(body: RequestFields, tasks: Sequence[CompletionTask]) -> ApiRequest:
    task = tasks[0]
    if task.grammar and task.json_schema:
        raise_invalid_value("grammar", "can't be combined with a JSON schema")
    n = body.get_integer("n", 1, MOST_ANSWERS) or 1
    if n * len(tasks) > MOST_ANSWERS:
        raise_invalid_value("n", f"asks for too many answers: at most {MOST_ANSWERS} at once")
    include_usage = body.get_fields("stream_options").get_flag("include_usage")
    answers = tuple(_another(task, number) for task in tasks for number in range(n))
    return ApiRequest(answers, body.get_flag("stream"), include_usage, n, model=body.model)


def _another(task: CompletionTask, number: int) -> CompletionTask:
    """Answers to one prompt differ."""
    seed = (task.sampling.seed + number) & _HIGHEST_SEED
    return replace(task, sampling=replace(task.sampling, seed=seed)) if number else task


def parse_top_logprobs(body: RequestFields) -> int | None:
    """None: no probabilities are wanted."""
    wants_logprobs = body.get_flag("logprobs")
    top_logprobs = body.get_integer("top_logprobs", 0, _MOST_LOGPROBS)
    if top_logprobs is not None and not wants_logprobs:
        raise_invalid_value("top_logprobs", "needs logprobs to be true")
    return (top_logprobs or 0) if wants_logprobs else None


def parse_logit_bias(body: RequestFields) -> tuple[tuple[int, float], ...]:
    """OpenAI's object, or llama.cpp's list of pairs, where false forbids a token."""
    given = body.get("logit_bias")
    match given:
        case None:
            return ()
        case dict():
            pairs = list(given.items())
        case list() if all(isinstance(pair, list) and len(pair) == 2 for pair in given):
            pairs = [(token, added) for token, added in given]
        case _:
            raise_invalid_value("logit_bias", "must be an object of tokens and numbers")
    if len(pairs) > _MOST_BIASED:
        raise_invalid_value("logit_bias", f"must have at most {_MOST_BIASED} entries")
    return tuple(dict(map(_biased, pairs)).items())


def _biased(pair: tuple[object, object]) -> tuple[int, float]:
    token, added = pair
    if isinstance(token, str) and token.isdecimal() and len(token) < _LONGEST_NUMBER:
        token = int(token)
    if type(token) is not int or not 0 <= token < 1 << 31:
        raise_invalid_value("logit_bias", "must name tokens by their numbers")
    if added is False:
        return token, -inf
    if isinstance(added, bool) or not isinstance(added, int | float) or not abs(added) <= _MOST_BIAS:
        raise_invalid_value("logit_bias", f"must have numbers from {-_MOST_BIAS} to {_MOST_BIAS}")
    return token, float(added)


def parse_sampling(body: RequestFields, limits: Mapping[str, tuple[float, float]] = _OPENAI_LIMITS) -> SamplingParams:
    def number(name: str, default: float) -> float:
        value = body.get_number(name, *limits[name])
        return default if value is None else value

    def whole(name: str, default: int) -> int:
        value = body.get_integer(name, *limits[name])
        return default if value is None else value

    for name, harmless in _UNSUPPORTED.items():
        body.reject(name, *harmless)
    seed = whole("seed", -1)
    d = _DEFAULTS
    sampling = SamplingParams(
        temperature=number("temperature", d.temperature),
        top_k=whole("top_k", d.top_k),
        top_p=number("top_p", d.top_p),
        min_p=number("min_p", d.min_p),
        repeat_penalty=number("repeat_penalty", number("repetition_penalty", d.repeat_penalty)),
        frequency_penalty=number("frequency_penalty", d.frequency_penalty),
        presence_penalty=number("presence_penalty", d.presence_penalty),
        penalty_last_n=whole("repeat_last_n", d.penalty_last_n),
        seed=secrets.randbits(32) if seed == -1 else seed & _HIGHEST_SEED,
    )
    return select_samplers(body, sampling)


def _most_tokens(body: RequestFields, name: str) -> int | None:
    most = body.get_integer(name, -1, MAX_TOKENS)
    return most if most != 0 else raise_invalid_value(name, "must be at least 1, or -1 for no limit")


def _length(longest: int | None) -> int | None:
    """-1 as in llama.cpp: until the answer ends."""
    return None if longest == -1 else longest


def parse_stops(body: RequestFields, name: str = "stop") -> tuple[str, ...]:
    if name not in body:
        return ()
    given = body.get(name)
    stops = require_list(given if isinstance(given, list) else [given], name, _MOST_STOPS)
    texts = tuple(stop for stop in stops if isinstance(stop, str))
    if len(texts) < len(stops):
        raise_invalid_value(name, "must be a string or a list of strings")
    if any(len(text) > _LONGEST_STOP for text in texts):
        raise_invalid_value(name, f"must have at most {_LONGEST_STOP} characters")
    return tuple(filter(None, texts))


def parse_prompts(body: RequestFields) -> list[str | tuple[int, ...]]:
    given = body.required("prompt")
    match given:
        case [str() | [*_], *_] if len(given) <= MOST_ANSWERS:
            return list(map(parse_prompt, given))
        case [str() | [*_], *_]:
            raise_invalid_value("prompt", f"must hold at most {MOST_ANSWERS} prompts")
    return [parse_prompt(given)]


def parse_prompt(given: object) -> str | tuple[int, ...]:
    match given:
        case "" | []:
            raise_invalid_value("prompt", "is empty")
        case str():
            return given
        case [*_]:
            return parse_token_list(given, "prompt")
    return raise_invalid_value("prompt", "must be a string or a list of tokens")


def parse_token_list(given: object, name: str) -> tuple[int, ...]:
    """All at once: while a million is looked at, nobody else is answered."""
    if not isinstance(given, list):
        raise_invalid_value(name, "must be a list of tokens")
    if len(given) > _MOST_PROMPT_TOKENS:
        raise_invalid_value(name, "has too many tokens")
    tokens = tuple(value for value in given if type(value) is int)
    if len(tokens) < len(given) or not all((min(tokens, default=0) >= 0, max(tokens, default=0) < 1 << 31)):
        raise_invalid_value(name, "must be a string or a list of tokens")
    return tokens


def parse_json_schema(body: RequestFields) -> str:
    """OpenAI's way to say it, and llama.cpp's."""
    if "json_schema" in body:
        return json.dumps(body.get_bounded_object("json_schema"))
    given = body.get_fields("response_format")
    match given.get_text("type"):
        case None | "text":
            return ""
        case "json_object":
            return json.dumps(given.get_bounded_object("schema")) if "schema" in given else "{}"
        case "json_schema":
            return json.dumps(given.get_fields("json_schema").get_bounded_object("schema"))
    return raise_invalid_value("response_format.type", "must be text, json_object, or json_schema")


def parse_grammar(body: RequestFields) -> str:
    grammar = body.get_text("grammar") or ""
    return grammar if len(grammar) <= _LONGEST_GRAMMAR else raise_invalid_value("grammar", "is too long")


def _thoughts_apart(body: RequestFields) -> bool:
    """As llama.cpp has it."""
    match body.get_text("reasoning_format"):
        case None | "auto" | "deepseek":
            return True
        case "none":
            return False
    return raise_invalid_value("reasoning_format", "must be auto, deepseek, or none")


def _template_variables(body: RequestFields) -> dict[str, object]:
    if "chat_template_kwargs" not in body:
        return {}
    variables = body.get_bounded_object("chat_template_kwargs")
    if len(json.dumps(variables)) > _LONGEST_VARIABLES:
        raise_invalid_value("chat_template_kwargs", "are too long")
    return dict(variables)
