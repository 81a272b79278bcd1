"""Reads the token that `hf auth login` stored; only the client of the Hub changes it."""

import logging

from huggingface_hub import constants, get_token
from huggingface_hub.errors import OIDCError

log = logging.getLogger(__name__)


def stored_token() -> str | None:
    """One that expires is renewed first, which asks the Hub."""
    if constants.HF_HUB_DISABLE_IMPLICIT_TOKEN:
        return None
    try:
        return get_token()
    except (OSError, ValueError, OIDCError) as error:
        log.info("Couldn't read the token from hf auth login: %s", type(error).__name__)
        return None
