"""Reads a document into an attachment. Readers are imported when they are first needed."""

from pathlib import Path

from specchat.domain.cancel_token import CancelToken
from specchat.domain.conversations import Attachment
from specchat.services.chat.document_files import DocumentKind, document_name


def read_document(path: Path, kind: DocumentKind, cancel: CancelToken) -> Attachment:
    from specchat.backends.documents.document_reader import DocumentReader

    return Attachment(document_name(path, kind), DocumentReader().read(path.resolve(), kind, cancel))
