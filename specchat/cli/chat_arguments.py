"""The options of `specchat chat`: the prompt and the sampling settings."""

import argparse
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

from specchat.cli.answer_form import add_form_arguments, grammar, has_form, json_schema
from specchat.cli.argument_types import integer_in_range, number_in_range, parse_answer_length
from specchat.cli.media_files import read_picture, read_recording
from specchat.cli.message_files import parse_messages, read_messages
from specchat.cli.model_options import ArgumentContainer
from specchat.cli.output import print_note
from specchat.cli.word_wrap import WordWrap
from specchat.domain.errors import SettingError
from specchat.domain.types import SAMPLING_LIMITS, Message, Reasoning, Role, SamplingParams
from specchat.services.chat.binary_file_kinds import E_BOOK, OFFICE_DOCUMENT, PDF
from specchat.services.chat.request_builder import AnswerOptions
from specchat.services.chat.text_files import detect_non_text

ChatInput = str | list[Message]

_DEFAULTS = SamplingParams()
_Kind = Callable[[float, float], Callable[[str], float]]
_SAMPLING: tuple[tuple[str, _Kind, str, str, str], ...] = (
    ("--temp", number_in_range, "temperature", "T", "temperature; 0: always the most likely token"),
    ("--top-k", integer_in_range, "top_k", "K", "sample from the K most likely tokens; 0: all"),
    ("--top-p", number_in_range, "top_p", "P", "sample from the most likely tokens that together reach probability P"),
    ("--min-p", number_in_range, "min_p", "P", "drop tokens less likely than P times the most likely one"),
    ("--repeat-penalty", number_in_range, "repeat_penalty", "R", "repeat penalty; 1: off"),
    ("--frequency-penalty", number_in_range, "frequency_penalty", "R", "frequency penalty"),
    ("--presence-penalty", number_in_range, "presence_penalty", "R", "presence penalty"),
    (
        "--repeat-last-n",
        integer_in_range,
        "penalty_last_n",
        "N",
        "number of recent tokens the penalties apply to; -1: all",
    ),
)


def add_chat_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("prompt and answer")
    add = group.add_argument
    asked = group.add_mutually_exclusive_group()
    prompt = "prompt; - reads standard input (default: interactive chat, or standard input if it is no terminal)"
    asked.add_argument("-p", "--prompt", metavar="PROMPT", help=prompt)
    listed = 'JSON list of {"role", "content"} messages to answer; - reads standard input'
    asked.add_argument("--messages", type=Path, metavar="FILE", help=listed)
    kept = "interactive chat: continue the chat in FILE, if any, and save it there"
    asked.add_argument("--save", type=_given_path, metavar="FILE", help=kept)
    attached = "document, text file or folder that the prompt asks about; may be given several times"
    add("--attach", action="append", default=[], type=_given_path, metavar="FILE", help=attached)
    shown = "picture for the prompt (PNG, JPEG, GIF or BMP); may be given several times"
    add("--image", action="append", default=[], type=_given_path, metavar="FILE", help=shown)
    heard = "recording for the prompt (WAV, MP3 or FLAC); may be given several times"
    add("--audio", action="append", default=[], type=_given_path, metavar="FILE", help=heard)
    add("--system", metavar="TEXT", help="system prompt")
    add("--prefill", default="", metavar="TEXT", help="first words of the answer, which the model continues")
    thinks = "whether the model reasons before it answers, and how long, if its template can choose (default: auto)"
    add("--reasoning", choices=tuple(map(str, Reasoning)), default=str(Reasoning.AUTO), help=thinks)
    add_form_arguments(group)
    add("--raw", action="store_true", help="pass the prompt without a chat template, for the model to continue")
    most = "maximum tokens to generate (default: -1, no limit)"
    add("-n", "--predict", type=parse_answer_length, metavar="N", help=most)
    add("--stop", action="append", default=[], metavar="TEXT", help="stop before this text")
    add("--ignore-eos", action="store_true", help="ignore end-of-generation tokens")
    dropped = "drop the oldest messages when the context is full; interactive chats always do"
    add("--drop-oldest", action="store_true", help=dropped)
    whole = "don't wrap lines at words (default: wrapped in a terminal, except in code, tables and quotes)"
    add("--no-wrap", action="store_true", help=whole)
    _add_sampling(parser.add_argument_group("sampling"))


def _given_path(name: str) -> Path:
    """An empty name, as of a variable that isn't set, would be the current folder."""
    if not name:
        raise argparse.ArgumentTypeError("the name of the file is empty")
    return Path(name)


def _add_sampling(parser: ArgumentContainer) -> None:
    for name, kind, of, metavar, help_text in _SAMPLING:
        default = getattr(_DEFAULTS, of)
        help_text = f"{help_text} (default: {default})"
        parser.add_argument(name, type=kind(*SAMPLING_LIMITS[of]), default=default, metavar=metavar, help=help_text)
    seed = "random seed; the same seed gives the same text (default: random)"
    parser.add_argument(
        "-s", "--seed", type=integer_in_range(*SAMPLING_LIMITS["seed"]), default=-1, metavar="S", help=seed
    )


