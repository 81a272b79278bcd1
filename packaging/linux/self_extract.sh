#!/bin/sh
# specchat for Linux. To install it: sh THIS_FILE. An archive follows below the last line of this text.
set -eu

checksum=@SHA256@
this=$0
installed=${HOME:-}/.local/lib/specchat

usage() {
    cat <<'END'
Installs specchat just for you, without administrator rights. Replaces an older version.

  sh specchat-*.run                    install or update
  sh specchat-*.run --remove           remove; your chats, settings and models stay
  sh specchat-*.run --extract FOLDER   only unpack it there
END
}

main() {
    case ${1:-} in
        '')
            if was_double_clicked; then
                install_and_show
            else
                run_installer
            fi
            ;;
        --help) usage ;;
        --extract)
            [ -n "${2:-}" ] || stop "Specify a folder: --extract FOLDER"
            unpack "$2"
            say "specchat was unpacked to $2"
            ;;
        --remove)
            [ -e "$installed/uninstall.sh" ] || stop "specchat is not installed here."
            sh "$installed/uninstall.sh"
            ;;
        *) run_installer "$@" ;;
    esac
}

run_installer() {
    work=$(mktemp -d "${TMPDIR:-/tmp}/specchat.XXXXXX") || stop "Set TMPDIR to a writable folder."
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' HUP INT TERM
    unpack "$work"
    sh "$work"/specchat-*/install.sh "$@"
}

was_double_clicked() {
    [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && [ ! -t 0 ] && [ ! -t 1 ] && [ ! -t 2 ]
}

install_and_show() {
    if is_there notify-send; then
        notify-send specchat "Installing specchat ..." || :
    fi
    if report=$(run_installer 2>&1); then
        "$installed/current/specchat" </dev/null >/dev/null 2>&1 &
        show info "$report"
    else
        show error "$report"
        exit 1
    fi
}

show() {
    say "$2"
    if is_there zenity; then
        zenity "--$1" --title=specchat --no-markup --text="$2" || :
    elif is_there kdialog; then
        case $1 in
            error) kdialog --title specchat --error "$2" || : ;;
            *) kdialog --title specchat --msgbox "$2" || : ;;
        esac
    elif is_there notify-send; then
        notify-send specchat "$2" || :
    fi
}

unpack() {
    is_there tar || stop "tar is missing. Install the package tar, then run this again."
    is_there xz || stop "xz is missing. Install the package xz-utils (Debian, Ubuntu) or xz, then run this again."
    found=$(archive | sha256sum)
    [ "${found%% *}" = "$checksum" ] || stop "This file is damaged or incomplete. Download it again."
    { mkdir -p "$1" && archive | xz -dc | tar -xf - -C "$1"; } ||
        stop "specchat could not be unpacked to $1. If space is short, set TMPDIR to another folder."
}

archive() {
    tail -n "+$((last_line + 1))" "$this"
}

is_there() {
    command -v "$1" >/dev/null
}

say() {
    printf '%s\n' "$*"
}

stop() {
    say "$*" >&2
    exit 1
}

last_line=$(sed -n '/^exit$/{=;q;}' "$this")
main "$@"
exit
