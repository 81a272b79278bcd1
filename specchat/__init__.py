"""specchat: chat with local GGUF models, a small draft model making the large one faster."""

__version__ = "0.1.0"
