#!/bin/sh
# Installs specchat for the user who runs this, or removes it.
# Each version has a folder of its own in ~/.local/lib/specchat, and the link `current` there names the one in use. It
# is replaced in one step, so that whatever interrupts an update, the old version or the new one can be started.
set -eu

newline='
'

usage() {
    cat <<'END'
Installs specchat just for you, without administrator rights. Replaces an older version.

  sh install.sh             install or update
  sh install.sh --remove    remove; your chats, settings and models stay
END
}

main() {
    wish=install_or_update
    [ "${0##*/}" != uninstall.sh ] || wish=remove
    for argument; do
        case $argument in
            --remove) wish=remove ;;
            --help) wish=usage ;;
            *) stop "Unknown option: $argument. See --help." ;;
        esac
    done
    find_places
    "$wish"
}

find_places() {
    case ${HOME:-} in
        *"$newline"*) stop "The path of your home folder contains a line break, which menus do not support." ;;
        /*) HOME=${HOME%/} ;;
        *) stop "HOME is not set to your home folder." ;;
    esac
    case ${XDG_DATA_HOME:-} in
        *"$newline"* | [!/]* | '') data=$HOME/.local/share ;;
        *) data=${XDG_DATA_HOME%/} ;;
    esac
    if [ "$(id -u)" -eq 0 ] && [ -n "${SUDO_USER:-}" ]; then
        stop "Run this without sudo: specchat is installed just for you."
    fi
    lib=$HOME/.local/lib/specchat
    program=$lib/current/specchat
    command=$HOME/.local/bin/specchat
}

install_or_update() {
    here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
    [ -x "$here/specchat/specchat" ] || stop "The folder specchat is missing next to install.sh. Unpack the whole archive."
    if [ -d "$lib" ] && [ -n "$(ls -A "$lib")" ] && ! is_ours; then
        stop "$lib belongs to something else. Move it away, then run this again."
    fi
    new=
    trap tidy_up EXIT
    trap 'exit 130' HUP INT TERM
    place "$here/install.sh" "$lib/uninstall.sh"
    remove_other_versions
    copy_version
    use_version
    place_shared_files
    place_command
    refresh_desktop
    remove_other_versions
    trap - EXIT
    say "$version is installed. Start it from your applications, or with $command"
    if in_use "$lib"; then
        say "specchat is open. Close it and start it again to use the new version."
    fi
}

remove() {
    if ! is_ours; then
        remove_empty "$lib"
        say "specchat is not installed here."
        return
    fi
    if in_use "$lib"; then
        stop "specchat is open. Close it, then run this again."
    fi
    rm -rf "$lib"/current* "$lib"/version.*
    if is_our_command; then
        rm "$command"
    fi
    remove_empty "${command%/*}"
    [ ! -e "$lib/files" ] || remove_listed <"$lib/files"
    refresh_desktop
    rm -f "$lib"/files*
    rm -f "$lib"/uninstall.sh*  # last, since by it the folder is known to be ours
    remove_empty "$lib"
    say "specchat was removed. Your chats, settings and models stay where they are."
}

copy_version() {
    say "Copying specchat ..."
    new=$(mktemp -d "$lib/version.XXXXXX")
    cp -RP "$here/specchat/." "$new"
    chmod 755 "$new"
    version=$("$new/specchat" --version) || stop "This specchat does not run on your system."
    sync -f "$new" 2>/dev/null || sync
}

use_version() {
    ln -sfn "${new##*/}" "$lib/current.new"
    mv -fT "$lib/current.new" "$lib/current"
}

is_ours() {
    [ -e "$lib/uninstall.sh" ] || [ -e "$lib/uninstall.sh.new" ]
}

tidy_up() {
    if is_current "$new"; then
        say "Not everything was done. Run this again to finish."
    else
        [ -z "$new" ] || rm -rf "$new"
        say "specchat was not installed. Your chats and models are unchanged."
    fi
}

remove_other_versions() {
    for folder in "$lib"/version.*; do
        if [ -d "$folder" ] && ! is_current "$folder" && ! in_use "$folder"; then
            rm -rf "$folder"
        fi
    done
}

