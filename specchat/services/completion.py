"""What another program asks: from its task to a request, and the calls that are in the answer."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace

from specchat.domain.cancel import CancelToken
from specchat.domain.errors import SettingError
from specchat.domain.serving import CompletionTask, Tool
from specchat.domain.types import Event, Finished, GenerationRequest, Message, TokenEvent
from specchat.services.call_reader import CallReader
from specchat.services.json_grammar.rules import Rules
from specchat.services.json_grammar.schema import schema_rule
from specchat.services.pair import LoadedPair
from specchat.services.tool_calls import CallFormat, call_format, calls_rule, named, tool_name


def complete(pair: LoadedPair, task: CompletionTask, cancel: CancelToken) -> Generator[Event, None, None]:
    """Nothing of it is remembered to guess from: how fast others are answered must not tell of it."""
    form = _call_format(pair, task)
    request = completion_request(pair, task, form)
    with closing(pair.generate(request, cancel, pair.speculation)) as events:
        if form is None:
            yield from events
        else:
            reader = CallReader(form, [tool_name(tool) for tool in task.tools])
            for event in events:
                yield _with_calls(event, reader)


def completion_request(pair: LoadedPair, task: CompletionTask, form: CallFormat | None = None) -> GenerationRequest:
    """`form`: how the model calls the task's tools; None: it is told of none."""
    tools = task.tools if form is not None else ()
    markers = pair.markers(form.markers) if form is not None else {}
    prompt, stop = _prompt(pair, task, tools)
    grammar = _grammar(task, form)
    return GenerationRequest(
        prompt=prompt,
        sampling=task.sampling,
        max_tokens=task.max_tokens,
        stop=(*task.stop, *stop),
        ignore_eos=task.ignore_eos,
        top_logprobs=task.top_logprobs,
        constraint=pair.constraint(grammar, markers) if grammar else None,
        markers=markers,
    )


def _call_format(pair: LoadedPair, task: CompletionTask) -> CallFormat | None:
    if not task.tools or task.tool_choice == "none":
        return None
    form = call_format(pair.template.source) if pair.template.shows_tools else None
    if form is None:
        raise SettingError(
            "This model's chat template knows no tools, or calls them in an unknown way.",
            "Ask without tools, or choose another model.",
        )
    return form


def _prompt(pair: LoadedPair, task: CompletionTask, tools: Sequence[Tool]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """And where an answer to it ends."""
    if isinstance(task.prompt, str):
        return pair.tokenize(task.prompt), ()
    messages = [part for part in task.prompt if isinstance(part, Message)]
    if messages:
        return pair.prompt(messages, list(tools) or None, task.template_variables), pair.template.stop
    tokens = tuple(part for part in task.prompt if isinstance(part, int))
    if any(not 0 <= token < pair.target.n_vocab for token in tokens):
        raise SettingError(
            "The prompt has a token that the model does not know.", "It knows {n}, from 0.", n=pair.target.n_vocab
        )
    return tokens, ()


def _grammar(task: CompletionTask, form: CallFormat | None) -> str:
    """Empty: any answer."""
    rules = Rules()
    if form is not None and task.tool_choice != "auto":
        several = task.tool_choice == "required"
        return rules.text(calls_rule(form, named(task.tools, task.tool_choice), rules, several=several))
    if not task.json_schema:
        return task.grammar
    ways = [schema_rule(task.json_schema, rules)]
    if form is not None:
        ways.append(calls_rule(form, task.tools, rules, several=True))
    return rules.text(" | ".join(ways))


def _with_calls(event: Event, reader: CallReader) -> Event:
    match event:
        case TokenEvent():
            heard = reader.push(event.text)
            return replace(event, text=heard.text, calls=heard.calls)
        case Finished():
            heard = reader.push(event.text)
            return replace(event, text=heard.text + reader.finish(), calls=heard.calls)
    return event
