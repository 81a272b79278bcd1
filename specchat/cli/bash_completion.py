"""The script that completes specchat's commands in bash."""

import shlex
from collections.abc import Mapping

from specchat.cli.completion_words import CompletionWords, Value, ValueKind

_SCRIPT = """\
# Completes specchat's commands in bash 4.4 or newer. Made by: specchat completion bash
_specchat() {
    local line=${COMP_LINE:0:COMP_POINT} words name
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    local current=${words[-1]} previous=${words[-2]} command=${words[1]} task=${words[2]}
    local options= positional= value=
    if [[ $current == --*=* ]]; then
        previous=${current%%=*} current=${current#*=}
    fi
    ((${#words[@]} == 2)) && command= previous=
    case "$command $task" in
TASKS) ((${#words[@]} > 3)) && command="$command $task" ;;
    esac
    case $command in
COMMANDS    esac
    if [[ -z $value ]]; then
        [[ $current == -* ]] && value=$options || value=$positional
    fi
    case $value in
        other) ;;
        files) compopt -o default ;;
        models)
            while IFS= read -r name; do
                [[ $name == "$current"* ]] && COMPREPLY+=("$name")
            done < <("${words[0]}" completion --models < /dev/null 2> /dev/null)
            ((${#COMPREPLY[@]})) || compopt -o default ;;
        *)
            COMPREPLY=($(compgen -W "$value" -- "$current"))
            [[ -n $command ]] || ((${#COMPREPLY[@]})) || compopt -o default ;;
    esac
    # bash replaces only what follows the last colon
    [[ $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("${COMPREPLY[@]#"${current%"${current##*:}"}"}")
}
complete -F _specchat specchat"""


def bash_script(words: Mapping[str, CompletionWords]) -> str:
    """`words`: of each command and subcommand; the empty name is what comes before a command."""
    return fill_in_cases(_SCRIPT, words)


def fill_in_cases(script: str, words: Mapping[str, CompletionWords]) -> str:
    """For each command and subcommand, in the form that zsh knows as well."""
    tasks = "|".join(shlex.quote(name) for name in words if " " in name)
    commands = "".join(_command_case(name, each) for name, each in words.items())
    return script.replace("TASKS", f"        {tasks}").replace("COMMANDS", commands)


def _command_case(name: str, words: CompletionWords) -> str:
    lines = [f"{shlex.quote(name)})", f"    options={shlex.quote(' '.join(words.options))}"]
    lines.append(f"    positional={_value(words.positional)}")
    if words.values:
        lines.append("    case $previous in")
        lines += [f"        {option}) value={_value(value)} ;;" for option, value in words.values.items()]
        lines.append("    esac")
    return "".join(f"        {line}\n" for line in (*lines[:-1], f"{lines[-1]} ;;"))


def _value(value: Value) -> str:
    return str(value) if isinstance(value, ValueKind) else shlex.quote(" ".join(value))