def sampling_params(arguments: argparse.Namespace) -> SamplingParams:
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
        sampling=sampling_params(arguments),
        max_tokens=arguments.predict,
        stop=tuple(arguments.stop),
        ignore_eos=arguments.ignore_eos,
        drop_oldest=arguments.drop_oldest,
        prefill=arguments.prefill,
        reasoning=Reasoning(arguments.reasoning),
        json_schema=json_schema(arguments),
        grammar=grammar(arguments),
    )


def word_wrap(arguments: argparse.Namespace) -> WordWrap | None:
    """None for what another program may read, and for texts that are likely code or data."""
    is_prose = not (arguments.json or arguments.raw or has_form(arguments))
    return WordWrap() if is_prose and not arguments.no_wrap and sys.stdout.isatty() else None


def is_interactive(arguments: argparse.Namespace) -> bool:
    """Nothing is asked yet, and somebody is there who can."""
    is_asked = arguments.prompt is not None or arguments.messages is not None
    return (
        not (is_asked or arguments.raw or arguments.json or arguments.prefill or has_form(arguments))
        and not _has_files(arguments)
        and sys.stdin is not None
        and sys.stdin.isatty()
    )


def _has_files(arguments: argparse.Namespace) -> bool:
    return bool(arguments.attach or arguments.image or arguments.audio)


def _without_prompt(arguments: argparse.Namespace) -> str:
    if _has_files(arguments):
        return "--attach, --image and --audio need a prompt"
    if has_form(arguments):
        return "a JSON schema or grammar needs a prompt"
    for name in ("compare", "compare_with", "prefill", "raw", "json"):
        if getattr(arguments, name):
            return f"--{name.replace('_', '-')} needs a prompt"
    return "standard input is not a terminal, which an interactive chat needs"


def chat_input(arguments: argparse.Namespace) -> ChatInput:
    """A text to go on with, or a conversation to answer."""
    if arguments.save is not None:
        raise argparse.ArgumentError(None, "--save needs an interactive chat, without --raw or --json")
    is_asked = arguments.prompt is not None or arguments.messages is not None
    piped = "" if is_asked else _piped_text()
    if not (is_asked or piped.strip()):
        raise argparse.ArgumentError(None, f"{_without_prompt(arguments)}: add -p PROMPT; -p - reads standard input")
    if arguments.raw and arguments.messages is not None:
        raise argparse.ArgumentError(None, "--raw needs -p: messages need a chat template")
    if arguments.attach and (arguments.raw or arguments.messages is not None):
        raise argparse.ArgumentError(None, "--attach needs -p, without --raw")
    for name, files in (("--image", arguments.image), ("--audio", arguments.audio)):
        if files and (arguments.raw or arguments.messages is not None):
            raise argparse.ArgumentError(None, f"{name} needs -p, without --raw")
    if arguments.raw and arguments.system is not None:
        raise argparse.ArgumentError(None, "--raw can't be combined with --system: put it in the prompt")
    if arguments.raw and arguments.prefill:
        raise argparse.ArgumentError(None, "--raw can't be combined with --prefill: put it in the prompt")
    if arguments.raw and arguments.reasoning != Reasoning.AUTO:
        raise argparse.ArgumentError(None, "--raw can't be combined with --reasoning: put it in the prompt")
    if has_form(arguments) and (arguments.prefill or arguments.drop_oldest):
        raise argparse.ArgumentError(None, "a JSON schema or grammar can't be combined with --prefill or --drop-oldest")
    if arguments.raw:
        return piped or _prompt_text(arguments.prompt)
    if arguments.messages is not None:
        asked = _messages(arguments.messages)
    else:
        pictures = tuple(map(read_picture, arguments.image))
        recordings = tuple(map(read_recording, arguments.audio))
        text = _required(piped or _prompt_text(arguments.prompt))
        asked = [Message(Role.USER, text, pictures=pictures, recordings=recordings)]
    return [Message(Role.SYSTEM, arguments.system), *asked] if arguments.system else asked


def _messages(file: Path) -> list[Message]:
    return parse_messages(_prompt_text("-"), "Standard input") if str(file) == "-" else read_messages(file)


def _piped_text() -> str:
    """As in: echo Hello | specchat chat -m demo"""
    return "" if sys.stdin is None or sys.stdin.isatty() else _prompt_text("-")


def _prompt_text(prompt: str) -> str:
    if prompt != "-":
        return prompt
    given = sys.stdin.buffer.read() if sys.stdin else b""
    if kind := detect_non_text(given):
        hint = "Pass the file with --attach." if kind in (PDF, OFFICE_DOCUMENT, E_BOOK) else kind.hint
        raise SettingError("{name} is {kind}.", hint, name="Standard input", kind=kind.name)
    try:
        return given.decode("utf-8")
    except UnicodeDecodeError:
        print_note("Note: The prompt is not valid UTF-8. Invalid bytes are replaced with \N{REPLACEMENT CHARACTER}.")
        return given.decode("utf-8", "replace")


def _required(text: str) -> str:
    if not text.strip():
        raise SettingError("The prompt is empty.", "Pass a prompt with -p.")
    return text
