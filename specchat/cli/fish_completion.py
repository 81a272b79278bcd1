"""The script that completes specchat's commands in fish."""

from collections.abc import Iterator, Mapping

from specchat.cli.completion_words import CompletionWords, Value, ValueKind

_SCRIPT = """\
# Completes specchat's commands in fish. Made by: specchat completion fish
function __specchat_in
    set -l words (commandline -opc)
    set -l command $words[2]
    contains -- "$words[2] $words[3]" TASKS
    and set command "$words[2] $words[3]"
    test "$command" = "$argv[1]"
end
function __specchat_models
    set -l words (commandline -opc)
    $words[1] completion --models < /dev/null 2> /dev/null
end
complete -c specchat -e
complete -c specchat -f
LINES"""


def fish_script(words: Mapping[str, CompletionWords]) -> str:
    """`words`: of each command and subcommand; the empty name is what comes before a command."""
    tasks = " ".join(_quoted(name) for name in words if " " in name)
    lines = "\n".join(line for name, each in words.items() for line in _lines(name, each))
    return _SCRIPT.replace("TASKS", tasks).replace("LINES", lines)


def _lines(name: str, words: CompletionWords) -> Iterator[str]:
    begin = f"complete -c specchat -n {_quoted(f'__specchat_in {_quoted(name)}')}"
    yield f"{begin} {_value(words.positional)}"
    if not name:
        yield f"{begin} {_value(ValueKind.FILES)}"
    for option in words.options:
        value = words.values.get(option)
        yield f"{begin} {_option(option)}" if value is None else f"{begin} {_option(option)} -r {_value(value)}"


def _option(option: str) -> str:
    name = option.lstrip("-")
    if option.startswith("--"):
        return f"-l {name}"
    return f"-s {name}" if len(name) == 1 else f"-o {name}"


def _value(value: Value) -> str:
    match value:
        case ValueKind.OTHER:
            return "-f"
        case ValueKind.FILES:
            return "-F"
        case ValueKind.MODELS:
            return "-F -a '(__specchat_models)'"
    return f"-f -a {_quoted(' '.join(value))}"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
