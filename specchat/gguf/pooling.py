"""Tells from a header whether a model makes vectors of texts, or ranks them, rather than write."""

from specchat.domain.embeddings import ENCODERS, Pooling, Purpose
from specchat.gguf.header import Header
from specchat.gguf.metadata import integer


def read_pooling(header: Header) -> Pooling | None:
    """None: it is not made for that. Encoders whose files do not say how get the usual way."""
    architecture = header.architecture or ""
    stated = integer(header.metadata, f"{architecture}.pooling_type", header.name)
    if stated is not None and Pooling.MEAN <= stated <= Pooling.RANK:
        return Pooling(stated)
    return Pooling.MEAN if architecture in ENCODERS else None


def read_purpose(header: Header) -> Purpose:
    pooling = read_pooling(header)
    return pooling.purpose if pooling is not None else Purpose.TEXT
