"""What the user reads before a server starts: its settings without secrets, but with all that would run or be asked.

Whoever writes the settings may call anything a secret. Only what can't be part of a program is hidden, only where it
stands, and never a host.
"""

import re
from collections.abc import Sequence

from specchat.domain.server_secrets import (
    HIDDEN,
    NAMED,
    URL,
    bare_secret,
    is_option,
    is_secret_name,
    looks_secret,
    secret_follows,
)
from specchat.domain.shell_quoting import quote_command

_NO_CODE = re.compile(r"[\w.+/=~@:%#!*^?,-]+")
"""Nothing that a shell or a programming language would run."""
_RUNNERS = ("npx", "pnpx", "bunx", "uvx", "pipx", "npm", "pnpm", "yarn", "bun", "uv", "deno")
"""They run what the first of their arguments name; packages may have the names of keys."""
_CONTAINERS = ("docker", "podman")


def shown_command(words: Sequence[str]) -> str:
    follows = False
    shown: list[str] = []
    n_programs = _n_programs(words)
    for word in words:
        if follows and not is_option(word):
            shown.append(_shown_secret(word))
        elif n_programs > 0 and not word.startswith("-") and "=" not in word:
            shown.append(URL.sub(lambda url: shown_url(url[0]), word))
            n_programs -= 1
        else:
            shown.append(_shown_text(word))
        follows = secret_follows(word)
    return " ".join(map(_quoted, shown))


def _n_programs(words: Sequence[str]) -> int:
    """How many words, options aside, say what is run."""
    runner = re.split(r"[/\\]", words[0])[-1].partition(".")[0].casefold()
    return len(words) if runner in _CONTAINERS else 3 if runner in _RUNNERS else 1


def shown_url(url: str) -> str:
    scheme, sign, rest = url.partition("://")
    end = re.search("[/?#]|$", rest)
    assert end is not None
    user, at, host = rest[: end.start()].rpartition("@")
    address, mark, fragment = rest[end.start() :].partition("#")
    path, question, query = address.partition("?")
    path = "/".join(HIDDEN if looks_secret(part) else part for part in path.split("/"))
    return "".join(
        (scheme, sign, _shown_user(user), at, host, path, question, _shown_fields(query), mark, _shown_fields(fragment))
    )


def shown_variable(name: str, value: str, words: Sequence[str]) -> str:
    """`words`: of the command, which may run what is in a variable."""
    may_run = any(name in word for word in words) and not _NO_CODE.fullmatch(value)
    if not is_secret_name(name) or may_run:
        return f"{name}={_shown_text(value)}"
    return f"{name}={HIDDEN if bare_secret(value) else value}"


def _quoted(shown: str) -> str:
    """For what is in it beside the secrets."""
    plain = shown.replace(HIDDEN, "x")
    return shown if quote_command(plain) == plain else quote_command(shown)


def _shown_text(text: str) -> str:
    named = NAMED.fullmatch(text)
    if named is not None and "://" not in named[1] and is_secret_name(named[1]):
        return text[: named.start(2)] + _shown_secret(named[2])
    if looks_secret(named[2] if named is not None else text):
        return text[: named.start(2) if named is not None else 0] + HIDDEN
    return URL.sub(lambda url: shown_url(url[0]), text)


def _shown_secret(value: str) -> str:
    """What a name says to be one. An address may be asked, too."""
    bare = bare_secret(value)
    if bare and "://" not in bare and _NO_CODE.fullmatch(bare):
        return HIDDEN
    return URL.sub(lambda url: shown_url(url[0]), value)


def _shown_user(text: str) -> str:
    user, sign, password = text.partition(":")
    return f"{user}{sign}{_hidden(password)}" if sign else _hidden(user)


def _shown_fields(text: str) -> str:
    return "&".join(map(_shown_field, text.split("&")))


def _shown_field(field: str) -> str:
    name, sign, value = field.partition("=")
    if looks_secret(value or name):
        return f"{name}{sign}{HIDDEN}" if value else HIDDEN
    return f"{name}{sign}{_hidden(value)}" if is_secret_name(name) and bare_secret(value) else field


def _hidden(value: str) -> str:
    return HIDDEN if _NO_CODE.fullmatch(value) else value
