"""Finds secrets in the settings of a server: by their names, and by what they look like."""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import unquote_plus, urlsplit

HIDDEN = "•••"
"""Stands for a secret."""
_NAME = re.compile(
    r"key(?!board|word|space)|token(?!iz)|secret|(?<!ask)(?<!by)pass(?!ive)|pwd|auth(?!or(?!i))|credential|cookie|jwt",
    re.IGNORECASE,
)
"""Not of variables such as GIT_ASKPASS, which name a program to run: the user consents to that, too."""
_PLACE = re.compile(r"(?:file|path|dir|type|mode|max[_-]?tokens)$", re.IGNORECASE)
"""Ends of names whose values say where a secret is, or of which kind."""
_NO_SECRETS = {"true", "false", "none", "null", "basic", "bearer", "digest", "oauth", "enabled", "disabled", "default"}
_SCHEME = re.compile(r"(?:Bearer|Basic|Token)\s+(?=\S)", re.IGNORECASE)
NAMED = re.compile(r"(-{0,2}[\w.-]+)(?:=|:\s+)(.+)", re.DOTALL)
"""--name=value, NAME=value, or a header."""
URL = re.compile(r"[A-Za-z][\w+.-]{0,20}://\S+")
_KNOWN_FORM = re.compile(
    r"(?:sk|pk|rk|hf|npm|ntn|secret|tvly|dop_v1|lin_api|gh[opsu]|github_pat|glpat|pypi|xox[abprs])[_-][\w-]{12,}"
    r"|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|eyJ[\w-]{10,}\.[\w.-]+"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
)
_PART = re.compile(r"[A-Za-z0-9+=]{16,}")
_SWITCH = re.compile(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])")
_MOST_SWITCHES = 3
"""Between letters and digits, in a name that somebody chose."""
_IN_NAMES = re.compile(r"[\w+=.-]+")


def find_in_words(words: Sequence[str]) -> list[tuple[str, ...]]:
    """The secrets in each argument of a command."""
    found: list[tuple[str, ...]] = []
    follows = False
    for word in words:
        found.append(tuple(_in_named(word) if follows and not is_option(word) else find_in_text(word)))
        follows = secret_follows(word)
    return found


def secret_follows(word: str) -> bool:
    """In a command."""
    return is_option(word) and is_secret_name(word)


def find_in_setting(name: str, value: str) -> tuple[str, ...]:
    """Of an environment variable."""
    return tuple(_in_named(value) if is_secret_name(name) else find_in_text(value))


def find_in_header(value: str) -> tuple[str, ...]:
    """All of it: headers are rarely anything else."""
    return (value, _SCHEME.sub("", value))


def find_in_text(text: str) -> tuple[str, ...]:
    named = NAMED.fullmatch(text)
    if named is not None and "://" not in named[1] and is_secret_name(named[1]):
        return tuple(_in_named(named[2]))
    if looks_secret(named[2] if named is not None else text):
        return (named[2] if named is not None else text,)
    return tuple(secret for url in URL.findall(text) for secret in find_in_url(url))


def find_in_url(url: str) -> tuple[str, ...]:
    """The user and the password, values of the query, and parts of the path that look like keys; as written there, and
    decoded.
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ()
    user, sign, password = parts.netloc.rpartition("@")[0].partition(":")
    found = [password if sign else user]
    found += [each for each in parts.path.split("/") if looks_secret(each)]
    for field in (*parts.query.split("&"), *parts.fragment.split("&")):
        name, _, value = field.partition("=")
        if looks_secret(value or name):
            found.append(value or name)
        elif is_secret_name(name):
            found += _in_named(value)
    return tuple(each for written in found if written for each in dict.fromkeys((written, unquote_plus(written))))


def is_secret_name(name: str) -> bool:
    return _NAME.search(name) is not None and _PLACE.search(name) is None


def bare_secret(value: str) -> str:
    """Without the word that says how it is used; empty where it is none."""
    bare = _SCHEME.sub("", value)
    return "" if bare.casefold() in _NO_SECRETS else bare


def looks_secret(word: str) -> bool:
    if _KNOWN_FORM.fullmatch(word):
        return True
    return _IN_NAMES.fullmatch(word) is not None and any(
        len(_SWITCH.findall(part)) > _MOST_SWITCHES for part in _PART.findall(word)
    )


def hide(secrets: Sequence[str], text: str) -> str:
    """The longest first, as one may be part of another."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, HIDDEN)
    return text


def is_option(word: str) -> bool:
    return word.startswith("-") and "=" not in word


def _in_named(value: str) -> Iterator[str]:
    if bare := bare_secret(value):
        yield from dict.fromkeys((value, bare))
