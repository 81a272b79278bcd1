"""What a file is that should have been a GGUF model."""

from specchat.domain.errors import ModelFileError
from specchat.gguf.faults import DOWNLOAD_AGAIN

GLANCE = 512

_CONVERT = "Download a GGUF version of this model, or convert it with llama.cpp's tools."
_PAGE = "Download the file again from its page; the model may ask you to log in first."
_OLD_GGML = "in an older ggml format that llama.cpp no longer reads"

_BY_FIRST_BYTES = (
    (b"PK\x03\x04", "a zip archive, probably PyTorch weights", _CONVERT),
    (b"\x80\x02", "a pickle, probably PyTorch weights", _CONVERT),
    (b"\x80\x03", "a pickle, probably PyTorch weights", _CONVERT),
    (b"\x80\x04", "a pickle, probably PyTorch weights", _CONVERT),
    (b"\x80\x05", "a pickle, probably PyTorch weights", _CONVERT),
    (b"lmgg", _OLD_GGML, _CONVERT),
    (b"fmgg", _OLD_GGML, _CONVERT),
    (b"tjgg", _OLD_GGML, _CONVERT),
    (b"algg", _OLD_GGML, _CONVERT),
    (b"\x1f\x8b", "a compressed archive", "Unpack it first."),
    (
        b"version https://git-lfs",
        "only a Git LFS pointer to the model",
        "Run `git lfs pull`, or download the file.",
    ),
)
_BY_FIRST_WORD = (
    (b"<!doctype", "a web page: the download went wrong", _PAGE),
    (b"<html", "a web page: the download went wrong", _PAGE),
    (b"<?xml", "an XML text, perhaps a server's error message", _PAGE),
    (b"{", "a JSON text, perhaps a server's error message", _PAGE),
)


def not_gguf(name: str, start: bytes) -> ModelFileError:
    what, hint = _recognise(start)
    return ModelFileError(f"{name} is not a GGUF model but {what}.", hint)


def _recognise(start: bytes) -> tuple[str, str]:
    for magic, what, hint in _BY_FIRST_BYTES:
        if start.startswith(magic):
            return what, hint
    if start[8:10] == b'{"' and int.from_bytes(start[:8], "little") < 2**32:
        return "safetensors weights", _CONVERT
    text = start.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for word, what, hint in _BY_FIRST_WORD:
        if text.startswith(word):
            return what, hint
    if not start.strip(b"\0"):
        return "empty space: the download never finished", DOWNLOAD_AGAIN
    return "something unknown", "Choose a .gguf file."
