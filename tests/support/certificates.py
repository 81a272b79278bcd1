"""A certificate for 127.0.0.1 that nobody knows."""

import shutil
import subprocess
from pathlib import Path

import pytest

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")


def make_certificate(folder: Path) -> Path:
    """With its key; without it, it lies beside as public.pem."""
    certificate, public = folder / "certificate.pem", folder / "public.pem"
    name = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    with public.open("wb") as made:
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *name, "-keyout", certificate, "-out", "-"],
            stdout=made,
            stderr=subprocess.DEVNULL,
            check=True,
        )
    with certificate.open("ab") as whole:
        whole.write(public.read_bytes())
    return certificate
