"""Recognises files in other formats and explains why they are not GGUF models."""

from specchat.domain.errors import ModelFileError
from specchat.domain.translatable_text import TranslatableText
from specchat.gguf.file_errors import DOWNLOAD_AGAIN

GLANCE = 512

_CONVERT = TranslatableText("Download a GGUF version of this model, or convert it with llama.cpp's tools.")
_ANOTHER = TranslatableText("Choose another file. This one is damaged. If you downloaded it, download it again.")
_PAGE = TranslatableText("Download the file again from its page. The site may ask you to log in first.")
_ZIP = TranslatableText("{name} is a zip archive (probably PyTorch weights), not a GGUF model.")
_PICKLE = TranslatableText("{name} is a pickle file (probably PyTorch weights), not a GGUF model.")
_SAFE_HEADS = TranslatableText(
    "Loading such a file can run code, so specchat doesn't load it. Choose the .safetensors version of these heads, "
    "or convert them with PyTorch and safetensors."
)
_OLD_GGML = TranslatableText("{name} uses an older ggml format, which llama.cpp no longer reads.")
_WEB_PAGE = TranslatableText("{name} is a web page, not a GGUF model. The download went wrong.")

_DOCUMENT = TranslatableText("{name} is a document, not a GGUF model.")
_ATTACH = TranslatableText("Choose a .gguf file. To ask a model about the document, attach it to a message.")
_DOCUMENT_PARTS = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"word/", b"xl/", b"mimetype")
"""One of them is first in a document that is zipped."""
_ZIP_NAME = 30

_BY_FIRST_BYTES = (
    (b"%PDF-", _DOCUMENT, _ATTACH),
    (b"PK\x03\x04", _ZIP, _CONVERT),
    (b"\x80\x02", _PICKLE, _CONVERT),
    (b"\x80\x03", _PICKLE, _CONVERT),
    (b"\x80\x04", _PICKLE, _CONVERT),
    (b"\x80\x05", _PICKLE, _CONVERT),
    (b"lmgg", _OLD_GGML, _CONVERT),
    (b"fmgg", _OLD_GGML, _CONVERT),
    (b"tjgg", _OLD_GGML, _CONVERT),
    (b"algg", _OLD_GGML, _CONVERT),
    (
        b"\x1f\x8b",
        TranslatableText("{name} is a compressed archive, not a GGUF model."),
        TranslatableText("Unzip it first."),
    ),
    (
        b"version https://git-lfs",
        TranslatableText("{name} is only a Git LFS pointer, not the GGUF model itself."),
        TranslatableText("Run git lfs pull, or download the file."),
    ),
)
_BY_FIRST_WORD = (
    (b"<!doctype", _WEB_PAGE, _PAGE),
    (b"<html", _WEB_PAGE, _PAGE),
    (
        b"<?xml",
        TranslatableText("{name} is XML text, not a GGUF model. It may be a server's error message."),
        _PAGE,
    ),
    (b"{", TranslatableText("{name} is JSON text, not a GGUF model. It may be a server's error message."), _PAGE),
)


def not_gguf_error(name: str, start: bytes) -> ModelFileError:
    what, hint = _recognise(start) or (
        TranslatableText("{name} is not a GGUF model."),
        _ANOTHER if name.lower().endswith(".gguf") else TranslatableText("Choose a .gguf file."),
    )
    if "medusa" in name.casefold() and what in (_ZIP, _PICKLE):
        hint = _SAFE_HEADS
    return ModelFileError(what, hint, name=name)


def _recognise(start: bytes) -> tuple[str, str] | None:
    if start.startswith(b"PK\x03\x04") and start.startswith(_DOCUMENT_PARTS, _ZIP_NAME):
        return _DOCUMENT, _ATTACH
    for magic, what, hint in _BY_FIRST_BYTES:
        if start.startswith(magic):
            return what, hint
    if start[8:10] == b'{"' and int.from_bytes(start[:8], "little") < 2**32:
        return TranslatableText("{name} contains safetensors weights, not a GGUF model."), _CONVERT
    text = start.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    for word, what, hint in _BY_FIRST_WORD:
        if text.startswith(word):
            return what, hint
    if not start.strip(b"\0"):
        return TranslatableText("{name} contains no data: the download never finished."), DOWNLOAD_AGAIN
    return None
