"""The disk image for macOS, signed and, where there are credentials, notarised.

Not run on macOS; the tests check what is signed in which order and how Apple's programs are called. Inputs:
SPECCHAT_SIGN_IDENTITY: a certificate in the keychain, "Developer ID Application: ..."; without it the program is signed
for nobody ("ad hoc"), and people must allow it in the system's settings when they first open it.
SPECCHAT_NOTARY: who asks Apple to notarise it, as notarytool's options: "--key FILE --key-id ID --issuer ID", or
"--keychain-profile NAME".
"""

from __future__ import annotations

import json
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from checksums import write_checksums
from shell import SetupError, output_of, run_silently, say

ENTITLEMENTS = Path(__file__).resolve().parents[1] / "mac" / "entitlements.plist"
_OF_LIBRARIES = ("--options", "runtime")
_OF_PROGRAMS = (*_OF_LIBRARIES, "--entitlements", str(ENTITLEMENTS))
_AD_HOC = "-"
_MACH_O, _OF_SEVERAL = b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"
_EXECUTABLE = (2).to_bytes(4, "little")
_TRIES = 5
"""hdiutil fails now and then because something else looks at what it made."""


def make(program: Path, version: str) -> list[Path]:
    identity = os.environ.get("SPECCHAT_SIGN_IDENTITY", "") or _AD_HOC
    notary = os.environ.get("SPECCHAT_NOTARY", "")
    if notary and identity == _AD_HOC:
        raise SetupError("Apple notarizes only signed programs: set SPECCHAT_SIGN_IDENTITY as well.")
    _sign_program(program, identity)
    image = program.parent / f"specchat-{version}-macos-{platform.machine()}.dmg"
    _make_image(image, program)
    if identity != _AD_HOC:
        _sign(image, identity)
    if notary:
        _notarise(image, notary)
    write_checksums([image])
    return [image]


def _sign_program(program: Path, identity: str) -> None:
    say(f"Signing {program.name} ...")
    for code in code_inside_out(program):
        _sign(code, identity, *(_OF_PROGRAMS if code.is_file() and _is_program(code) else _OF_LIBRARIES))
    _sign(program, identity, *_OF_PROGRAMS)
    run_silently(["codesign", "--verify", "--deep", "--strict", program], "The signature is not valid.")


def code_inside_out(program: Path) -> Iterator[Path]:
    """All that has a signature of its own: what contains comes after what is contained. The program itself is last,
    signed with its main executable, and not among them."""
    executables = program / "Contents" / "MacOS"
    for path in sorted(program.rglob("*"), key=lambda path: (-len(path.parts), path)):
        if path.is_symlink() or path.parent == executables:
            continue
        if path.suffix == ".framework" or path.is_file() and _is_code(path):
            yield path


def _is_code(file: Path) -> bool:
    return _beginning(file)[:4] in (_MACH_O, _OF_SEVERAL)


def _is_program(file: Path) -> bool:
    """Such as ggml-rpc-server, which loads libraries, too."""
    beginning = _beginning(file)
    return beginning[:4] == _MACH_O and beginning[12:] == _EXECUTABLE


def _beginning(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(16)


def _sign(code: Path, identity: str, *options: str) -> None:
    timestamp = "--timestamp=none" if identity == _AD_HOC else "--timestamp"
    command: list[str | Path] = ["codesign", "--force", "--sign", identity, timestamp, *options, code]
    run_silently(command, f"{code.name} could not be signed.")


def _make_image(image: Path, program: Path) -> None:
    say(f"Packing {image.name} ...")
    with tempfile.TemporaryDirectory(dir=image.parent) as work:
        shutil.copytree(program, Path(work) / program.name, symlinks=True)
        (Path(work) / "Applications").symlink_to("/Applications")
        form = ["-volname", "specchat", "-fs", "HFS+", "-format", "ULMO", "-ov"]
        command: list[str | Path] = ["hdiutil", "create", *form, "-srcfolder", work, image]
        for tries_left in reversed(range(_TRIES)):
            try:
                run_silently(command, "hdiutil could not make the disk image.")
            except SetupError:
                if not tries_left:
                    raise
            else:
                return


def _notarise(image: Path, notary: str) -> None:
    say("Waiting for Apple to notarize it ...")
    who = shlex.split(notary)
    submit: list[str | Path] = ["xcrun", "notarytool", "submit", image, *who, "--wait", "--output-format", "json"]
    done = subprocess.run(submit, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise SetupError(f"{done.stdout}\nCould not ask Apple to notarize it.")
    answer = json.loads(done.stdout)
    if answer["status"] != "Accepted":  # a refusal ends with success too
        reasons = output_of(["xcrun", "notarytool", "log", answer["id"], *who])
        raise SetupError(f"{reasons or answer}\nApple did not notarize it.")
    run_silently(["xcrun", "stapler", "staple", image], "The notarization could not be attached.")
