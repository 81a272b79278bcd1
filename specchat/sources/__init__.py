"""Sources of models. Only these modules use the client of the Hub; import them on first use."""

import logging
import os

# The client reads these when it is imported. Its transfer protocol of its own can be neither cancelled nor resumed.
for _name, _value in {
    "HF_HUB_DISABLE_XET": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_VERBOSITY": "error",
}.items():
    os.environ.setdefault(_name, _value)

for _name in ("httpx2", "httpcore2"):  # they log addresses, and a signed address is a key
    logging.getLogger(_name).setLevel(logging.WARNING)
