"""The script that completes specchat's commands in zsh."""

from collections.abc import Mapping

from specchat.cli.bash_completion import fill_in_cases
from specchat.cli.completion_words import CompletionWords

_SCRIPT = """\
#compdef specchat
# Completes specchat's commands in zsh. Made by: specchat completion zsh
_specchat() {
    local command=${words[2]} task=${words[3]} previous=${words[CURRENT-1]}
    local options= positional= value=
    local -a names
    if [[ $PREFIX == --*=* ]]; then
        previous=${PREFIX%%=*}
        compset -P '*='
    fi
    ((CURRENT == 2)) && command= previous=
    case "$command $task" in
TASKS) ((CURRENT > 3)) && command="$command $task" ;;
    esac
    case $command in
COMMANDS    esac
    if [[ -z $value ]]; then
        [[ $PREFIX == -* ]] && value=$options || value=$positional
    fi
    case $value in
        other) ;;
        files) _files ;;
        models)
            names=(${(f)"$(${(Q)words[1]} completion --models < /dev/null 2> /dev/null)"})
            compadd -a names || _files ;;
        *)
            names=(${=value})
            compadd -a names || { [[ -z $command ]] && _files } ;;
    esac
}
compdef _specchat specchat"""


def zsh_script(words: Mapping[str, CompletionWords]) -> str:
    """`words`: of each command and subcommand; the empty name is what comes before a command."""
    return fill_in_cases(_SCRIPT, words)
