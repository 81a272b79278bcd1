"""The options of `specchat chat`: what is asked and how the answer is sampled."""

import argparse
import json
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

from specchat.cli.numbers import integer, number
from specchat.domain.errors import SettingError
from specchat.domain.types import SAMPLING_LIMITS, Message, Role, SamplingParams
from specchat.services.chat.chat import AnswerOptions

Question = str | list[Message]

_DEFAULTS = SamplingParams()


def add_chat_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("-p", "--prompt", metavar="PROMPT", help="what to ask; - reads standard input")
    asked.add_argument("--messages", metavar="FILE", help='a JSON list of {"role", "content"} to answer')
    add("--system", metavar="TEXT", help="system prompt")
    add("--raw", action="store_true", help="give the prompt to the model without a chat template")
    add("-n", "--predict", type=integer(-1, 1 << 24), metavar="N", help="at most N tokens (default: -1, no limit)")
    add("--stop", action="append", default=[], metavar="TEXT", help="end the answer before this text")
    add("--ignore-eos", action="store_true", help="go on after the end of the answer")
    add("--drop-oldest", action="store_true", help="leave out the oldest turns when the context is too small")
    _add_sampling(parser)


def _add_sampling(parser: argparse.ArgumentParser) -> None:
    def add(name: str, kind: Callable[[str], float], default: float, metavar: str, explained: str) -> None:
        parser.add_argument(name, type=kind, default=default, metavar=metavar, help=f"{explained} (default: {default})")

    d, limits = _DEFAULTS, SAMPLING_LIMITS
    add("--temp", number(*limits["temperature"]), d.temperature, "T", "temperature; 0 always takes the best token")
    add("--top-k", integer(*limits["top_k"]), d.top_k, "K", "choose among the K best; 0: all")
    add("--top-p", number(*limits["top_p"]), d.top_p, "P", "choose among the best that have P together")
    add("--min-p", number(*limits["min_p"]), d.min_p, "P", "leave out what has less than P of the best")
    add("--repeat-penalty", number(*limits["repeat_penalty"]), d.repeat_penalty, "R", "divide what was said by R")
    add(
        "--frequency-penalty",
        number(*limits["frequency_penalty"]),
        d.frequency_penalty,
        "R",
        "subtract R each time it was said",
    )
    add("--presence-penalty", number(*limits["presence_penalty"]), d.presence_penalty, "R", "subtract R if it was said")
    add("--repeat-last-n", integer(*limits["penalty_last_n"]), d.penalty_last_n, "N", "how far penalties look back")
    seeds = "the same seed gives the same text (default: a new one each time)"
    parser.add_argument("-s", "--seed", type=integer(*limits["seed"]), default=-1, metavar="S", help=seeds)


def sampling(arguments: argparse.Namespace) -> SamplingParams:
    return SamplingParams(
        temperature=arguments.temp,
        top_k=arguments.top_k,
        top_p=arguments.top_p,
        min_p=arguments.min_p,
        repeat_penalty=arguments.repeat_penalty,
        frequency_penalty=arguments.frequency_penalty,
        presence_penalty=arguments.presence_penalty,
        penalty_last_n=arguments.repeat_last_n,
        seed=arguments.seed if arguments.seed >= 0 else secrets.randbits(32),
    )


def answer_options(arguments: argparse.Namespace) -> AnswerOptions:
    return AnswerOptions(
        sampling=sampling(arguments),
        max_tokens=None if arguments.predict == -1 else arguments.predict,
        stop=tuple(arguments.stop),
        ignore_eos=arguments.ignore_eos,
        drop_oldest=arguments.drop_oldest,
    )


def question(arguments: argparse.Namespace) -> Question:
    """A text to go on with, or a conversation to answer."""
    if arguments.raw and arguments.messages is not None:
        raise argparse.ArgumentError(None, "--raw goes with -p: messages need a chat template")
    if arguments.raw and arguments.system is not None:
        raise argparse.ArgumentError(None, "--raw has no place for --system: put it into the prompt")
    if arguments.raw:
        return _prompt_text(arguments.prompt)
    if arguments.messages is not None:
        asked = _read_messages(Path(arguments.messages))
    else:
        asked = [Message(Role.USER, _required(_prompt_text(arguments.prompt)))]
    return [Message(Role.SYSTEM, arguments.system), *asked] if arguments.system else asked


def _prompt_text(prompt: str) -> str:
    if prompt != "-":
        return prompt
    return sys.stdin.buffer.read().decode("utf-8", "replace") if sys.stdin else ""


def _required(text: str) -> str:
    if not text.strip():
        raise SettingError("The prompt is empty.", "Give some text with -p.")
    return text


def _read_messages(path: Path) -> list[Message]:
    try:
        entries = json.loads(path.read_text(encoding="utf-8-sig"))
        found = [_message(entry["role"], entry["content"]) for entry in entries]
    except OSError as error:
        raise SettingError(f"{path} cannot be read: {error.strerror}.", "Check the path.") from error
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise SettingError(
            f"{path} holds no messages.",
            'Write a JSON list such as [{"role": "user", "content": "Hello"}]; roles are system, user, assistant.',
        ) from error
    if not found:
        raise SettingError(f"{path} holds no messages.", "Write at least one.")
    return found


def _message(role: str, content: object) -> Message:
    if not isinstance(content, str):
        raise TypeError("content is no text")
    return Message(Role(role), content)
