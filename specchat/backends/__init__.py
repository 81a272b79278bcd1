"""Access to llama.cpp and the child processes that isolate it; only this folder imports llama_cpp and llguidance."""
