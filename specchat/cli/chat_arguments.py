"""The options of `specchat chat`: what is asked and how the answer is sampled."""

import argparse
import json
import secrets
import sys
from pathlib import Path

from specchat.cli.numbers import integer, number
from specchat.domain.errors import SettingError
from specchat.domain.types import Message, Role, SamplingParams
from specchat.services.chat import AnswerOptions

Question = str | list[Message]

_DEFAULTS = SamplingParams()


def add_chat_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    asked = parser.add_mutually_exclusive_group(required=True)
    asked.add_argument("-p", "--prompt", metavar="PROMPT", help="what to ask; - reads standard input")
    asked.add_argument("--messages", metavar="FILE", help='a JSON list of {"role", "content"} to answer')
    add("--system", metavar="TEXT", help="system prompt")
    add("--raw", action="store_true", help="give the prompt to the model without a chat template")
    add("-n", "--predict", type=integer(-1, 1 << 24), metavar="N", help="at most N tokens; -1: no limit")
    add("--stop", action="append", default=[], metavar="TEXT", help="end the answer before this text")
    add("--ignore-eos", action="store_true", help="go on after the end of the answer")
    add("--drop-oldest", action="store_true", help="leave out the oldest turns when the context is too small")
    add(
        "--temp",
        type=number(0, 100),
        default=_DEFAULTS.temperature,
        metavar="T",
        help="temperature; 0 is greedy",
    )
    add("--top-k", type=integer(0, 1 << 24), default=_DEFAULTS.top_k, metavar="K")
    add("--top-p", type=number(0, 1), default=_DEFAULTS.top_p, metavar="P")
    add("--min-p", type=number(0, 1), default=_DEFAULTS.min_p, metavar="P")
    add("--repeat-penalty", type=number(0.01, 100), default=_DEFAULTS.repeat_penalty, metavar="R")
    add("--frequency-penalty", type=number(-100, 100), default=_DEFAULTS.frequency_penalty, metavar="R")
    add("--presence-penalty", type=number(-100, 100), default=_DEFAULTS.presence_penalty, metavar="R")
    add("--repeat-last-n", type=integer(-1, 1 << 24), default=_DEFAULTS.penalty_last_n, metavar="N")
    add(
        "-s",
        "--seed",
        type=integer(-1, (1 << 63) - 1),
        default=-1,
        metavar="S",
        help="-1: a new one each time",
    )


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
        asked = [Message(Role.USER, _prompt_text(arguments.prompt))]
    return [Message(Role.SYSTEM, arguments.system), *asked] if arguments.system else asked


def _prompt_text(prompt: str) -> str:
    if prompt != "-":
        return prompt
    return sys.stdin.buffer.read().decode("utf-8", "replace") if sys.stdin else ""


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
