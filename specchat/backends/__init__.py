"""llama.cpp, and what must run in a process of its own. The only folder that imports llama_cpp."""

import os

# Threads wait for each other hundreds of times per token. By default they spin for milliseconds, so one busy program
# beside us makes a token take seconds: measured 100 times slower. Spinning briefly costs nothing when cores are free.
os.environ.setdefault("GOMP_SPINCOUNT", "5000")