is_current() {
    [ -n "$1" ] && [ "$(readlink "$lib/current")" = "${1##*/}" ]
}

# Whether a program from this folder is running.
in_use() {
    folder_in_use=$(CDPATH='' cd -- "$1" && pwd -P)
    case $(ls -l /proc/[0-9]*/exe 2>/dev/null) in
        *" -> $folder_in_use/"*) return 0 ;;
    esac
    return 1
}

# Written to the list before they are placed, so that removing finds them whatever happens in between.
place_shared_files() {
    (cd "$here/share" && find . -type f) | while IFS= read -r file; do
        printf '%s\n' "$data/${file#./}"
    done | LC_ALL=C sort >"$lib/files.new"
    [ -e "$lib/files" ] || : >"$lib/files"
    LC_ALL=C sort -u "$lib/files" "$lib/files.new" >"$lib/files.all"
    mv -f "$lib/files.all" "$lib/files"
    while IFS= read -r file; do
        place "$here/share/${file#"$data/"}" "$file"
    done <"$lib/files.new"
    LC_ALL=C comm -23 "$lib/files" "$lib/files.new" | remove_listed
    mv -f "$lib/files.new" "$lib/files"
}

place() {
    mkdir -p "${2%/*}"
    case $2 in
        *.desktop) with_own_program <"$1" >"$2.new" ;;
        *) cp "$1" "$2.new" ;;
    esac
    mv -f "$2.new" "$2"
}

with_own_program() {
    while IFS= read -r line; do
        case $line in
            Exec=*) printf 'Exec=%s %%F\n' "$(quoted "$program")" ;;
            *) printf '%s\n' "$line" ;;
        esac
    done
}

# As the desktop entry specification wants it: first within quotes, then as a value, which doubles all backslashes.
quoted() {
    printf '"%s"' "$(printf '%s\n' "$1" | LC_ALL=C sed -e 's/[\\"`$]/\\&/g' -e 's/\\/\\\\/g' -e 's/%/%%/g')"
}

place_command() {
    mkdir -p "${command%/*}"
    if [ -e "$command" ] || [ -L "$command" ]; then
        is_our_command || say "$command belongs to another program and was not changed."
    else
        ln -s "$program" "$command"
    fi
}

is_our_command() {
    [ "$(readlink "$command")" = "$program" ]
}

remove_listed() {
    while IFS= read -r file; do
        rm -f "$file" "$file.new"
        remove_empty "${file%/*}"
    done
}

# What other programs derive from the files that are placed or removed here.
refresh_desktop() {
    if [ -n "$(find "$data/applications" -name '*.desktop' 2>/dev/null)" ]; then
        run_if_there update-desktop-database -q "$data/applications"
    else
        rm -f "$data/applications/mimeinfo.cache"
        remove_empty "$data/applications"
    fi
    if [ -n "$(find "$data/mime/packages" -name '*.xml' 2>/dev/null)" ]; then
        run_if_there update-mime-database "$data/mime"
    else
        remove_mime_database
    fi
    [ ! -d "$data/icons/hicolor" ] || touch "$data/icons/hicolor"
}

remove_mime_database() {
    for name in aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic types version XMLnamespaces; do
        rm -f "$data/mime/$name"
    done
    rm -f "$data/mime/application/x-gguf.xml"
    remove_empty "$data/mime/application"
    remove_empty "$data/mime"
}

remove_empty() {
    empty=$1
    while rmdir "$empty" 2>/dev/null || [ ! -e "$empty" ]; do
        empty=${empty%/*}
        case $empty in
            "$HOME"/?* | "$data"/?*) ;;
            *) return 0 ;;
        esac
    done
}

run_if_there() {
    if command -v "$1" >/dev/null; then
        "$@" || say "$1 failed; specchat itself is not affected."
    fi
}

say() {
    printf '%s\n' "$*"
}

stop() {
    say "$*" >&2
    exit 1
}

main "$@"
